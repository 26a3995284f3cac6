"""IdentityService."""

import time

from gateway.api.calls import Context, check_request, refusing
from gateway.buckets import Buckets, address_of
from gateway.identity import mint, new_guest, player_of
from gateway.limits import MAX_NAME
from gateway.parts import Parts
from services.common.refusals import Reason, Refused
from tidelog.v1.identity_pb2 import SignInAsGuestRequest, SignInAsGuestResponse
from tidelog.v1.identity_pb2_grpc import IdentityServiceServicer


class IdentityServicer(IdentityServiceServicer):
    """The only call that needs no token."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._buckets = Buckets(parts.settings.guest_burst, parts.settings.guests_per_second)

    async def SignInAsGuest(  # noqa: N802 - the rpc's name
        self, request: SignInAsGuestRequest, context: Context
    ) -> SignInAsGuestResponse:
        return await refusing(context, self._signed_in(request, context.peer()), "SignInAsGuest")

    async def _signed_in(self, request: SignInAsGuestRequest, peer: str) -> SignInAsGuestResponse:
        check_request(request)
        if len(request.name) > MAX_NAME:
            raise Refused(Reason.TOO_LARGE, f"a name has at most {MAX_NAME} characters - at `$.name`")
        self._buckets.take(address_of(peer))
        subject, lifetime_s = new_guest(), self.parts.settings.guest_lifetime_s
        token = mint(self.parts.guest_key, subject, name=request.name, lifetime_s=lifetime_s)
        expires_at_ms = int(time.time() + lifetime_s) * 1000
        return SignInAsGuestResponse(token=token, player=player_of(subject), expires_at_ms=expires_at_ms)
