"""South Seas over the public API: five seats, two of them played by processes of their own, the others by bots."""

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engines.core import games
from tests.integration.platform import environment, tidelog, up
from tests.integration.serving import serving
from tidelog.client import Client, Refused, connect

GAME, SEATS = "south_seas", 5
PLAYER = """
import asyncio, json, random, sys
from tidelog.client import connect

async def main(address, match, seat):
    chance = random.Random(seat)
    async with connect(address, guest=f"Seat {seat}") as client:
        await client.join(match, seat)
        played = 0
        async for turn in client.turns(match, seat):
            await turn.play(chance.choice(turn.moves))
            played += 1
        ranking = (await client.match(match)).match.ranking
        print(json.dumps([played, [[one.seat, one.place, one.points] for one in ranking]]))

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""
"""Someone elsewhere who has the client alone."""
MATCH_S = 120


async def begun(address: str) -> str:
    async with connect(address, guest="Host") as host:
        options = {"first_player": "seat_4"}
        return (await host.create(GAME, SEATS, options=options, bots={0: "greedy", 2: "random", 3: "greedy"})).match_id


def test_two_processes_of_players_and_three_bots_play_a_match_to_its_end(tmp_path):
    with up(tmp_path / "data") as running:
        match = asyncio.run(begun(running.address))
        players = [
            subprocess.Popen(
                [sys.executable, "-c", PLAYER, running.address, match, str(seat)],
                stdout=subprocess.PIPE,
                text=True,
                env=environment(),
            )
            for seat in (1, 4)
        ]
        told = [json.loads(player.communicate(timeout=MATCH_S)[0]) for player in players]
        assert [player.returncode for player in players] == [0, 0]
        export = tmp_path / "match.jsonl"
        tidelog("export", match, "--data", running.data, "--out", export)
    assert all(played > SEATS for played, _ in told)
    assert told[0][1] == told[1][1] == ranking_of(export)
    tidelog("verify", export)


def ranking_of(export: Path) -> list[list[int]]:
    """Seats, places and points of a replay."""
    replayed = json.loads(tidelog("replay", export, "--json").stdout)
    ranking = [[one["seat"], one["place"], one["points"]] for one in replayed["outcome"]["ranking"]]
    assert sorted(seat for seat, _, _ in ranking) == list(range(SEATS))
    return ranking


async def refused(client: Client, match: str, seat: int, move: dict[str, Any]) -> str:
    """The rule that forbids the move."""
    before = (await client.match(match)).match.version
    with pytest.raises(Refused) as no:
        await client.submit(match, seat, move)
    assert (await client.match(match)).match.version == before
    assert no.value.reason in {"illegal_move", "not_your_turn"}
    return no.value.rule


async def test_bad_moves_are_refused_by_their_rules_and_leave_no_trace(clean_store, tmp_path):
    async with serving(GAME, clean_store, tmp_path) as (_, gateway), connect(gateway.address, guest="Ann") as ann:
        receipt = await ann.create(GAME, 2, own_seat=0)
        match = receipt.match_id
        async with connect(gateway.address, guest="Ben") as ben:
            await ben.join(match, 1)
            place = {"kind": "place_tile", "x": 0, "y": 0, "rotation": 0}
            assert await refused(ben, match, 1, place) == "SS-4"
            for wrong in (place, {**place, "x": 2**31 - 1}, {**place, "rotation": -1}, {"kind": "skip"}):
                assert await refused(ann, match, 0, wrong) == "SS-5"
            assert await refused(ann, match, 0, {"kind": "place_islander", "feature": "S0"}) == "SS-7"
            assert await refused(ann, match, 0, {"kind": "choose_ship", "ship": "SHIP01"}) == "SS-20"
            delivery = {"kind": "deliver", "ship": "SHIP01", "payment": {"shell": 1, "banana": 1}}
            assert await refused(ann, match, 0, delivery) == "SS-25"
            legal = (await ann.legal_moves(match, 0)).legal
            await ann.submit(match, 0, legal.moves[0])
            assert await refused(ann, match, 0, {"kind": "place_islander", "feature": "nowhere"}) == "SS-7"
            assert (
                await refused(ann, match, 0, {"kind": "retrieve_islander", "x": 0, "y": 0, "feature": "B0"}) == "SS-10"
            )


@pytest.mark.parametrize("typed", [False, True])
async def test_a_match_is_played_by_what_views_and_legal_moves_say(clean_store, tmp_path, typed):
    async with (
        serving(GAME, clean_store, tmp_path) as (_, gateway),
        connect(gateway.address, guest="Ann", typed=typed) as ann,
        connect(gateway.address, guest="Ben", typed=typed) as ben,
    ):
        match = (await ann.create(GAME, 2, own_seat=0)).match_id
        await ben.join(match, 1)

        async def play(client: Client, seat: int) -> list[tuple[int, int]]:
            chance = random.Random(seat)
            async for turn in client.turns(match, seat):
                await turn.play(chance.choice(turn.moves))
            return [(one.seat, one.points) for one in (await client.match(match)).match.ranking]

        async with asyncio.timeout(MATCH_S):
            rankings = await asyncio.gather(play(ann, 0), play(ben, 1))
        assert rankings[0] == rankings[1]
        log = [entry async for entry in ann.log(match).read(full=True)]
    engine = games.engine(GAME)
    state = engine.initial(engine.catalog(games.edition(GAME)), engine.Options(), 2, engine.rules[-1])
    for entry in log:
        if json.loads(entry.header)["type"].startswith(f"{GAME}."):
            engine.evolve(state, msgspec.convert(json.loads(entry.body)["payload"], engine.Event))
    assert [(one.seat, one.points) for one in engine.outcome(state).ranking] == rankings[0]
