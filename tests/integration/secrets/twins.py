"""Pairs of logs that one audience can't tell apart: in the twin all is different that it must not know."""

import random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engines.core import games
from engines.core.chance import Draw, SeededChance
from services.cli.laws.mutate import changed, fits
from services.cli.laws.record import has_moves, pick, seats_for, stored, variants
from services.eventlog import canonical, deciding, hashes
from services.eventlog.aggregate import Aggregate, created_of
from services.eventlog.commands import Claim, Command, Create, Order, Submit
from services.eventlog.entries import PLATFORM, Body, Entry, Header, Sealer, body_of, header_of
from services.eventlog.lifecycle import Lifecycle
from services.eventlog.match import new_match, note

START = 4_102_444_800_000
"""The year 2100: no store's clock is ahead of it, so that what is appended has the same time everywhere."""

MOST_COMMANDS = 200


class Cut(Struct, frozen=True):
    """A version and an audience: whether something is hidden from it there, and of the next move of another."""

    version: int
    audience: int | None
    hides: bool
    hides_next: bool


class Written(Struct, frozen=True):
    """A log and what a server is to believe of it: `aggregate` stands at its head, `secret` draws from here on."""

    entries: tuple[Entry, ...]
    aggregate: Aggregate
    secret: bytes


class Pair(Struct, frozen=True):
    """`true` and `twin` are the same to `audience`.

    `orders` are those carried out so far, `moves` all of the match, later ones too.
    """

    game: str
    match: str
    audience: int | None
    true: Written
    twin: Written
    orders: tuple[Order, ...]
    moves: tuple[Any, ...]

    @property
    def seats(self) -> int:
        return len(self.true.aggregate.facts.seats)

    def subject(self, seat: int) -> str:
        """Who holds the seat: nobody plays in two matches."""
        return subject(self.match, seat)

    @property
    def same_luck(self) -> bool:
        return self.true.secret == self.twin.secret

    @property
    def hides(self) -> bool:
        return stored(self.true.aggregate.state) != stored(self.twin.aggregate.state)


def subject(match: str, seat: int) -> str:
    return f"{match} {seat}"


