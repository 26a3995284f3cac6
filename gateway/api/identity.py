"""IdentityService."""

import time

from gateway.api.calls import Context, check_request, refusing
from gateway.callers.buckets import Buckets, address_of
from gateway.callers.identity import mint, new_guest, player_of
from gateway.limits import MAX_NAME
from gateway.parts import Parts
from services.common.refusals import Reason, Refused
from tidelog.v1.identity_pb2 import (
    RenewTokenRequest,
    RenewTokenResponse,
    SignInAsGuestRequest,
    SignInAsGuestResponse,
)
from tidelog.v1.identity_pb2_grpc import IdentityServiceServicer


class IdentityServicer(IdentityServiceServicer):
    """The only call that needs no token, and the one that takes an expired one."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._buckets = Buckets(parts.settings.guest_burst, parts.settings.guests_per_second)

    async def SignInAsGuest(  # noqa: N802 - the rpc's name
        self, request: SignInAsGuestRequest, context: Context
    ) -> SignInAsGuestResponse:
        return await refusing(context, self._signed_in(request, context.peer()), "SignInAsGuest")

    async def _signed_in(self, request: SignInAsGuestRequest, peer: str) -> SignInAsGuestResponse:
        check_request(request)
        _check_name(request.name)
        self._buckets.take(address_of(peer))
        subject = new_guest()
        token, expires_at_ms = self._minted(subject, request.name)
        return SignInAsGuestResponse(token=token, player=player_of(subject), expires_at_ms=expires_at_ms)

    async def RenewToken(  # noqa: N802 - the rpc's name
        self, request: RenewTokenRequest, context: Context
    ) -> RenewTokenResponse:
        return await refusing(context, self._renewed(request, context), "RenewToken")

    async def _renewed(self, request: RenewTokenRequest, context: Context) -> RenewTokenResponse:
        caller = await self.parts.identity.guest(context.invocation_metadata(), self.parts.settings.guest_renewal_s)
        check_request(request)
        _check_name(request.name)
        name = request.name if request.HasField("name") else caller.name
        token, expires_at_ms = self._minted(caller.player.removeprefix(player_of("")), name)
        return RenewTokenResponse(token=token, player=caller.player, expires_at_ms=expires_at_ms)

    def _minted(self, subject: str, name: str) -> tuple[str, int]:
        """A token, and when it ends in milliseconds since 1970."""
        lifetime_s = self.parts.settings.guest_lifetime_s
        token = mint(self.parts.guest_key, subject, name=name, lifetime_s=lifetime_s)
        return token, int(time.time() + lifetime_s) * 1000


def _check_name(name: str) -> None:
    if len(name) > MAX_NAME:
        raise Refused(Reason.TOO_LARGE, f"a name has at most {MAX_NAME} characters - at `$.name`")
