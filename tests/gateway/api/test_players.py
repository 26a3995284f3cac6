"""PlayerService over gRPC, of matches that were played."""

import asyncio

import grpc
import pytest

from services.common.refusals import Reason
from tests.gateway.api.test_private import played
from tests.gateway.floor import ids, play_on, refusal, started_match, told
from tests.gateway.played import GAME
from tidelog.client import connect
from tidelog.v1 import matches_pb2, players_pb2
from tidelog.v1.lifecycle_pb2 import DELAY_UNIT_EVENTS, Delay, Terms
from tidelog.v1.players_pb2_grpc import PlayerServiceStub


class Asking:
    """One caller's way to the service."""

    def __init__(self, channel, client):
        self._stub = PlayerServiceStub(channel)
        self._metadata = client.metadata

    async def call(self, rpc, **fields):
        request = getattr(players_pb2, f"{rpc}Request")(**fields)
        try:
            return await getattr(self._stub, rpc)(request, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise told(error) from error

    async def history(self, player, **fields):
        """The ids of all pages."""
        found, token = [], ""
        while True:
            page = await self.call("ListPlayerMatches", player=player, page_token=token, **fields)
            found += [each.match.match_id for each in page.matches]
            token = page.next_page_token
            if not token:
                return found

    async def rated(self, player, matches):
        """The rating, once it is folded from so many matches."""
        async with asyncio.timeout(30):
            while True:
                games = (await self.call("ListPlayerRatings", player=player)).games
                if games and games[0].rating.matches >= matches:
                    return games[0].rating


@pytest.fixture
async def asking(floor, gateway, ann):
    return Asking(await floor.channel(gateway), ann)


@pytest.fixture
async def matches(ann, bob):
    """Three that are over, and one that runs."""
    found = [await started_match(ann, bob) for _ in range(4)]
    for match_id in found[:3]:
        await play_on([ann, bob], match_id)
    return found


async def test_what_was_played_shows_in_all_answers(floor, gateway, asking, ann, bob, matches):
    await asking.rated(ann.player, 3)
    outcomes = [(await ann.call("GetMatch", match_id=match_id)).match.outcome for match_id in matches[:3]]
    mine = [next(found for found in outcome.ranking if found.seat == 0) for outcome in outcomes]

    (game,) = (await asking.call("GetPlayerStatistics", player=ann.player, game=GAME)).games
    assert (game.game, game.total.matches, sum(game.total.places)) == (GAME, 3, 3)
    assert game.total.places[0] == sum(found.place == 1 for found in mine)
    points = game.total.points
    assert (points.total, points.least, points.most) == (
        sum(found.points for found in mine),
        min(found.points for found in mine),
        max(found.points for found in mine),
    )
    assert points.mean == points.total / 3
    assert [found.category for found in game.total.categories] == [score.category for score in mine[0].scores]
    assert [found.total for found in game.total.categories] == [
        sum(found.scores[number].points for found in mine) for number in range(len(mine[0].scores))
    ]
    assert [tally.seats for tally in game.by_seats] == [2]

    (versus,) = (await asking.call("GetHeadToHead", player=ann.player, other=bob.player)).games
    assert (versus.matches, versus.ahead + versus.level) == (3, game.total.places[0])

    board = await asking.call("ListLeaderboard", game=GAME)
    assert {line.player for line in board.entries} == {ann.player, bob.player}
    assert board.entries[0].rating.ordinal >= board.entries[1].rating.ordinal
    assert board.own.player == ann.player
    bobs = Asking(await floor.channel(gateway), bob)
    assert (await bobs.call("ListLeaderboard", game=GAME, page_size=1)).own.player == bob.player
    assert not (await asking.call("ListLeaderboard", game=GAME, least_matches=4)).entries


async def test_a_history_has_every_match_with_its_rating(asking, ann, matches):
    rating = await asking.rated(ann.player, 3)
    assert await asking.history(ann.player) == matches[::-1]
    assert await asking.history(ann.player, page_size=1) == matches[::-1]
    assert await asking.history(ann.player, page_size=3, status=matches_pb2.MATCH_STATUS_FINISHED) == matches[2::-1]
    page = await asking.call("ListPlayerMatches", player=ann.player, game=GAME)
    assert [list(found.seats) for found in page.matches] == [[0]] * 4
    assert [found.HasField("rating") for found in page.matches] == [False, True, True, True]
    changes = [found.rating for found in page.matches[1:]][::-1]
    assert [change.before for change in changes[1:]] == [change.after for change in changes[:-1]]
    assert (changes[0].before.mu, changes[0].before.sigma, changes[0].before.matches) == (25.0, 8.333333, 0)
    assert changes[-1].after == rating


@pytest.mark.usefixtures("matches")
@pytest.mark.parametrize("who", ["a guest", "nobody", "no id"])
async def test_one_who_has_not_played_is_as_unknown_as_one_who_does_not_exist(floor, gateway, asking, ann, who):
    """No list is kept of those who hold a token, so the answers are empty for all alike."""
    guest = await floor.guest(gateway, "Eve")
    player = {"a guest": guest.player, "nobody": "tidelog|nobody", "no id": "nobody"}[who]
    assert await asking.history(player) == []
    assert not (await asking.call("GetPlayerStatistics", player=player)).games
    assert not (await asking.call("ListPlayerRatings", player=player)).games
    assert not (await asking.call("GetHeadToHead", player=ann.player, other=player)).games


async def test_a_private_match_is_for_those_who_may_see_it(floor, gateway, asking, ann, bob):
    match_id = await played(ann, bob, 10_000)
    finished = {"status": matches_pb2.MATCH_STATUS_FINISHED}
    async with asyncio.timeout(30):
        while not await asking.history(ann.player, **finished):
            pass
    stranger = Asking(await floor.channel(gateway), await floor.client(gateway, "eve"))
    admin = Asking(await floor.channel(gateway), await floor.client(gateway, "root", admin=True))
    for one in (asking, admin):
        assert await one.history(bob.player, **finished) == [match_id]
    assert await stranger.history(bob.player) == []
    assert not (await asking.call("GetPlayerStatistics", player=ann.player)).games
    assert not (await asking.call("ListPlayerRatings", player=ann.player)).games


async def test_a_match_that_keeps_spectators_behind_is_shown_as_in_all_lists(floor, gateway, asking, ann, bob):
    """Neither that somebody moved nor that somebody left."""
    terms = Terms(spectator_delay=Delay(unit=DELAY_UNIT_EVENTS, count=1000))
    made = await ann.call("CreateMatch", request_id=next(ids), game=GAME, seats=3, own_seat=0, terms=terms)
    match_id, cyd = made.receipt.match_id, await floor.client(gateway, "cyd")
    for player, seat in ((bob, 1), (cyd, 2)):
        await player.call("JoinMatch", request_id=next(ids), match_id=match_id, seat=seat)
    await play_on([ann, bob, cyd], match_id, 4)
    await cyd.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=2)
    now = (await ann.call("GetMatch", match_id=match_id)).match
    async with asyncio.timeout(30):
        while await gateway.parts.database.run(versions) != [(match_id, now.version)]:
            pass
    (listed,) = (await bob.call("ListMatches")).matches
    (found,) = (await asking.call("ListPlayerMatches", player=bob.player)).matches
    assert found.match == listed
    assert found.match.version < now.version
    assert (found.match.seats[2].vacant, now.seats[2].vacant) == (False, True)


