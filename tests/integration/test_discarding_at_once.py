"""Seats that owe a move at the same time, each with a client of its own: none is in another's way."""

import asyncio

import pytest

from tests.integration.serving import serving
from tests.integration.table import GAME, HOARD, SEATS, Table, seated
from tidelog.client import Refused


def several_discard(table: Table) -> bool:
    rolled = table.has_told("dice_rolled")
    return bool(rolled) and len(rolled[-1]["discards"]) > 1 and not table.told[None][-1].type.endswith("_discarded")


@pytest.mark.parametrize("streamed", [False, True], ids=["unary", "play"])
async def test_decisions_read_before_the_first_discard_stand_for_all(clean_store, tmp_path, streamed):
    async with serving(GAME, clean_store, tmp_path) as (_, gateway), seated(gateway.address) as table:
        await table.play_until(lambda: several_discard(table), HOARD)
        owing = await table.owing()
        found = await asyncio.gather(*map(table.situation, owing))
        rolled = table.told[None][-1].version

        async def discard(seat: int, decision: int, move: object) -> int:
            client = table.clients[seat]
            async with client.play() as play:
                submit = play.submit if streamed else client.submit
                return (await submit(table.match, seat, move, decision=decision)).receipt.last_version

        assert {situation.decision for situation in found} == {rolled}
        versions = await asyncio.gather(
            *(discard(seat, each.decision, each.legal.moves[-1]) for seat, each in zip(owing, found, strict=True))
        )
        assert sorted(versions) == [rolled + 1 + number for number in range(len(owing))]
        await table.heard(max(versions))
        for told in table.told.values():
            assert {entry.seat: entry.type for entry in told[rolled:]} == dict.fromkeys(
                owing, f"{GAME}.cards_discarded"
            )


async def test_a_discard_of_too_few_or_of_negative_numbers_is_refused_and_the_duty_stays(clean_store, tmp_path):
    async with serving(GAME, clean_store, tmp_path) as (_, gateway), seated(gateway.address) as table:
        await table.play_until(lambda: several_discard(table), HOARD)
        owing = await table.owing()
        due = (await table.view(owing[0]))["players"][owing[0]]["due"]
        for cards in ({"ore": due - 1}, {"ore": due + 1, "wool": -1}, {}):
            with pytest.raises(Refused) as refused:
                await table.clients[owing[0]].submit(table.match, owing[0], {"kind": "discard", "cards": cards})
            assert (refused.value.reason, refused.value.rule) == ("illegal_move", "CA-11")
        assert await table.owing() == owing
        for seat in set(range(SEATS)) - set(owing):
            with pytest.raises(Refused) as refused:
                await table.clients[seat].submit(table.match, seat, {"kind": "discard", "cards": {"ore": 1}})
            assert (refused.value.reason, refused.value.rule) == ("not_your_turn", "CA-11")
