"""`tidelog protos`: the API's schema for clients in any language."""

import sys
from importlib import import_module
from pathlib import Path

from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from engines.core import games
from services.cli.output import say
from services.common.codec.games import schema

PLATFORM = ("games", "identity", "lifecycle", "matches", "outcome", "payload", "refusal", "updates")


def protos(*, out: Path | None = None) -> None:
    """Write a descriptor set (google.protobuf.FileDescriptorSet) of the API and of every installed game.

    Parameters
    ----------
    out
        file to write; standard output without it
    """
    modules = [import_module(f"tidelog.v1.{name}_pb2") for name in PLATFORM]
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