class Playing:
    """One match of random moves, decided as an engine host would, under the options that are `turn` to play."""

    def __init__(self, game: str, seed: int, turn: int) -> None:
        self.game, self.match = game, f"MATCH{seed}"
        self.random, self.chance = random.Random(seed), SeededChance(seed)
        self.secret = self.random.randbytes(hashes.SECRET_BYTES)
        self.edition = games.edition(game)
        self.moves: list[Any] = []
        self._orders: list[Order] = []
        kinds = list(variants(game).items())
        self._variant, options = kinds[turn % len(kinds)]
        seats = seats_for(game, self._variant, seed // len(kinds))
        creating = Create(game, options, seats, games.edition_hash(self.edition), own_seat=0, name="P0")
        order = self._order(0, creating)
        self.aggregate, first = deciding.create(order, self.edition, self.match, self.secret, START)
        self.entries = list(first)
        for seat in range(1, seats):
            self._carry_out(seat, Claim(seat, f"P{seat}"))

    def cuts(self) -> list[Cut]:
        """Plays on; after each move a cut for each audience."""
        found: list[Cut] = []
        while len(self.moves) < MOST_COMMANDS:
            state, version = self.aggregate.state, self.aggregate.facts.version
            twins = {one: self.aggregate.engine.determinize(state, one, self.chance) for one in self._audiences()}
            hiding = {audience: stored(twin) != stored(state) for audience, twin in twins.items()}
            seat, goes_on = self._play()
            events = self._events(self.entries[version:])
            for audience in self._audiences():
                hides_next = audience != seat and any(self._hides(event, audience) for event in events)
                found.append(Cut(version, audience, hiding[audience], hides_next))
            if not goes_on:
                break
        return found

    def _audiences(self) -> tuple[int | None, ...]:
        return (*range(len(self.aggregate.facts.seats)), None)

    def _events(self, entries: list[Entry]) -> list[Any]:
        return [body_of(self.aggregate.engine, header_of(entry), entry.body).payload for entry in entries]

    def _hides(self, event: Any, audience: int | None) -> bool:
        return not isinstance(event, Lifecycle) and self.aggregate.engine.redact(event, audience) != event

    def _play(self) -> tuple[int, bool]:
        """A move of somebody who owes one, or may make one: whose, and whether the match goes on after it."""
        engine, state = self.aggregate.engine, self.aggregate.state
        willing = tuple(seat for seat in engine.may_act(state) if has_moves(engine, state, seat))
        seat = self.random.choice(self.aggregate.facts.owing + willing)
        move = self._greedy(seat) if self.random.random() < 0.5 else pick(engine, state, seat, self.random, self.chance)
        self.moves.append(move)
        self._carry_out(seat, Submit(seat, move))
        return seat, not self.aggregate.facts.over

    def _greedy(self, seat: int) -> Any:
        engine, state = self.aggregate.engine, self.aggregate.state
        legal = tuple(engine.legal_moves(state, seat))
        return games.policy(self.game)(engine.view(state, seat), legal, self.chance) or legal[0]

    def _carry_out(self, seat: int, command: Command) -> None:
        order = self._order(seat, command)
        self.entries += deciding.decide(self.aggregate, order, self.secret, START + 1000 * len(self._orders))

    def _order(self, seat: int, command: Command) -> Order:
        order = Order(f"tidelog|{subject(self.match, seat)}", f"request {len(self._orders)}", command)
        self._orders.append(order)
        return order

    def orders(self, entries: tuple[Entry, ...]) -> tuple[Order, ...]:
        """Those that the entries come from."""
        requests = {body_of(self.aggregate.engine, header_of(entry), entry.body).req for entry in entries}
        return tuple(order for order in self._orders if order.key.hex() in requests)


def pair(game: str, seed: int) -> Pair:
    playing, cuts = _played(game, seed)
    cut = playing.random.choice(_kind(cuts, seed))
    version, audience = cut.version, cut.audience
    entries = tuple(playing.entries[:version])
    secret = playing.random.randbytes(hashes.SECRET_BYTES) if seed % 5 > 2 else playing.secret
    true, twin = _folded(playing, entries, audience, secret)
    return Pair(game, playing.match, audience, true, twin, playing.orders(entries), tuple(playing.moves))


def _played(game: str, seed: int) -> tuple[Playing, list[Cut]]:
    """A match and its cuts. Options take turns; every other match is under the next with which something is hidden."""
    for turn in range(seed, seed + len(variants(game))):
        playing = Playing(game, seed, turn)
        cuts = playing.cuts()
        if seed % 2 == 0 or any(cut.hides or cut.hides_next for cut in cuts):
            break
    return playing, cuts


def _kind(cuts: list[Cut], seed: int) -> list[Cut]:
    """Those of the seed's kind, or of the nearest kind that there is."""
    hiding = [cut for cut in cuts if cut.hides] or cuts
    seated = [cut for cut in hiding if cut.audience is not None] or hiding
    before = [cut for cut in cuts if cut.hides_next] or seated
    both = [cut for cut in before if cut.hides and cut.audience is not None] or before
    return (cuts, hiding, seated, before, both)[seed % 5]


def _folded(
    playing: Playing, entries: tuple[Entry, ...], audience: int | None, secret: bytes
) -> tuple[Written, Written]:
    """The log up to a version, and its twin: the same headers over other bodies, and another state at the end."""
    created = created_of(entries[0])
    true = Aggregate.born(playing.match, created, playing.edition)
    engine, facts = true.engine, new_match(playing.match, created)
    sealer = Sealer(playing.random.randbytes(hashes.SECRET_BYTES), 0, hashes.genesis(playing.match))
    twins = []
    for entry in entries:
        header, body = header_of(entry), true.apply(entry)
        other = sealer.seal(header, altered(engine, header, body, audience))
        assert other.header == entry.header
        platform = header.type.startswith(PLATFORM)
        note(facts, header, body_of(engine, header, other.body), facts.owing if platform else engine.to_act(true.state))
        facts.hash = other.hash
        twins.append(other)
    state = engine.determinize(true.state, audience, playing.chance)
    twin = Aggregate(engine, true.catalog, facts, state)
    return Written(entries, true, playing.secret), Written(tuple(twins), twin, secret)


def altered(engine: Any, header: Header, body: Body[Any], audience: int | None) -> Body[Any]:
    """Another body that the audience is told alike: draws, hidden fields and the digests of others' moves changed."""
    assert canonical.encode(body)
    draws = tuple(Draw(draw.label, draw.n, (draw.result + 1) % draw.n) for draw in body.draws)
    own = header.seat in (audience, None)
    digest = body.req_digest if own or body.req_digest is None else body.req_digest[::-1]
    payload = body.payload if isinstance(body.payload, Lifecycle) else _hiding_another(engine, body.payload, audience)
    return Body(draws, payload, body.req, digest)


def _hiding_another(engine: Any, event: Any, audience: int | None) -> Any:
    """The event with another value in every field that the audience is not told."""
    shown = engine.redact(event, audience)
    for name in event.__struct_fields__:
        if getattr(shown, name) == getattr(event, name):
            continue
        others = (replace(event, **{name: value}) for value in changed(getattr(event, name), ()) if value is not None)
        event = next((other for other in others if fits(other) and engine.redact(other, audience) == shown), event)
    return event
