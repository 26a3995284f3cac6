"""Checks a log whose secret is known: its fold, its order in time, and every draw drawn again."""

from collections.abc import Iterable
from typing import Any

from engines.core.chance import MatchChance
from engines.core.outcome import Outcome
from services.eventlog import canonical, hashes
from services.eventlog.aggregate import Aggregate, created_of
from services.eventlog.entries import PLATFORM, Body, BrokenLog, Entry, Header, header_of
from services.eventlog.lifecycle import Created, Finished, SecretRevealed
from services.eventlog.ranking import forfeited, ranked
from services.eventlog.terms import AbsencePolicy
from services.eventlog.timing import Moment


def check_log(entries: Iterable[Entry], edition: bytes, match: str, secret: bytes) -> Aggregate:
    """The fold of a whole log whose chain and leaves the caller has checked, with every draw drawn again.

    Raises BrokenLog at the first version that is wrong.
    """
    aggregate: Aggregate | None = None
    chance: MatchChance | None = None
    at = 0
    for entry in entries:
        header = header_of(entry)
        if aggregate is None:
            aggregate = _begun(match, created_of(entry), edition)
        if header.at < at:
            raise BrokenLog(entry.version, "its time is before the entry before it")
        at = header.at
        before, over, revealed = aggregate.facts.version, aggregate.facts.over, aggregate.facts.secret is not None
        moment = Moment(aggregate.facts, at)
        body = aggregate.apply(entry)
        reveals, creates = isinstance(body.payload, SecretRevealed), isinstance(body.payload, Created)
        if revealed or reveals != over or creates != (entry.version == 1):
            raise BrokenLog(entry.version, "match.created stands first; the reveal last, next after the end")
        _check_form(aggregate, header, body)
        if body.req is not None:
            chance = MatchChance(hashes.draw_key(secret), before)
        _check_draws(entry.version, body, chance)
        moment.check(header, body)
        _check_end(aggregate, entry.version, body.payload, secret)
    assert aggregate is not None
    return aggregate


def _begun(match: str, created: Created, edition: bytes) -> Aggregate:
    aggregate = Aggregate.recorded(match, created, edition)
    newest = aggregate.engine.rules[-1]
    if not 1 <= created.rules <= newest:
        raise BrokenLog(1, f"it is played by the rules numbered {created.rules}; this code knows 1 to {newest}")
    return aggregate


def _check_form(aggregate: Aggregate, header: Header, body: Body[Any]) -> None:
    if header.seat is not None and not 0 <= header.seat < len(aggregate.facts.seats):
        raise BrokenLog(header.version, f"its seat {header.seat} is not in the match")
    request = (body.req, body.req_digest)
    if request != (None, None) and not (_is_hex(body.req, 16) and _is_hex(body.req_digest, 8)):
        raise BrokenLog(header.version, "its request is not 16 bytes and a digest of 8")
    prefix = PLATFORM if header.type.startswith(PLATFORM) else f"{aggregate.facts.created.game}."
    if header.type != prefix + body.payload.__struct_config__.tag:
        raise BrokenLog(header.version, f"its type {header.type!r} is not its payload's")


def _is_hex(text: str | None, size: int) -> bool:
    return text is not None and len(text) == 2 * size and not text.strip("0123456789abcdef")


def _check_draws(version: int, body: Body[Any], chance: MatchChance | None) -> None:
    if chance is None:
        raise BrokenLog(version, "a log begins with a command")
    for draw in body.draws:
        if not 0 < draw.n <= canonical.MAX_INTEGER or chance.draw(draw.label, draw.n) != draw.result:
            raise BrokenLog(version, f"the secret draws another result for {draw.label!r}")


def _check_end(aggregate: Aggregate, version: int, event: object, secret: bytes) -> None:
    if isinstance(event, Finished) and event.outcome != _outcome(aggregate):
        raise BrokenLog(version, "the game's outcome is another")
    if isinstance(event, SecretRevealed) and event.secret != secret.hex():
        raise BrokenLog(version, "it reveals another secret")


def _outcome(aggregate: Aggregate) -> Outcome | None:
    """How the match ends as it stands: by the game, or because one seat alone is not left."""
    facts, outcome = aggregate.facts, aggregate.engine.outcome(aggregate.state)
    if outcome is not None:
        return ranked(outcome, facts.left)
    seats = len(facts.seats)
    alone = seats == 2 or facts.terms.absence is AbsencePolicy.FORFEIT
    return forfeited(seats, facts.left) if alone and len(facts.left) == seats - 1 else None
