"""Writes the Python of every proto beside it: messages, stubs and their types.

`python protos/generate.py [FOLDER]` writes into FOLDER instead. The same pinned tools give the same bytes, so a test
compares what is committed with what they write.
"""

import sys
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

SOURCES = Path(__file__).resolve().parent
PLUGINS = ("mypy", "mypy_grpc")


def protos() -> list[Path]:
    """Every proto of ours, in a fixed order."""
    return sorted((SOURCES / "tidelog").rglob("*.proto"))


def generate(target: Path) -> None:
    """Write the modules under `target`; raises RuntimeError where a proto does not compile.

    Modules of stubs are written for the protos that hold a service only.
    """
    _compile(protos(), ("python", "mypy"), target)
    _compile([proto for proto in protos() if "\nservice " in proto.read_text()], ("grpc_python", "mypy_grpc"), target)


def _compile(sources: list[Path], kinds: tuple[str, ...], target: Path) -> None:
    plugins = [f"--plugin=protoc-gen-{kind}={Path(sys.executable).parent / f'protoc-gen-{kind}'}" for kind in PLUGINS]
    include = files("grpc_tools") / "_proto"
    outputs = [f"--{kind}_out={target}" for kind in kinds]
    names = [source.relative_to(SOURCES).as_posix() for source in sources]
    if protoc.main(["protoc", f"-I{SOURCES}", f"-I{include}", *plugins, *outputs, *names]):
        raise RuntimeError("protoc refused a proto; its own message stands above")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCES)
