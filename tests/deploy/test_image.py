"""The image's recipe, as far as it can be followed without Docker: what it copies gives a wheel that is whole."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.deploy.compose import ROOT

DEPLOY = ROOT / "deploy"
WRITTEN_BY_PYTHON = shutil.ignore_patterns("__pycache__")
RUN = "import sys; from services.cli.main import main; sys.argv[0] = 'tidelog'; main()"


def copied() -> list[str]:
    """The sources of every COPY from this folder."""
    lines = re.findall(r"^COPY (?!--from)(.+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    return [source for line in lines for source in line.split()[:-1]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from nothing but what the image copies."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheels")
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=WRITTEN_BY_PYTHON)
        else:
            shutil.copy(ROOT / name, source / name)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", target], cwd=source, check=True)
    (found,) = target.glob("*.whl")
    return found


def test_nothing_that_is_copied_is_kept_out_of_the_context():
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    allowed = [line.removeprefix("!") for line in ignored if line.startswith("!")]
    assert sorted(allowed) == sorted(copied())


def test_the_wheel_holds_every_file_that_the_code_reads(wheel):
    held = set(ZipFile(wheel).namelist())
    folders = [(ROOT / "protos", "tidelog"), *((ROOT, name) for name in ("engines", "services", "gateway"))]
    wanted = {
        path.relative_to(base).as_posix()
        for base, name in folders
        for path in (base / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert sorted(wanted - held) == []


def test_the_command_runs_from_the_wheel_alone(wheel, tmp_path):
    ZipFile(wheel).extractall(tmp_path)
    here = {**os.environ, "PYTHONPATH": str(tmp_path)}
    where = "import services, engines; print(services.__file__, engines.__file__)"
    found = subprocess.run([sys.executable, "-c", where], cwd=tmp_path, env=here, capture_output=True, check=True)
    assert all(name.startswith(str(tmp_path)) for name in found.stdout.decode().split())
    listed = subprocess.run(
        [sys.executable, "-c", RUN, "games", "--json"], cwd=tmp_path, env=here, capture_output=True, check=True
    )
    assert [row["edition"] for row in json.loads(listed.stdout)]


def test_it_does_not_run_as_root():
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER tidelog"]
    assert lines.index("USER tidelog") > max(number for number, line in enumerate(lines) if line.startswith("RUN "))
