"""Writes gateway/web/openapi.json, the HTTP API as OpenAPI 3.1, from the protos and their comments.

`python protos/openapi.py [FILE]`; a test compares what is committed with what this writes.
"""

import json
import sys
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    MethodDescriptorProto,
)

from reference import SOURCES, Comments, Path_, described

DOCUMENT = SOURCES.parent / "gateway" / "web" / "openapi.json"
EVENTS, DOWNLOAD, UPLOAD = "text/event-stream", "application/x-ndjson", "application/x-ndjson"
OPEN = {"SignInAsGuest"}
"""Needs no token."""

Json = dict[str, Any]
Field = FieldDescriptorProto

ABOUT = (
    "Every rpc of the gateway but Play as `POST /api/v1/<Service>/<Rpc>`. Bodies are proto3 JSON: names in "
    "lowerCamelCase, 64-bit integers as strings, bytes as base64, enums by name; what is absent has its default. "
    "A streaming rpc answers with server-sent events: `data` is one message, `id` the position to go on from with "
    "`Last-Event-ID`; the last event is `end`, or `error` with an Error. A call that is refused changes nothing."
)
PLAIN: dict[int, Json] = {
    Field.TYPE_DOUBLE: {"type": "number"},
    Field.TYPE_BOOL: {"type": "boolean"},
    Field.TYPE_STRING: {"type": "string"},
    Field.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    Field.TYPE_INT32: {"type": "integer", "format": "int32"},
    Field.TYPE_UINT32: {"type": "integer", "format": "int32", "minimum": 0},
    Field.TYPE_INT64: {"type": "string", "pattern": "^-?[0-9]+$"},
    Field.TYPE_UINT64: {"type": "string", "pattern": "^[0-9]+$"},
}
ANY: Json = {
    "type": "object",
    "description": "A message of a game's schema, with its type.",
    "properties": {"@type": {"type": "string"}},
    "required": ["@type"],
}
ERROR: Json = {
    "type": "object",
    "description": "Why a call was not carried out.",
    "properties": {
        "code": {"type": "string", "description": "The name of a google.rpc.Code."},
        "message": {"type": "string", "description": "For people."},
        "refusal": {"$ref": "#/components/schemas/Refusal"},
    },
    "required": ["code", "message"],
    "additionalProperties": False,
}
HEADERS: list[Json] = [
    {
        "name": "Timeout-Ms",
        "in": "header",
        "description": "How long the caller waits; then the call is given up, with DEADLINE_EXCEEDED.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 86_400_000},
    },
]
LAST_EVENT: Json = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The `id` of the last event that the caller has; it counts in place of `after` in the body.",
    "schema": {"type": "string"},
}
IMPORT: list[Json] = [
    {"name": "requestId", "in": "query", "required": True, "schema": {"type": "string"}},
    {"name": "restore", "in": "query", "schema": {"type": "boolean"}},
]


def document() -> Json:
    paths: Json = {}
    schemas: Json = {"Error": ERROR}
    tags = []
    for file in described():
        comments = Comments(file)
        for number, service in enumerate(file.service):
            tags.append({"name": service.name, "description": comments.of((6, number))})
            for place, method in enumerate(service.method):
                if not (method.client_streaming and method.server_streaming):
                    call = _call(service.name, method, comments.of((6, number, 2, place)), file)
                    paths[f"/api/v1/{service.name}/{method.name}"] = {"post": call}
        for number, message in enumerate(file.message_type):
            schemas |= _message(message, comments, (4, number), "")
        for number, enum in enumerate(file.enum_type):
            schemas |= _enum(enum, comments, (5, number), "")
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "Tidelog",
            "version": "v1",
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": tags,
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": dict(sorted(_needed(paths, schemas).items())),
        },
    }


