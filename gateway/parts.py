"""What a gateway is made of, as its servicers see it."""

from dataclasses import dataclass

from gateway.callers.identity import Identity
from gateway.feeds.feed import Follower
from gateway.feeds.positions import Positions
from gateway.lobby.invitations import Invitations
from gateway.lobby.quotas import Quotas
from gateway.matches.live import LiveMatches
from gateway.matches.past import PastMatches
from gateway.matches.shown import Shown
from gateway.projections.database import Database
from gateway.projections.matches import MatchProjection
from gateway.projections.rebuilding import Rebuilder
from gateway.projections.tokens import PageTokens
from gateway.routing.engines import Engines
from gateway.routing.games import GameFinder
from gateway.settings import GatewaySettings
from services.eventlog.loading import Loader
from services.eventlog.port import EventLog


@dataclass(frozen=True, slots=True)
class Parts:
    """`store_key` makes match ids; `guest_key` signs guests' tokens."""

    settings: GatewaySettings
    log: EventLog
    loader: Loader
    identity: Identity
    engines: Engines
    games: GameFinder
    live: LiveMatches
    past: PastMatches
    shown: Shown
    matches: MatchProjection
    database: Database
    rebuilder: Rebuilder
    follower: Follower
    store_key: bytes
    guest_key: bytes
    pages: PageTokens
    invitations: Invitations
    quotas: Quotas
    positions: Positions
