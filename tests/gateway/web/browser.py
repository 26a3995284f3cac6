"""A client of the HTTP API as a browser's script is one: JSON, and events read from a streamed body."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

import httpx

from gateway.main import Gateway
from tests.gateway.web.events import Event, events_of


class Browser:
    """Every call carries the token, if there is one."""

    def __init__(self, gateway: Gateway, token: str = "") -> None:
        self._open(f"http://{gateway.http_address}", token)

    @classmethod
    def at(cls, place: str, token: str = "") -> Self:
        found = cls.__new__(cls)
        found._open(place, token)
        return found

    def _open(self, place: str, token: str) -> None:
        self.place = place
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.AsyncClient(base_url=self.place, headers=headers, timeout=30, verify=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def call(self, rpc: str, **fields: object) -> httpx.Response:
        """The answer; `rpc` is Service/Rpc."""
        return await self.http.post(f"/api/v1/{rpc}", json=fields)

    async def events(self, rpc: str, headers: dict[str, str] | None = None, **fields: object) -> AsyncIterator[Event]:
        """What a stream tells, until it ends."""
        async with self.following(rpc, headers, **fields) as response:
            async for event in events_of(response):
                yield event

    @asynccontextmanager
    async def following(self, rpc: str, headers: dict[str, str] | None = None, **fields: object):
        async with self.http.stream("POST", f"/api/v1/{rpc}", json=fields, headers=headers) as response:
            if response.status_code != 200:
                await response.aread()
            assert response.status_code == 200, response.text
            yield response
