"""`tidelog protos`: the API's schema for clients in any language."""

import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from engines.core import games
from services.cli.output import say
from services.common.codec.games import schema
from tidelog import v1

INTERNAL = {"engine_pb2"}
"""Spoken between gateways and engines alone."""


def protos(*, out: Path | None = None) -> None:
    """Write a descriptor set (google.protobuf.FileDescriptorSet) of the API and of every installed game.

    Parameters
    ----------
    out
        file to write; standard output without it
    """
    names = sorted(module.name for module in iter_modules(v1.__path__) if module.name.endswith("_pb2"))
    modules = [import_module(f"tidelog.v1.{name}") for name in names if name not in INTERNAL]
    modules += [found for found in map(schema, games.names()) if found is not None]
    described = FileDescriptorSet()
    done: set[str] = set()
    for module in modules:
        _add(described, module.DESCRIPTOR, done)
    data = described.SerializeToString(deterministic=True)
    if out is None:
        sys.stdout.buffer.write(data)
        return
    out.write_bytes(data)
    say(f"{len(described.file)} files in {out}")


def _add(described: FileDescriptorSet, file: FileDescriptor, done: set[str]) -> None:
    """The file after everything it imports."""
    if file.name in done:
        return
    done.add(file.name)
    for needed in file.dependencies:
        _add(described, needed, done)
    file.CopyToProto(described.file.add())
