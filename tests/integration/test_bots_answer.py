"""The platform's own players at a table with a person: they answer what they are offered."""

from collections.abc import AsyncIterator
from typing import Any

from gateway.callers.identity import bot_subject, mint
from gateway.main import Gateway
from services.bots.service import BotService
from tests.integration.serving import serving
from tests.integration.table import GAME
from tidelog.client import LEGAL, VIEW, Client, connect
from tidelog.client.answers import Accepted, CaughtUp, Entry, Situation
from tidelog.client.trail import version

PERSON, BOTS = 0, {1: "greedy", 2: "greedy"}
MOST_OFFERS = 20
MOST_POINTS = 22
"""So many that nobody wins before something was traded."""


class Person:
    """Keeps all cards but those that it offers for one: once a turn, and it waits until both have answered."""

    def __init__(self, client: Client, match: str) -> None:
        self.client = client
        self.match = match
        self.answered: list[set[int]] = []
        self._moved = 0

    async def turn(self, situation: Situation) -> None:
        move = None if version(situation.cursor) < self._moved else self._move(situation)
        if move is not None:
            accepted: Accepted = await self.client.submit(self.match, PERSON, move, decision=situation.decision)
            self._moved = accepted.receipt.last_version

    def _move(self, situation: Situation) -> dict[str, Any] | None:
        view, moves = situation.view, situation.legal.moves
        if PERSON not in view["owed"]:
            return None
        if view["phase"] == "placing_settlement":
            return max(moves, key=lambda move: worth(view, move["vertex"]))
        if view["offer"] is None:
            return self._offer(view) or moves[0]
        if len(view["offer"]["replies"]) < len(BOTS):
            return None
        self.answered.append({reply["seat"] for reply in view["offer"]["replies"]})
        return next((move for move in moves if move["kind"] == "confirm_trade"), moves[0])

    def _offer(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """All cards of other kinds for one that a bot is known to hold."""
        if view["phase"] != "trading_and_building" or view["offers_left"] < MOST_OFFERS:
            return None
        hand = view["players"][PERSON]["known"]
        for bot in BOTS:
            for kind, count in view["players"][bot]["known"].items():
                give = {other: held for other, held in hand.items() if held and other != kind}
                if count and give:
                    return {"kind": "offer_trade", "give": give, "take": {kind: 1}}
        return None


def worth(view: dict[str, Any], vertex: int) -> int:
    """How many of 36 rolls pay a settlement there."""
    return sum(6 - abs(7 - land["number"]) for land in view["hexes"] if land["number"] and vertex in land["vertices"])


async def closed(client: Client, match: str) -> AsyncIterator[dict[str, Any]]:
    """Plays as the person; the trades that it closes with bots."""
    person = Person(client, match)
    async for update in client.watch(match, seat=PERSON, include=(VIEW, LEGAL)):
        if isinstance(update, Entry) and update.type == f"{GAME}.trade_closed" and update.event["seat"] == PERSON:
            assert person.answered
            assert all(answered == set(BOTS) for answered in person.answered)
            yield update.event
        situation = update.situation if isinstance(update, Entry | CaughtUp) else None
        if situation is not None and situation.legal is not None:
            await person.turn(situation)


def bots_of(gateway: Gateway) -> BotService:
    key = gateway.parts.guest_key
    return BotService(gateway.address, lambda policy: mint(key, bot_subject(policy)))


async def test_bots_answer_a_persons_offers_and_trade(clean_store, tmp_path):
    async with serving(GAME, clean_store, tmp_path) as (_, gateway), connect(gateway.address, guest="Ann") as ann:
        bots = bots_of(gateway)
        await bots.start()
        try:
            options = {"board": "beginner", "victory_points": MOST_POINTS}
            receipt = await ann.create(GAME, 1 + len(BOTS), options=options, own_seat=PERSON, bots=BOTS)
            trade = await anext(closed(ann, receipt.match_id))
        finally:
            await bots.stop()
    assert trade["partner"] in BOTS
