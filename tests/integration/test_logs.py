"""Whole matches on a real platform with every line of its logs captured: nothing is told that is somebody's own."""

import asyncio
import json
import re
from collections.abc import Iterator

import httpx
import msgspec
import pytest

from engines.core import games
from engines.core.chance import SeededChance
from services.bots.players import player
from services.common.refusals import Reason
from services.eventlog import hashes
from services.eventlog.redis_log import RedisLog
from services.eventlog.store_folder import socket_url
from tests.integration.platform import tidelog, up
from tidelog.client import LEGAL, VIEW, Refused, connect

LONGEST_S = 150
ID, HEX, WORDS = r"[A-Z2-7]{24}", r"[0-9a-f]+", r"[\w .,:'`/-]+"
REASONS = "|".join([*Reason, "ok", "carried_out", "appended", "conflict", "cancelled"])
MAY_SAY = {
    "event": WORDS,
    "level": "debug|info|warning|error",
    "role": "engine|gateway|bots|up",
    "timestamp": r"[-0-9T:.]+Z",
    "match": ID,
    "request": rf"{HEX}|\w{{1,20}}",
    "trace": r"[0-9a-f]{32}",
    "rpc": r"[A-Za-z]+",
    "outcome": REASONS,
    "reason": REASONS,
    "rule": r"[A-Z]{2}-[\d.]+|",
    "policy": r"[a-z-]+",
    "action": r"[A-Za-z]+",
    "model": r"[a-z_]+",
    "by": r"[\w|:-]+",
    "address": r"[\d.:]+",
    "http": r"[\d.:]+",
    "game": "|".join(games.names()),
}
"""What a line's texts look like, by their keys. Numbers can be any; a key that is not named here is nobody's to say."""
NUMBERS = {"version", "expected", "entries", "seat", "shard", "position", "number", "status"}
LISTS = {"games"}

OVERTAKEN = {"stale", "not_your_turn", "illegal_move", "match_over"}
TOKEN = re.compile(r"eyJ[\w-]+\.[\w-]+")


async def played(address: str, game: str) -> tuple[str, list[str]]:
    """A match of one person, who calls, streams and blunders, against bots; the person's tokens and the match."""
    async with connect(address) as ann, connect(address) as eve:
        tokens = [(await client.sign_in_as_guest("Secretive")).token for client in (ann, eve)]
        engine = games.engine(game)
        seats = engine.seats[0]
        bots = dict.fromkeys(range(1, seats), "greedy")
        match = (await ann.create(game, seats, own_seat=0, bots=bots)).match_id
        watching = asyncio.create_task(watched(eve, match))
        turns, greedy, chance = 0, player(game, "greedy"), SeededChance(5)
        async for turn in ann.turns(match, 0):
            turns += 1
            move = chosen(engine, greedy, turn, chance)
            if move is None:
                continue
            if turns % 7 == 1:
                await refused(eve.submit(match, 0, move))
                await refused(ann.submit(match, 0, {"kind": "nonsense", "hand": "my own"}))
                await refused(ann.view(match, seat=1))
                await ann.validate(match, 0, move)
            try:
                await turn.play(move)
            except Refused as late:
                assert late.reason in OVERTAKEN  # noqa: PT017 - the bots decide at the same time
        await watching
        async with connect(address, token="no token of ours") as nobody:
            await refused(nobody.match(match))
    return match, tokens


def chosen(engine, greedy, turn, chance):
    legal = [msgspec.convert(move, engine.Move) for move in turn.moves]
    return greedy(lambda: msgspec.convert(turn.view, engine.View), legal, tuple, chance)


async def watched(client, match):
    async for _ in client.watch(match, include=(VIEW, LEGAL)):
        pass


async def refused(asked):
    with pytest.raises(Refused):
        await asked


def hidden(game: str, event) -> Iterator[object]:
    """The values of an event that a spectator is not told."""
    shown = games.engine(game).redact(event, None)
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if getattr(shown, name) != value:
            yield from texts(msgspec.to_builtins(value))


def texts(value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each)