def _call(service: str, method: MethodDescriptorProto, comment: str, file: FileDescriptorProto) -> Json:
    summary, _, rest = comment.partition(". ")
    takes_after = any(
        field.name == "after"
        for message in file.message_type
        if message.name == _name(method.input_type)
        for field in message.field
    )
    call: Json = {
        "tags": [service],
        "operationId": f"{service}_{method.name}",
        "summary": summary.rstrip("."),
        **({"description": rest} if rest else {}),
        "parameters": [
            *HEADERS,
            *(IMPORT if method.client_streaming else ()),
            *((LAST_EVENT,) if method.server_streaming and takes_after else ()),
        ],
        "requestBody": {"required": True, "content": _asked(method)},
        "responses": {
            "200": {"description": "The answer.", "content": _answered(method)},
            "default": {"description": "Refused.", "content": {"application/json": {"schema": _ref("Error")}}},
        },
    }
    if method.name in OPEN:
        call["security"] = []
    return call


def _asked(method: MethodDescriptorProto) -> Json:
    if method.client_streaming:
        return {UPLOAD: {"schema": {"type": "string", "description": "An export, as it is."}}}
    return {"application/json": {"schema": _ref(_name(method.input_type))}}


def _answered(method: MethodDescriptorProto) -> Json:
    if method.name == "ExportMatch":
        return {DOWNLOAD: {"schema": {"type": "string", "description": "The file."}}}
    if method.server_streaming:
        name = _name(method.output_type)
        text = {"type": "string", "description": f"Events, each with one {name}."}
        return {EVENTS: {"schema": text, "x-data": _ref(name)}}
    return {"application/json": {"schema": _ref(_name(method.output_type))}}


def _message(message: DescriptorProto, comments: Comments, path: Path_, within: str) -> Json:
    if message.options.map_entry:
        return {}
    name = f"{within}{message.name}"
    maps = {nested.name: nested for nested in message.nested_type if nested.options.map_entry}
    fields = {
        field.json_name: _described(_field(field, maps), comments.of((*path, 2, number)))
        for number, field in enumerate(message.field)
    }
    found: Json = {
        name: {
            "type": "object",
            "description": comments.of(path),
            "properties": fields,
            "additionalProperties": False,
        }
    }
    for number, nested in enumerate(message.nested_type):
        found |= _message(nested, comments, (*path, 3, number), f"{name}.")
    for number, enum in enumerate(message.enum_type):
        found |= _enum(enum, comments, (*path, 4, number), f"{name}.")
    return found


def _enum(enum: EnumDescriptorProto, comments: Comments, path: Path_, within: str) -> Json:
    lines = [f"{value.name}: {comments.of((*path, 2, number))}" for number, value in enumerate(enum.value)]
    text = "\n\n".join([comments.of(path), *lines])
    return {
        f"{within}{enum.name}": {"type": "string", "description": text, "enum": [value.name for value in enum.value]}
    }


def _field(field: Field, maps: dict[str, DescriptorProto]) -> Json:
    short = field.type_name.rpartition(".")[2]
    if short in maps:
        return {"type": "object", "additionalProperties": _field(maps[short].field[1], {})}
    if field.type_name == ".google.protobuf.Any":
        kind = ANY
    else:
        kind = _ref(_name(field.type_name)) if field.type_name else PLAIN[field.type]
    return {"type": "array", "items": kind} if field.label == Field.LABEL_REPEATED else dict(kind)


def _described(schema: Json, comment: str) -> Json:
    return {**schema, "description": comment} if comment else schema


def _needed(paths: Json, schemas: Json) -> Json:
    """What the paths speak of, and what that speaks of."""
    found: Json = {}
    wanted = _names(paths)
    while wanted:
        found |= {name: schemas[name] for name in wanted}
        wanted = _names(found) - found.keys()
    return found


def _names(part: Any) -> set[str]:
    if isinstance(part, dict):
        own = {part["$ref"].rpartition("/")[2]} if isinstance(part.get("$ref"), str) else set()
        return own.union(*map(_names, part.values()))
    return set().union(*map(_names, part)) if isinstance(part, list) else set()


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _name(full: str) -> str:
    return full.removeprefix(".tidelog.v1.")


def text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENT).write_text(text())
