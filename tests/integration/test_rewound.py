"""A store restored from an older copy under living services, clients and bots: everybody goes on with what is left."""

import asyncio
import os
import re
from contextlib import AsyncExitStack, suppress
from urllib.request import urlopen

import pytest

from gateway.callers.identity import bot_subject, mint
from services.bots.service import BotService
from services.cli.platform import Settings, running
from services.eventlog.reading import lines_of, read
from tests.integration.platform import SHORT, tidelog
from tests.integration.serving import serving
from tests.rewinding import RestoredStore
from tidelog.client import Client, Refused, Seated, connect
from tidelog.client.answers import End, Entry
from tidelog.client.trail import version

LOST_MOVES = 4
WAIT_S = 60


class Reader:
    """Keeps a match as it is told, by cursors, and takes back what a store that went back has lost."""

    def __init__(self, client: Client, match: str) -> None:
        self.client = client
        self.match = match
        self.told: list[str] = []
        self.rewinds: list[str] = []
        self._news = asyncio.Condition()

    async def read(self) -> None:
        after = ""
        while True:
            try:
                async for update in self.client.watch(self.match, after=after):
                    if isinstance(update, Entry):
                        await self._keep([*self.told, update.cursor])
            except Refused as refused:
                if refused.reason != "log_rewound":
                    raise
                after = await self.client.log(self.match).last_common()
                self.rewinds.append(refused.cursor)
                await self._keep(self.told[: version(after)])
            else:
                return

    async def _keep(self, told: list[str]) -> None:
        async with self._news:
            self.told = told
            self._news.notify_all()

    async def until(self, cursors: list[str]) -> None:
        """What is told at last; each entry once and in order."""
        async with asyncio.timeout(WAIT_S), self._news:
            await self._news.wait_for(lambda: self.told == cursors)


class Party:
    """Two guests at a match; each is known to every gateway of the store's keys."""

    def __init__(self, tokens: list[str], match: str) -> None:
        self.tokens = tokens
        self.match = match

    async def play(self, address: str, moves: int, last: bool = False) -> None:
        """First legal moves, or the last ones."""
        async with AsyncExitStack() as open_:
            players = [await open_.enter_async_context(connect(address, token=token)) for token in self.tokens]
            for _ in range(moves):
                turn = (await players[0].match(self.match)).turns[0]
                found = await players[turn.seat].legal_moves(self.match, turn.seat)
                move = found.legal.moves[-1 if last else 0]
                await players[turn.seat].submit(self.match, turn.seat, move, decision=turn.decision)


async def begun(address: str) -> Party:
    async with connect(address) as ann, connect(address) as bob:
        tokens = [(await player.sign_in_as_guest()).token for player in (ann, bob)]
        match = (await ann.create(SHORT, 2, own_seat=0)).match_id
        await bob.join(match, 1)
    return Party(tokens, match)


async def stored(client: Client, match: str) -> list[str]:
    return [entry.cursor async for entry in client.log(match).read()]


@pytest.mark.parametrize("more", [None, 0, 3], ids=["shorter", "as long", "longer"])
async def test_a_client_takes_back_what_is_lost_and_reads_on(tmp_path, more):
    async with (
        RestoredStore.serving() as store,
        serving(SHORT, store.url, tmp_path / "gateway") as (_, gateway),
        connect(gateway.address, guest="Reader") as client,
        connect(gateway.address, guest="Other") as other,
    ):
        party = await begun(gateway.address)
        await party.play(gateway.address, 2)
        await store.keep_copy()
        kept = await stored(other, party.match)
        reader = Reader(client, party.match)
        reading = asyncio.create_task(reader.read())
        await party.play(gateway.address, LOST_MOVES)
        lost = await stored(other, party.match)
        await reader.until(lost)

        async def grow(url: str) -> None:
            async with serving(SHORT, url, tmp_path / "aside") as (_, aside):
                await party.play(aside.address, LOST_MOVES + more, last=True)

        await store.go_back(None if more is None else grow)
        if more is None:
            await reader.until(kept)
        await party.play(gateway.address, 3)
        now = await stored(other, party.match)
        assert now[: len(kept)] == kept
        assert now[len(kept)] != lost[len(kept)]
        await reader.until(now)
        assert len(reader.rewinds) == 1
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def test_a_match_that_is_gone_is_unknown_to_its_reader(tmp_path):
    async with (
        RestoredStore.serving() as store,
        serving(SHORT, store.url, tmp_path / "gateway") as (_, gateway),
        connect(gateway.address, guest="Reader") as client,
    ):
        await begun(gateway.address)
        await store.keep_copy()
        party = await begun(gateway.address)
        reader = Reader(client, party.match)
        reading = asyncio.create_task(reader.read())
        await reader.until(await stored(client, party.match))
        await store.go_back()
        with pytest.raises(Refused) as refused:
            await asyncio.wait_for(reading, WAIT_S)
        assert refused.value.reason == "unknown_match"


