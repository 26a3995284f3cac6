"""Catan over the public API: whoever has a secret is told it, and nobody else before the end."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import pytest

from engines.core import games
from tests.integration.serving import serving
from tests.integration.table import AUDIENCES, BUILD, BUY, GAME, HOARD, ONLOOKER, SEATS, Table, seated
from tidelog.client import Refused

SECRETS = {
    "card_stolen": ("card", "seat", "victim"),
    "development_bought": ("card", "seat"),
    "fish_drawn": ("fish", "seat"),
    "fish_seen": ("fish", "seat"),
    "fish_returned": ("fish", "seat"),
}
"""The events with a secret, its field, and the roles that are told it."""
OWN = ("known", "own")
"""What of a seat in a view depends on the viewer."""
OPTIONS = {"board": "beginner", "victory_points": 5}

Body = dict[str, Any]


class Secrets(NamedTuple):
    """Of all seats: cards by resource, unplayed development cards by kind, and fish tokens by face."""

    hands: tuple[dict[str, int], ...]
    developments: tuple[list[str], ...]
    fish: tuple[dict[str, int], ...]


@pytest.mark.parametrize("fishermen", ["none", "spielbox"])
async def test_each_seat_is_told_its_own_secrets_and_an_onlooker_none(clean_store, tmp_path, fishermen):
    options = OPTIONS | {"fishermen": fishermen}
    async with serving(GAME, clean_store, tmp_path) as (_, gateway), seated(gateway.address, **options) as table:
        await table.play_until(lambda: len(table.has_told("card_stolen")) >= SEATS, HOARD)
        if fishermen != "none":
            await table.play_until(lambda: bool(table.has_told("fish_returned")), HOARD)
        await table.play_until(lambda: buyers(table) == set(range(SEATS)), BUY)
        for audience in AUDIENCES:
            await require_what_is_stored(table, audience)
        with pytest.raises(Refused, match="not_allowed"):
            await table.opened()
        await table.play_until(lambda: bool(table.has_told("game_ended")), BUILD)

        bodies = await table.opened()
        await table.heard(len(bodies))
        require_secrets_are_told_to_those_concerned(table, bodies)
        require_views_show_the_own_hand_alone(table, truth(table, bodies))


def buyers(table: Table) -> set[int]:
    return {event["seat"] for event in table.has_told("development_bought")}


async def require_what_is_stored(table: Table, audience: int | None) -> None:
    """The log as it is read by the audience says what its stream told."""
    stored = [entry async for entry in table.client(audience).log(table.match).read(seat=audience)]
    told = table.told[audience][: len(stored)]
    assert [json.loads(entry.payload) for entry in stored] == [entry.event for entry in told]


def require_secrets_are_told_to_those_concerned(table: Table, bodies: Sequence[Body]) -> None:
    """Every event stands in every stream as in the opened log, but for the cards and fish of others."""
    for audience in AUDIENCES:
        withheld = told = 0
        for entry, body in zip(table.told[audience], bodies, strict=True):
            event = body["payload"]
            secret, *roles = SECRETS.get(entry.type.removeprefix(f"{GAME}."), (None,))
            if secret:
                assert event[secret] is not None
                concerned = audience in {event[role] for role in roles}
                told, withheld = told + concerned, withheld + (not concerned)
                event = event if concerned else {**event, secret: None}
            assert entry.event == event
        assert withheld
        assert bool(told) == (audience is not ONLOOKER)


def truth(table: Table, bodies: Sequence[Body]) -> dict[int, Secrets]:
    """After each version: a fold of the opened log by the game alone."""
    engine = games.engine(GAME)
    created = bodies[0]["payload"]
    options = msgspec.convert(created["options"], engine.Options)
    state = engine.initial(engine.catalog(games.edition(GAME)), options, SEATS, created["rules"])
    found = {}
    for entry, body in zip(table.told[ONLOOKER], bodies, strict=True):
        if entry.type.startswith(f"{GAME}."):
            engine.evolve(state, msgspec.convert(body["payload"], engine.Event))
        views = [msgspec.to_builtins(engine.view(state, seat)) for seat in range(SEATS)]
        own = [view["players"][seat] for seat, view in enumerate(views)]
        found[entry.version] = Secrets(
            tuple(player["known"] for player in own),
            tuple([card["card"] for card in player["own"]["developments"]] for player in own),
            tuple(player["own"]["fish"] for player in own),
        )
    return found


def require_views_show_the_own_hand_alone(table: Table, secrets: dict[int, Secrets]) -> None:
    doubts = 0
    for versions in zip(*table.told.values(), strict=True):
        situations = {seat: entry.situation for seat, entry in zip(AUDIENCES, versions, strict=True)}
        if any(situation is None for situation in situations.values()):
            assert not any(situations.values())
            continue
        found = secrets[versions[0].version]
        views = {seat: situation.view for seat, situation in situations.items()}
        assert all(public(view) == public(views[ONLOOKER]) for view in views.values())
        for viewer, view in views.items():
            assert view["viewer"] == viewer
            doubts += sum(require_hand(player, found, viewer) for player in view["players"])
    assert doubts


def public(view: dict[str, Any]) -> dict[str, Any]:
    """The view without what depends on the viewer."""
    players = [{name: value for name, value in player.items() if name not in OWN} for player in view["players"]]
    return {**view, "viewer": None, "players": players}


def require_hand(player: dict[str, Any], secrets: Secrets, viewer: int | None) -> bool:
    """The hand is told whole to its seat, to others no card that is not there; whether they are in doubt."""
    seat, hand = player["seat"], secrets.hands[player["seat"]]
    assert player["cards"] == sum(hand.values())
    assert player["developments"] == len(secrets.developments[seat])
    assert player["fish"] == sum(secrets.fish[seat].values())
    if seat == viewer:
        assert player["known"] == hand
        assert [card["card"] for card in player["own"]["developments"]] == secrets.developments[seat]
        assert player["own"]["fish"] == secrets.fish[seat]
        return False
    assert player["own"] is None
    assert all(player["known"][kind] <= count for kind, count in hand.items())
    return sum(player["known"].values()) < player["cards"]