async def kept(data, match):
    """What the store holds of the match, and the key that signs its tokens."""
    log = await RedisLog.open(socket_url(data))
    try:
        return await log.secret(match), await log.read(match), [await log.key(name) for name in ("guests", "store")]
    finally:
        await log.close()


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def require_modest(line):
    """Each line is made of names, ids and numbers, whatever it is about."""
    assert line.keys() >= {"event", "level", "role", "timestamp"}, line
    for key, value in line.items():
        if key in NUMBERS:
            assert type(value) is int, line
        elif key in LISTS:
            assert all(re.fullmatch(MAY_SAY["game"], each) for each in value), line
        else:
            assert key in MAY_SAY, f"{key!r} is nobody's to say: {line}"
            assert re.fullmatch(MAY_SAY[key], value), f"{key!r} says more than it may: {line}"


async def all_played(address, data):
    """A match of each game, played at the same time: what was played, and what the store holds of it."""
    found = await asyncio.gather(*(played(address, game) for game in games.names()))
    return {game: (*each, *await kept(data, each[0])) for game, each in zip(games.names(), found, strict=True)}


def turned_away(place, token):
    """Requests over HTTP that no handler sees, with what is somebody's own wherever it can stand."""
    rpc, kind = "/api/v1/GameService/ListGames", "application/json"
    with httpx.Client(base_url=place, headers={"authorization": f"Bearer {token}"}, verify=False) as browser:
        answers = [
            browser.get(f"/Secretive/{token}"),
            browser.post(f"/api/v1/Secretive/{token}", headers={"content-type": kind}),
            browser.put(rpc, params={"token": token}),
            browser.post(rpc, content=token, headers={"content-type": f"Secretive/{token}"}),
            browser.post(rpc, content=f'{{"Secretive": "{token}"}}', headers={"content-type": kind}),
            browser.post(rpc, content="Secretive" * 200_000, headers={"content-type": kind}),
        ]
    assert [answer.status_code for answer in answers] == [404, 404, 405, 415, 400, 413]


def test_whole_matches_are_told_without_anything_that_is_somebodys_own(tmp_path):
    with up(tmp_path, "--log", "debug") as running:
        found = asyncio.run(asyncio.wait_for(all_played(running.address, tmp_path), LONGEST_S))
        match = found[games.names()[0]][0]
        turned_away(running.http, found[games.names()[0]][1][0])
        tidelog("admin", "inspect", match, "--data", tmp_path)
        tidelog("export", match, "--data", tmp_path, "--out", tmp_path / "match.jsonl")
        tidelog("import", tmp_path / "match.jsonl", "--data", tmp_path)
    written = (tmp_path / "up.log").read_text()
    lines = lines_of(written)
    for line in lines:
        require_modest(line)
    assert {"import", "call", "command", "append", "admin action", "HTTP refusal"} <= {line["event"] for line in lines}
    for own in ("Secretive", "my own", (tmp_path / "cluster.key").read_text().strip()):
        assert own not in written
    assert not TOKEN.search(written)
    for game, (match, tokens, secret, entries, keys) in found.items():
        require_every_command_is_told([line for line in lines if line.get("match") == match], entries)
        assert secret.hex().encode() in entries[-1].body, "the match is over, and its secret known"
        for own in (secret, hashes.draw_key(secret), *keys):
            assert own.hex() not in written
        for own in (*tokens, *(token.rpartition(".")[2] for token in tokens)):
            assert own not in written
        require_no_event_is_told(game, entries, written, lines)


def require_every_command_is_told(about, entries):
    """By gateway and engine, and refusals too."""
    told = {line["version"] for line in about if line["event"] == "command" and line["outcome"] == "carried_out"}
    begin = [entry.version for entry in entries if b'"req":null' not in entry.body]
    assert told >= {*(version - 1 for version in begin[1:]), len(entries)}
    assert {"not_your_seat", "malformed"} <= {line["outcome"] for line in about if "outcome" in line}
    assert {line["role"] for line in about} >= {"gateway", "engine"}


def require_no_event_is_told(game, entries, written, lines):
    engine, quoted = games.engine(game), set()
    for entry in entries:
        payload = json.loads(entry.body)["payload"]
        assert json.dumps(payload, separators=(",", ":")) not in written
        assert entry.body.decode() not in written
        if json.loads(entry.header)["type"].startswith(game):
            quoted |= set(hidden(game, msgspec.convert(payload, engine.Event)))
    said = {value for line in lines for value in line.values() if isinstance(value, str)}
    assert not quoted & said
