"""Black Fleet over the public API: a whole match, whose secrets are told to their seats alone until its end."""

import asyncio
import json
from contextlib import AsyncExitStack

import msgspec
import pytest

from engines.core import games
from engines.core.chance import SeededChance
from services.cli.main import run
from tests.integration.serving import serving
from tidelog.client import LEGAL, VIEW, Refused, connect
from tidelog.client.answers import Entry

GAME = "black_fleet"
SEATS = 3
ONLOOKER = None
OPTIONS = {"first_player": "seat_1", "victory_card": [10, 20, 10]}
SECRETS = {"developments_dealt": "dealt", "movement_drawn": "card", "fortune_drawn": "card"}
"""The events that hide something, and the field that does."""


class Table:
    """A match with a client a seat and one of an onlooker; `told` is what each stream said."""

    def __init__(self, match, clients):
        self.match, self.clients = match, clients
        self.told = {audience: [] for audience in (*range(SEATS), ONLOOKER)}

    def client(self, audience):
        return self.clients[SEATS if audience is ONLOOKER else audience]

    async def listen(self, audience):
        async for update in self.client(audience).watch(self.match, seat=audience, include=(VIEW, LEGAL)):
            if isinstance(update, Entry):
                self.told[audience].append(update)

    async def play(self):
        """Each seat has the greedy player look at the view that it was told."""
        engine, choose, chance = games.engine(GAME), games.policy(GAME), SeededChance(1)
        owing = [turn.seat for turn in (await self.clients[SEATS].match(self.match)).turns]
        while owing:
            (seat,) = owing
            found = await self.clients[seat].legal_moves(self.match, seat)
            view = msgspec.convert((await self.clients[seat].view(self.match, seat=seat)).view, engine.View)
            legal = msgspec.convert(found.legal.moves, tuple[engine.Move, ...])
            move = msgspec.to_builtins(choose(view, legal, chance))
            await self.clients[seat].submit(self.match, seat, move, decision=found.decision)
            owing = [turn.seat for turn in (await self.clients[SEATS].match(self.match)).turns]


@pytest.fixture
async def played(clean_store, tmp_path):
    """A table after its match."""
    async with serving(GAME, clean_store, tmp_path) as (_, gateway), AsyncExitStack() as open_:
        clients = [await open_.enter_async_context(connect(gateway.address)) for _ in range(SEATS + 1)]
        for client in clients:
            await client.sign_in_as_guest()
        receipt = await clients[0].create(GAME, SEATS, options=OPTIONS, own_seat=0)
        for seat in range(1, SEATS):
            await clients[seat].join(receipt.match_id, seat)
        table = Table(receipt.match_id, clients)
        async with asyncio.timeout(300), asyncio.TaskGroup() as listening:
            for audience in table.told:
                listening.create_task(table.listen(audience))
            await refuses_what_the_rules_do(table)
            await table.play()
        yield table


async def refuses_what_the_rules_do(table):
    """Seat 1 begins, and places its merchant."""
    for seat, move, rule in [
        (0, {"kind": "deploy_merchant", "space": "s0103", "port": "la_barbaria"}, "BF-8"),
        (1, {"kind": "deploy_merchant", "space": "s0104", "port": "la_barbaria"}, "BF-9"),
        (1, {"kind": "end_turn"}, "BF-9"),
    ]:
        with pytest.raises(Refused) as refused:
            await table.clients[seat].submit(table.match, seat, move)
        assert refused.value.rule == rule


async def test_a_match_is_played_to_its_end_and_its_export_checks(played, tmp_path, capsys):
    table = played
    details = await table.clients[SEATS].match(table.match)
    assert details.turns == ()
    export = tmp_path / "match.jsonl"
    export.write_bytes(b"".join([chunk async for chunk in table.clients[0].log(table.match).export(full=True)]))
    assert await asyncio.to_thread(run, ["verify", str(export)]) == 0, capsys.readouterr()
    secrets_are_told_to_their_seats_alone(table, [json.loads(line) async for line in bodies(table)])


async def bodies(table):
    async for entry in table.clients[SEATS].log(table.match).read(full=True):
        yield entry.body


def secrets_are_told_to_their_seats_alone(table, opened):
    assert {len(entries) for entries in table.told.values()} == {len(opened)}
    for audience, entries in table.told.items():
        hidden = shown = 0
        for entry, body in zip(entries, opened, strict=True):
            event, secret = body["payload"], SECRETS.get(entry.type.removeprefix(f"{GAME}."))
            if secret:
                assert event[secret] is not None
                own = event["seat"] == audience
                hidden, shown = hidden + (not own), shown + own
                event = event if own else {**event, secret: None}
            assert entry.event == event
            if entry.situation is not None:
                players = entry.situation.view["players"]
                assert [player["own"] is not None for player in players] == [seat == audience for seat in range(SEATS)]
        assert hidden
        assert bool(shown) == (audience is not ONLOOKER)
