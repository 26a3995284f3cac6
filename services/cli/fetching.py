"""Exports of matches on a running platform."""

from services.cli.connection import Target, connected


async def fetched(
    match: str, target: Target, *, seat: int | None = None, full: bool = False, with_secrets: bool = False
) -> bytes:
    """The whole file. Raises the client's Refused."""
    async with connected(target) as client:
        chunks = client.log(match).export(seat=seat, full=full, with_secrets=with_secrets)
        return b"".join([chunk async for chunk in chunks])
