"""Any entry of a log in words: the platform's own events by the catalogues in messages/, a game's by its own."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from engines.core import games
from engines.core.engine import AnyEngine
from engines.core.outcome import Outcome
from engines.core.words import Sentence, Special, Teller, Telling
from services.eventlog.entries import PLATFORM
from services.eventlog.lifecycle import Aborted, Created, Lifecycle, SeatClaimed, SeatReleased

FOLDER = Path(__file__).parent / "messages"
FALLBACK = "en"
"""What stands in no catalogue of another language is told in this one."""

_encode = msgspec.json.Encoder(order="sorted").encode


def _created(_: Telling, event: Created) -> Sentence:
    return Sentence("created", {"game": Sentence("title", text=event.game), "seats": event.seats})


def _seat_claimed(_: Telling, event: SeatClaimed) -> Sentence:
    key = ["seat_claimed", *(["name"] if event.name else []), *(["bot"] if event.bot else [])]
    return Sentence(".".join(key), {"number": event.seat, "name": event.name})


def _seat_released(_: Telling, event: SeatReleased) -> Sentence:
    return Sentence("seat_released", {"number": event.seat})


def _aborted(telling: Telling, event: Aborted) -> Sentence:
    told = telling.phrase(event)
    if not event.why:
        return Sentence("aborted", {"reason": told.args["reason"]})
    return Sentence("aborted.why", told.args)


_tell = Teller(
    prefix=PLATFORM,
    untold=("by", "scores", "tie_breaks"),
    special={Aborted: _aborted, Created: _created, SeatClaimed: _seat_claimed, SeatReleased: _seat_released},
)


def _named(of: str) -> Special:
    return lambda _, value: Sentence(f"{of}.{value}", text=value)


_standing = Telling(Teller(things={"category": _named("category"), "tie_breaks": _named("tie_break")}), None)


def ranked(outcome: Outcome) -> tuple[Sentence, ...]:
    """Lines that tell how a match ended: a heading, each seat by its number with its scores, and what broke ties."""
    standings = (
        _standing.phrase(standing, seat=Sentence("place", {"number": standing.seat})) for standing in outcome.ranking
    )
    ties = _standing.told("tie_breaks", outcome.tie_breaks)
    return (Sentence("ranking"), *standings, *([Sentence("ties", {"tie_breaks": ties})] if ties else []))


def told_later(unit: str, count: int) -> Sentence:
    """That spectators are kept behind: `unit` is `events`, `seconds` or `turn`."""
    return Sentence("told_later", {"delay": Sentence(f"delay.{unit}", {} if unit == "turn" else {"count": count})})


def sentence(engine: AnyEngine, catalog: object, event: Any) -> Sentence:
    """The event, as its audience is told it, in words; of a game without words by its kind and fields."""
    if isinstance(event, Lifecycle):
        return _tell(None, event)
    if engine.tell is not None:
        return engine.tell(catalog, event)
    kind = f"{engine.name}.{event.__struct_config__.tag}"
    return Sentence(f"{PLATFORM}untold", {"kind": kind, "fields": _encode(event).decode()})


@cache
def languages() -> tuple[str, ...]:
    """The languages that the platform's own events are told in."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def languages_of(game: str) -> tuple[str, ...]:
    """The languages that the log of a match of the game is told in, as far as they go. Raises UnknownGame."""
    return tuple(sorted({*languages(), *games.languages(game)}))


@cache
def catalogue(game: str, language: str) -> dict[str, str]:
    """All texts for the log of a match of the game, in one language. Raises UnknownGame."""
    own = (FOLDER / f"{language}.json").read_bytes() if language in languages() else b"{}"
    return games.messages(game, language) | msgspec.json.decode(own, type=dict[str, str])