async def test_a_session_is_told_and_seated_again(tmp_path):
    async with (
        RestoredStore.serving() as store,
        serving(SHORT, store.url, tmp_path / "gateway") as (_, gateway),
    ):
        party = await begun(gateway.address)
        await store.keep_copy()
        async with connect(gateway.address, token=party.tokens[0]) as ann, ann.play() as play:
            kept = await stored(ann, party.match)
            play.follow_mine()
            assert await seated(play) == kept[-1]
            await party.play(gateway.address, LOST_MOVES)
            lost = await stored(ann, party.match)
            await told(play, lost[-1])
            await store.go_back()
            async with asyncio.timeout(WAIT_S):
                while not isinstance(update := getattr(await anext(play), "update", None), End):
                    pass
            assert (update.refused.reason, update.refused.cursor) == ("log_rewound", kept[-1])
            assert await seated(play) == kept[-1]
            await party.play(gateway.address, 1, last=True)
            assert await told(play, (await stored(ann, party.match))[-1]) == [len(kept) + 1]


async def seated(play) -> str:
    """Where the next match that is found begins to be told."""
    async with asyncio.timeout(WAIT_S):
        async for news in play:
            if isinstance(news, Seated):
                return news.cursor
    raise AssertionError("the session ended")


async def told(play, cursor: str) -> list[int]:
    """The versions of the entries told up to that one."""
    versions = []
    async with asyncio.timeout(WAIT_S):
        async for news in play:
            update = getattr(news, "update", None)
            if isinstance(update, Entry):
                versions.append(update.version)
                if update.cursor == cursor:
                    return versions
    raise AssertionError("the session ended")


async def test_bots_play_a_match_to_its_end_that_went_back(tmp_path):
    async with (
        RestoredStore.serving() as store,
        serving(SHORT, store.url, tmp_path / "gateway") as (_, gateway),
        connect(gateway.address, guest="Reader") as client,
    ):
        match = (await client.create(SHORT, 2, bots={0: "random", 1: "greedy"})).match_id
        await store.keep_copy()
        key = gateway.parts.guest_key
        bots = BotService(gateway.address, lambda policy: mint(key, bot_subject(policy)))
        await bots.start()
        try:
            reader = Reader(client, match)
            reading = asyncio.create_task(reader.read())
            async with asyncio.timeout(WAIT_S):
                async for update in client.watch(match):
                    if isinstance(update, Entry) and update.version > 30:
                        break
            await store.go_back()
            await asyncio.wait_for(reading, WAIT_S)
        finally:
            await bots.stop()
        assert len(reader.rewinds) == 1
        assert reader.told == await stored(client, match)
        assert (await client.match(match)).match.status == "finished"
        export = b"".join([chunk async for chunk in client.log(match).export(full=True)])
        assert read(lines_of([export])).aggregate.facts.over


async def test_processes_live_through_it_and_doctor_tells(tmp_path, monkeypatch):
    for name in list(os.environ):
        if name.startswith("TIDELOG_"):
            monkeypatch.delenv(name)
    data = tmp_path / "data"
    async with RestoredStore.serving() as store:
        settings = Settings("127.0.0.1:0", data, redis=store.url, metrics=True)
        async with running(settings) as platform, connect(platform.address, guest="Reader") as client:
            party = await begun(platform.address)
            await party.play(platform.address, 2)
            await store.keep_copy()
            reader = Reader(client, party.match)
            reading = asyncio.create_task(reader.read())
            await party.play(platform.address, LOST_MOVES)
            lost = await stored(client, party.match)
            await reader.until(lost)
            await store.go_back()
            async with asyncio.timeout(WAIT_S):
                while not reader.rewinds:
                    with suppress(Refused):
                        await client.match(party.match)
            await party.play(platform.address, LOST_MOVES, last=True)
            await reader.until(await stored(client, party.match))
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            rewound = {name: counted(child.metrics) for name, child in platform.children.items() if child.metrics}
            assert rewound["gateway"] > 0
            assert rewound[f"engine {SHORT} 0"] > 0
            said = tidelog("doctor", "--redis", store.url, "--data", data, status=1)
        assert f"{party.match} from {lost[-1]}" in said.stdout


def counted(port: int) -> float:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        found = re.search(r"^tidelog_log_rewound_total (\S+)", answer.read().decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0
