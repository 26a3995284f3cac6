"""Clients who still send when they are answered: what they send is read on for a while.

A connection that is closed with bytes unread is reset, and whoever is reset may never see the answer.
"""

import asyncio

from starlette.types import Message, Receive, Scope, Send

from gateway.web.protocol import ABORT

UNREAD_S = 5.0
"""How long; after that the connection is broken off."""


class Unread:
    """One request, received and answered through `receive` and `send`."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._whole = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._whole = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """The end of an answer is held back until the request has come, or is given up."""
        if message["type"] == "http.response.body" and not message.get("more_body", False) and not self._whole:
            await self._send({**message, "more_body": True})
            if not await self._dropped():
                self._scope["state"][ABORT]()
            message = {**message, "body": b""}
        await self._send(message)

    async def _dropped(self) -> bool:
        """Whether the rest came, or the client left, in time."""
        try:
            async with asyncio.timeout(UNREAD_S):
                while not self._whole:
                    await self.receive()
        except TimeoutError:
            return False
        return True
