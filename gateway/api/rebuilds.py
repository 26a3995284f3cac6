"""The rpc by which operators have a read model built anew."""

from gateway.api.auditing import operating
from gateway.callers.call import Call
from gateway.parts import Parts
from tidelog.v1.admin_pb2 import RebuildReadModelRequest, RebuildReadModelResponse


class Rebuilds:
    """Of this gateway's own file; the others have theirs."""

    parts: Parts

    @operating
    async def RebuildReadModel(  # noqa: N802
        self, request: RebuildReadModelRequest, _call: Call
    ) -> RebuildReadModelResponse:
        await self.parts.follower.aligned()
        found = await self.parts.rebuilder.rebuild(request.name)
        return RebuildReadModelResponse(matches=found.matches, rows=found.rows, differing_rows=found.differing)