def versions(connection):
    return connection.execute("SELECT id, version FROM matches").fetchall()


async def test_one_who_resigned_has_lost(asking, ann, bob):
    match_id = await started_match(ann, bob)
    await bob.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=1)
    await asking.rated(bob.player, 1)
    (versus,) = (await asking.call("GetHeadToHead", player=ann.player, other=bob.player)).games
    assert (versus.ahead, versus.behind) == (1, 0)
    (game,) = (await asking.call("GetPlayerStatistics", player=bob.player)).games
    assert (game.total.left, list(game.total.places)) == (1, [0, 1])


@pytest.mark.usefixtures("matches")
async def test_other_gateways_say_the_same(floor, asking, ann, bob):
    await asking.rated(ann.player, 3)
    other = Asking(await floor.channel(second := await floor.gateway()), await floor.client(second, "ann"))
    await other.rated(ann.player, 3)
    for rpc, fields in (
        ("GetPlayerStatistics", {"player": ann.player}),
        ("GetHeadToHead", {"player": ann.player, "other": bob.player}),
        ("ListPlayerRatings", {"player": bob.player}),
        ("ListLeaderboard", {"game": GAME}),
        ("ListPlayerMatches", {"player": bob.player, "game": GAME}),
    ):
        assert await other.call(rpc, **fields) == await asking.call(rpc, **fields)


