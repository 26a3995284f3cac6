"""The protos as a contract: the Python beside them is fresh, they lint, and they break no one."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

from tests.requirements import PROTOS, needs_buf

GENERATED = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("generate", PROTOS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def modules(folder: Path) -> dict[str, bytes]:
    paths = [path for pattern in GENERATED for path in (folder / "tidelog").rglob(pattern)]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_what_is_committed_is_what_the_protos_give(generator, tmp_path):
    generator.generate(tmp_path)
    fresh, committed = modules(tmp_path), modules(PROTOS)
    assert sorted(fresh) == sorted(committed)
    stale = [name for name in fresh if fresh[name] != committed[name]]
    assert not stale, "run `make protos`"


def test_every_folder_of_generated_modules_is_a_package():
    folders = {PROTOS / Path(name).parent for name in modules(PROTOS)}
    assert all((folder / "__init__.py").is_file() for folder in folders)


def test_the_protos_import_nothing_but_google_protobuf_and_their_own(generator):
    for proto in generator.protos():
        imports = [line.split('"')[1] for line in proto.read_text().splitlines() if line.startswith("import ")]
        assert all(name.startswith(("google/protobuf/", "tidelog/")) for name in imports), proto


def buf(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([needs_buf(), *arguments], cwd=PROTOS, capture_output=True, text=True, check=False)


def test_the_protos_lint():
    result = buf("lint")
    assert result.returncode == 0, result.stdout


def test_the_protos_break_nothing_published():
    result = buf("breaking", "--against", "breaking.binpb")
    assert result.returncode == 0, result.stdout


def test_everything_is_held_to_the_published_image(tmp_path):
    """A message that the image does not hold could be changed without notice."""
    image = tmp_path / "image.binpb"
    assert buf("build", "-o", str(image), "--exclude-source-info").returncode == 0
    assert image.read_bytes() == (PROTOS / "breaking.binpb").read_bytes(), "run `make protos`"
