"""What a seat must not know changes nothing that it is told: two platforms, one holding a match, the other its twin.

No byte differs but those of leaves, entry hashes and cursors, which must be there and as long. In the twin the state is
another one that the seat can't tell from the true one, and so are the hidden parts of every entry before it.
"""

from collections import Counter
from typing import Any

import pytest
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import DecodeError

from engines.core import games
from services.cli.laws.profiles import module_of as profile
from tests.integration.secrets.following import require_what_follows_is_told_alike
from tests.integration.secrets.questions import SITUATION, again, questions, tried
from tests.integration.secrets.sides import Side, Sides
from tests.integration.secrets.twins import pair
from tests.integration.secrets.worlds import world
from tidelog.v1.matches_pb2 import PlayCommand, ValidateMoveResponse
from tidelog.v1.payload_pb2 import Payload

SHORT, SOAK = 20, 200
OVER_HTTP = range(SOAK, SOAK + 5)
"""Few: what is told is put into words behind both, and each kind of pair is among five."""


def runs():
    for game in games.names():
        yield pytest.param(game, range(SHORT), "gRPC", id=game)
        yield pytest.param(game, OVER_HTTP, "HTTP", id=f"{game}-http")
        yield pytest.param(game, range(SHORT, SOAK), "gRPC", id=f"{game}-soak", marks=pytest.mark.soak)


@pytest.mark.parametrize(("game", "seeds", "over"), [*runs()])
async def test_what_a_seat_must_not_know_changes_nothing_that_it_is_told(
    game, seeds, over, clean_store, own_store, tmp_path
):
    seen, over_http = Counter(), over == "HTTP"
    async with (
        world(game, clean_store, tmp_path / "true", over_http=over_http) as true,
        world(game, own_store.url, tmp_path / "twin", over_http=over_http) as twin,
    ):
        for seed in seeds:
            found = pair(game, seed)
            sides = Sides(found, Side(true, found.true), Side(twin, found.twin))
            await sides.put()
            seen["hiding"] += found.hides
            await require_same_answers(sides)
            refused = await require_same_refusals(sides, over_http=over_http)
            if not over_http:  # which has no `Play`
                await require_same_streams(sides, refused)
            seen["refused"] += len(refused)
            seen += await require_what_follows_is_told_alike(sides)
    assert seen["hiding"] > len(seeds) / 4
    assert seen["refused"] > 10 * len(seeds)
    assert seen["told alike"] > len(seeds) / 2
    assert bool(seen["hidden"]) != tells_all(game)


def tells_all(game):
    """Whether every event is told to everyone: then moves hide nothing, and the state alone has secrets."""
    return getattr(profile(game), "TELLS_ALL", False)


async def require_same_answers(sides: Sides) -> None:
    asked = [questions(sides.pair, side.written) for side in sides[1:]]
    for here, there in zip(*asked, strict=True):
        await sides.ask_each(here, there)
    assert (await sides.listed()).data


async def require_same_refusals(sides: Sides, *, over_http: bool) -> list[tuple[str, dict[str, Any]]]:
    """The moves that are refused, and who asks for them. Nothing changes by it."""
    refused = []
    for who, fields in tried(sides.pair):
        if over_http and not has_json(fields["move"]):
            continue
        verdict = await sides.ask(who, "ValidateMove", **fields)
        if verdict.code == "OK" and not ValidateMoveResponse.FromString(verdict.data).HasField("refusal"):
            continue
        answer = await sides.ask(who, "SubmitMove", request_id="late", include=SITUATION, **fields)
        assert answer.code != "OK"
        refused.append((who, fields))
    if sides.pair.audience is not None:
        for fields in again(sides.pair, refused[-1][1]["move"]):
            await sides.ask(sides.pair.subject(sides.pair.audience), "SubmitMove", **fields)
    for side in sides[1:]:
        assert await side.world.log.head(sides.pair.match) == side.written.aggregate.cursor
    return refused


async def require_same_streams(sides: Sides, refused: list[tuple[str, dict[str, Any]]]) -> None:
    """What `Play` tells who follows the match and has moves refused."""
    match, seat = sides.pair.match, sides.pair.audience
    for who in {who for who, _ in refused}:
        own = [fields for subject, fields in refused if subject == who][::3]
        follow = PlayCommand.Follow(match_id=match, include=SITUATION)
        if seat is not None and who == sides.pair.subject(seat):
            follow.seat = seat
        submits = [PlayCommand.Submit(match_id=match, request_id="late", **fields) for fields in own]
        steps = [
            (PlayCommand(follow_mine=PlayCommand.FollowMine(include=SITUATION)), caught_up),
            (PlayCommand(follow=follow), caught_up),
            *[(PlayCommand(submit=submit), is_refused) for submit in submits],
        ]
        assert (await sides.play(who, steps if follow.HasField("seat") else steps[1:])).code == "OK"


def has_json(payload: Payload) -> bool:
    """Whether it can be said over HTTP: bytes that are no message can't."""
    try:
        return bool(MessageToJson(payload))
    except (DecodeError, TypeError):
        return False


def caught_up(answer) -> bool:
    return answer.followed.update.HasField("caught_up")


def is_refused(answer) -> bool:
    return answer.HasField("refused")