NAMED = {"player": "tidelog|ann"}
UNREADABLE = [
    ("ListPlayerMatches", {}, Reason.MALFORMED, "$.player"),
    ("GetPlayerStatistics", {}, Reason.MALFORMED, "$.player"),
    ("ListPlayerRatings", {}, Reason.MALFORMED, "$.player"),
    ("GetHeadToHead", {"other": "tidelog|bob"}, Reason.MALFORMED, "$.player"),
    ("GetHeadToHead", NAMED, Reason.MALFORMED, "$.other"),
    ("GetHeadToHead", NAMED | {"other": "tidelog|ann"}, Reason.MALFORMED, "$.other"),
    ("ListPlayerMatches", NAMED | {"game": "chess"}, Reason.UNKNOWN_GAME, "chess"),
    ("GetPlayerStatistics", NAMED | {"game": "chess"}, Reason.UNKNOWN_GAME, "chess"),
    ("GetHeadToHead", NAMED | {"other": "b", "game": "chess"}, Reason.UNKNOWN_GAME, "chess"),
    ("ListLeaderboard", {"game": "chess"}, Reason.UNKNOWN_GAME, "chess"),
    ("ListLeaderboard", {}, Reason.UNKNOWN_GAME, "''"),
    ("ListLeaderboard", {"game": GAME, "least_matches": -1}, Reason.MALFORMED, "$.least_matches"),
    ("ListLeaderboard", {"game": GAME, "page_size": -1}, Reason.MALFORMED, "$.page_size"),
    ("ListLeaderboard", {"game": GAME, "page_size": 201}, Reason.TOO_LARGE, "$.page_size"),
    ("ListLeaderboard", {"game": GAME, "page_token": "forged"}, Reason.MALFORMED, "$.page_token"),
    ("ListPlayerMatches", NAMED | {"page_size": -1}, Reason.MALFORMED, "$.page_size"),
    ("ListPlayerMatches", NAMED | {"page_size": 201}, Reason.TOO_LARGE, "$.page_size"),
    ("ListPlayerMatches", NAMED | {"page_token": "forged"}, Reason.MALFORMED, "$.page_token"),
    ("ListPlayerMatches", NAMED | {"status": 99}, Reason.MALFORMED, "status"),
    ("ListPlayerMatches", {"player": "x" * 300_000}, Reason.TOO_LARGE, "limit"),
]


@pytest.mark.parametrize(("rpc", "fields", "reason", "said"), UNREADABLE)
async def test_what_makes_no_sense_is_refused(asking, rpc, fields, reason, said):
    refused = await refusal(asking.call(rpc, **fields))
    assert refused.reason is reason
    assert said in refused.message


@pytest.mark.usefixtures("matches")
async def test_a_page_token_is_one_callers_for_one_list(floor, gateway, asking, ann, bob):
    await asking.rated(ann.player, 3)
    history = (await asking.call("ListPlayerMatches", player=ann.player, page_size=1)).next_page_token
    board = (await asking.call("ListLeaderboard", game=GAME, page_size=1)).next_page_token
    for rpc, fields, token in (
        ("ListPlayerMatches", {"player": bob.player}, history),
        ("ListPlayerMatches", {"player": ann.player, "game": GAME}, history),
        ("ListPlayerMatches", {"player": ann.player}, board),
        ("ListLeaderboard", {"game": GAME}, history),
        ("ListLeaderboard", {"game": GAME, "least_matches": 1}, board),
    ):
        refused = await refusal(asking.call(rpc, page_token=token, **fields))
        assert refused.reason is Reason.MALFORMED
    bobs = Asking(await floor.channel(gateway), bob)
    refused = await refusal(bobs.call("ListPlayerMatches", player=ann.player, page_token=history))
    assert refused.reason is Reason.NOT_ALLOWED


async def test_nobody_asks_without_a_token(floor, gateway):
    stub = PlayerServiceStub(await floor.channel(gateway))
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await stub.ListPlayerRatings(players_pb2.ListPlayerRatingsRequest(player="a"))
    assert told(raised.value).reason is Reason.UNAUTHENTICATED


async def test_the_python_client_asks_for_all_of_it(gateway, asking, ann, bob, matches):
    rating = await asking.rated(ann.player, 3)
    async with connect(gateway.address, token=ann.token) as client:
        players = client.players()
        history = [played async for played in players.history(ann.player, page_size=1)]
        assert [played.match.match_id for played in history] == matches[::-1]
        assert [played.seats for played in history] == [(0,)] * 4
        assert (history[0].before, history[0].after) == (None, None)
        assert (history[1].after, history[1].before) == ((await players.ratings(ann.player))[GAME], history[2].after)
        finished = [played.match.match_id async for played in players.history(ann.player, game=GAME, status="finished")]
        assert finished == matches[2::-1]
        assert (history[1].after.mu, history[1].after.ordinal) == (rating.mu, rating.ordinal)
        statistics = (await players.statistics(ann.player))[GAME]
        assert (statistics.total.matches, statistics.by_seats[2].matches) == (3, 3)
        assert statistics.total.points.total == sum(each.total for each in statistics.total.categories.values())
        versus = (await players.head_to_head(ann.player, bob.player, game=GAME))[GAME]
        assert versus.ahead + versus.behind + versus.level == versus.matches == 3
        board = [line async for line in players.leaderboard(GAME, page_size=1)]
        assert {line.player for line in board} == {ann.player, bob.player}
        assert await players.my_place(GAME) in board
        assert await players.my_place(GAME, least_matches=9) is None
