"""Server-sent events, read from a streamed body as a browser reads them."""

import json
from collections.abc import AsyncIterator
from typing import NamedTuple

import httpx


class Event(NamedTuple):
    """One server-sent event."""

    kind: str
    data: dict
    id: str


async def events_of(response: httpx.Response) -> AsyncIterator[Event]:
    """As a browser reads them; comments are dropped."""
    kind, data, name = "message", [], ""
    async for line in response.aiter_lines():
        field, _, text = line.partition(": ")
        match field:
            case "event":
                kind = text
            case "data":
                data.append(text)
            case "id":
                name = text
            case "" if data:
                yield Event(kind, json.loads("\n".join(data)), name)
                kind, data = "message", []
