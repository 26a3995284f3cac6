"""Fish over the public API: spent in the own turn, chosen also in the turn of another, and what is said no to."""

from typing import Any

import pytest

from tests.integration.serving import serving
from tests.integration.table import AUDIENCES, GAME, HOARD, ONLOOKER, SEATS, Table, seated
from tidelog.client import Refused
from tidelog.games.catan_fishermen.v1.catan_fishermen_pb2 import (
    BENEFIT_RESOURCE,
    KeepFish,
    Move,
    Resource,
    SpendFish,
)

NO_FISH = {"one": 0, "two": 0, "three": 0}


def last(table: Table) -> dict[str, Any]:
    return table.told[ONLOOKER][-1].event or {}


def chooses_out_of_turn(table: Table) -> bool:
    """Whether a seat has just seen a token too many that another one's roll has brought."""
    return last(table).get("kind") == "fish_seen" and last(table)["seat"] != table.has_told("dice_rolled")[-1]["seat"]


async def refused(table: Table, seat: int, move: object) -> tuple[str, str | None]:
    """The reason and the rule; nothing is appended."""
    before = (await table.onlooker.match(table.match)).match.version
    with pytest.raises(Refused) as error:
        await table.clients[seat].submit(table.match, seat, move)
    assert (await table.onlooker.match(table.match)).match.version == before
    return error.value.reason, error.value.rule


async def test_a_seat_puts_a_token_back_in_the_turn_of_another(clean_store, tmp_path):
    async with serving(GAME, clean_store, tmp_path) as (_, gateway), seated(gateway.address) as table:
        await table.play_until(lambda: chooses_out_of_turn(table), HOARD)
        chooser, active = last(table)["seat"], table.has_told("dice_rolled")[-1]["seat"]
        assert await table.owing() == [chooser]
        found = await table.situation(chooser)
        backs = [move["back"] for move in found.legal.moves]
        views = {audience: await table.view(audience) for audience in AUDIENCES}
        seen = views[chooser]["players"][chooser]["own"]["seen"]
        assert backs[0] == seen == table.told[chooser][-1].event["fish"]
        assert all(view["players"][chooser]["own"] is None for who, view in views.items() if who != chooser)

        assert await refused(table, chooser, {"kind": "keep_fish", "back": 4}) == ("illegal_move", "CA-37")
        assert await refused(table, chooser, {"kind": "keep_fish", "back": -1}) == ("illegal_move", "CA-37")
        assert (await refused(table, active, {"kind": "keep_fish", "back": seen}))[1] == "CA-37"
        assert (await refused(table, active, {"kind": "end_turn"}))[1] == "CA-8"

        typed = Move(keep_fish=KeepFish(back=backs[-1]))
        kept = await table.clients[chooser].submit(table.match, chooser, typed, decision=found.decision)
        version = kept.receipt.first_version
        await table.heard(kept.receipt.last_version)
        for audience in AUDIENCES:
            told = table.told[audience][version - 1]
            fish = backs[-1] if audience == chooser else None
            assert told.event == {"kind": "fish_returned", "seat": chooser, "fish": fish}


@pytest.mark.parametrize("form", ["spielbox", "lake"])
async def test_fish_are_spent_in_the_own_turn_and_what_cannot_be_paid_is_refused(clean_store, tmp_path, form):
    async with (
        serving(GAME, clean_store, tmp_path) as (_, gateway),
        seated(gateway.address, fishermen=form) as table,
    ):
        await table.play_until(lambda: spendable(table), HOARD)
        (active,) = await table.owing()
        found = await table.situation(active)
        other = (active + 1) % SEATS

        assert await refused(table, active, spending(one=12)) == ("illegal_move", "CA-35")
        assert await refused(table, active, spending(one=-1, three=2)) == ("illegal_move", "CA-35")
        assert await refused(table, active, spending()) == ("illegal_move", "CA-34")
        assert (await refused(table, other, spending(one=1)))[1] in {"CA-8", "CA-35"}
        assert (await refused(table, active, {"kind": "pass_boot", "seat": active}))[1] == "CA-41"

        move = next(move for move in found.legal.moves if move.get("benefit") == "resource")
        assert "spendings" in found.legal.families
        paid = await table.clients[active].submit(table.match, active, move, decision=found.decision)
        await table.heard(paid.receipt.last_version)
        for audience in AUDIENCES:
            spent, taken = table.told[audience][paid.receipt.last_version - 2 : paid.receipt.last_version]
            assert (spent.event["kind"], spent.event["tokens"]) == ("fish_spent", move["tokens"])
            assert taken.event == {"kind": "card_taken", "seat": active, "resource": move["resource"]}
        assert (await table.view(ONLOOKER))["fish_spent"] == move["tokens"]


async def test_fish_of_open_piles_are_spent_without_a_word_of_tokens(clean_store, tmp_path):
    async with (
        serving(GAME, clean_store, tmp_path) as (_, gateway),
        seated(gateway.address, fishermen="no_ships") as table,
    ):
        for form in (as_json, as_message):
            await table.play_until(lambda: spendable(table), HOARD)
            (active,) = await table.owing()
            found = await table.situation(active)
            resource = next(move["resource"] for move in found.legal.moves if move.get("benefit") == "resource")
            fish = (await table.view(ONLOOKER))["players"][active]["fish"]
            assert await refused(table, active, spending(one=4)) == ("illegal_move", "CA-62")
            paid = await table.clients[active].submit(table.match, active, form(resource), decision=found.decision)
            await table.heard(paid.receipt.last_version)
            for audience in AUDIENCES:
                spent, taken = table.told[audience][paid.receipt.last_version - 2 : paid.receipt.last_version]
                assert spent.event["tokens"] == NO_FISH | {"one": 4}
                assert taken.event == {"kind": "card_taken", "seat": active, "resource": resource}
                assert (await table.view(audience))["players"][active]["fish"] == fish - 4


def as_json(resource: str) -> dict[str, Any]:
    return {"kind": "spend_fish", "benefit": "resource", "resource": resource}


def as_message(resource: str) -> Move:
    number = Resource.Value(f"RESOURCE_{resource.upper()}")
    return Move(spend_fish=SpendFish(benefit=BENEFIT_RESOURCE, resource=number))


def spending(**tokens: int) -> dict[str, Any]:
    """Four fish for a card of the bank, paid with these tokens."""
    return {"kind": "spend_fish", "benefit": "resource", "resource": "ore", "tokens": NO_FISH | tokens}


def spendable(table: Table) -> bool:
    """Whether the active seat may spend four fish."""
    situation = next(
        (entry.situation for told in table.told.values() for entry in told[-1:] if has_spending(entry.situation)), None
    )
    return situation is not None


def has_spending(situation: Any) -> bool:
    return bool(situation and situation.legal) and any(
        move.get("benefit") == "resource" for move in situation.legal.moves
    )
