"""Writes docs/api.md from the comments of the platform's protos: `python protos/reference.py [FILE]`."""

import re
import sys
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)
from grpc_tools import protoc

SOURCES = Path(__file__).resolve().parent
PAGE = SOURCES.parent / "docs" / "api.md"
INTERNAL = {"engine.proto"}
"""Spoken between gateways and engines alone."""

HEAD = (
    "# API reference\n\n"
    "Written from the comments of `protos/tidelog/v1` by `make protos`; the games' schemas are beside them. Every call "
    "takes `authorization: Bearer <token>` as metadata, but for SignInAsGuest. How streams, retries and refusals "
    "are meant is in [clients.md](clients.md).\n"
)

Path_ = tuple[int, ...]


class Comments:
    """What is said of each part of a file."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self._found = {tuple(place.path): place.leading_comments for place in file.source_code_info.location}

    def of(self, path: Path_) -> str:
        """In one paragraph a line."""
        paragraphs = re.split(r"\n\s*\n", self._found.get(path, "").strip())
        return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def described() -> list[FileDescriptorProto]:
    """The platform's public files, with their comments, in a fixed order."""
    names = sorted(f"tidelog/v1/{path.name}" for path in (SOURCES / "tidelog" / "v1").glob("*.proto"))
    include = files("grpc_tools") / "_proto"
    with tempfile.NamedTemporaryFile() as out:
        words = [f"-I{SOURCES}", f"-I{include}", "--include_source_info", f"--descriptor_set_out={out.name}"]
        if protoc.main(["protoc", *words, *names]):
            raise RuntimeError("protoc refused a proto; its own message stands above")
        found = FileDescriptorSet.FromString(out.read())
    return [file for file in found.file if Path(file.name).name not in INTERNAL]


def page() -> str:
    services: list[str] = []
    messages: dict[str, str] = {}
    for file in described():
        comments = Comments(file)
        for number, service in enumerate(file.service):
            services += _service(service, comments, (6, number))
        for number, message in enumerate(file.message_type):
            messages |= _message(message, comments, (4, number), "")
        for number, enum in enumerate(file.enum_type):
            messages |= _enum(enum, comments, (5, number), "")
    types = [messages[name] for name in sorted(messages)]
    return "\n".join([HEAD, "# Services\n", *services, "# Messages and enums\n", *types])


def _service(service: ServiceDescriptorProto, comments: Comments, path: Path_) -> Iterator[str]:
    yield f"## {service.name}\n\n{comments.of(path)}\n"
    for number, method in enumerate(service.method):
        yield f"### {service.name}/{method.name}\n\n{_signature(method)}\n\n{comments.of((*path, 2, number))}\n"


def _signature(method: MethodDescriptorProto) -> str:
    asked, answered = _link(method.input_type), _link(method.output_type)
    asked = f"stream of {asked}" if method.client_streaming else asked
    return f"{asked} → {f'stream of {answered}' if method.server_streaming else answered}"


def _message(message: DescriptorProto, comments: Comments, path: Path_, within: str) -> dict[str, str]:
    if message.options.map_entry:
        return {}
    name = f"{within}{message.name}"
    maps = {nested.name: nested for nested in message.nested_type if nested.options.map_entry}
    rows = [
        f"| `{field.name}` | {_type(field, maps)} | {_cell(_oneof(field, message) + comments.of((*path, 2, number)))} |"
        for number, field in enumerate(message.field)
    ]
    table = "\n| field | type | |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n" if rows else ""
    found = {name: f"## {name}\n\n{comments.of(path)}\n{table}"}
    for number, nested in enumerate(message.nested_type):
        found |= _message(nested, comments, (*path, 3, number), f"{name}.")
    for number, enum in enumerate(message.enum_type):
        found |= _enum(enum, comments, (*path, 4, number), f"{name}.")
    return found


def _enum(enum: EnumDescriptorProto, comments: Comments, path: Path_, within: str) -> dict[str, str]:
    rows = [
        f"| `{value.name}` | {value.number} | {_cell(comments.of((*path, 2, number)))} |"
        for number, value in enumerate(enum.value)
    ]
    name = f"{within}{enum.name}"
    table = "| value | number | |\n| --- | --- | --- |\n" + "\n".join(rows)
    return {name: f"## {name}\n\n{comments.of(path)}\n\n{table}\n"}


def _type(field: FieldDescriptorProto, maps: dict[str, DescriptorProto]) -> str:
    short = field.type_name.rpartition(".")[2]
    if short in maps:
        key, value = maps[short].field
        return f"map of {_type(key, {})} to {_type(value, {})}"
    plain = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    kind = _link(field.type_name) if field.type_name else plain
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"list of {kind}"
    return f"{kind}, optional" if field.proto3_optional else kind


def _oneof(field: FieldDescriptorProto, message: DescriptorProto) -> str:
    if not field.HasField("oneof_index") or field.proto3_optional:
        return ""
    return f"*one of `{message.oneof_decl[field.oneof_index].name}`.* "


def _link(full: str) -> str:
    name = full.removeprefix(".tidelog.v1.")
    if name.startswith("."):
        return name.removeprefix(".")
    return f"[{name}](#{name.lower().replace('.', '')})"


def _cell(text: str) -> str:
    return text.replace("\n\n", "<br>").replace("|", "\\|")


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE).write_text(page())
