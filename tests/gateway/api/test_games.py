import json

import grpc
import pytest

from engines.core import games
from services.common.refusals import Reason
from services.common.wire import refused_from
from services.eventlog import words
from tests.gateway.played import GAME
from tidelog.v1.games_pb2 import DescribeGameRequest, GetMessagesRequest, GetRulesRequest, ListGamesRequest


async def test_the_games_with_engines_are_listed(ann):
    answer = await ann.games.ListGames(ListGamesRequest(), metadata=ann.metadata)
    (game,) = answer.games
    assert (game.name, game.title, game.least_seats, game.most_seats) == (GAME, "Lost Seas", 2, 4)
    assert answer.next_page_token == ""
    after = await ann.games.ListGames(ListGamesRequest(page_token=GAME), metadata=ann.metadata)
    assert not after.games


async def test_numbers_of_seats_that_the_rules_do_not_foresee_are_marked(floor):
    gateway = await floor.gateway(engines=(f"{GAME}={floor.engine.address}", "catan_fishermen=127.0.0.1:9"))
    ann = await floor.client(gateway, "ann")
    listed = await ann.games.ListGames(ListGamesRequest(), metadata=ann.metadata)
    assert {game.name: list(game.unofficial_seats) for game in listed.games} == {"catan_fishermen": [2], GAME: []}
    told = await ann.games.DescribeGame(DescribeGameRequest(game="catan_fishermen"), metadata=ann.metadata)
    assert list(told.game.unofficial_seats) == [2]


async def test_a_page_token_that_is_none_of_ours_is_refused(ann):
    for token in ("zz", "a" * 1000):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await ann.games.ListGames(ListGamesRequest(page_token=token), metadata=ann.metadata)
        assert refused_from(raised.value).reason is Reason.MALFORMED
        assert "page_token" in raised.value.details()


async def test_a_game_is_described_with_schemas_editions_and_players(ann):
    told = await ann.games.DescribeGame(DescribeGameRequest(game=GAME), metadata=ann.metadata)
    assert list(told.rules) == list(games.engine(GAME).rules)
    assert told.default_edition in {edition.name for edition in told.editions}
    assert {edition.hash for edition in told.editions} == {games.edition_hash(games.edition(GAME))}
    assert list(told.policies) == ["greedy", "random"]
    assert told.proto_package == f"tidelog.games.{GAME}.v1"
    for schema in (told.options_schema, told.move_schema, told.event_schema, told.view_schema):
        assert json.loads(schema)["$schema"].endswith("2020-12/schema")
    assert "TakeTile" in told.move_schema


@pytest.mark.parametrize("name", ["chess", "", "x" * 10_000])
async def test_a_game_that_is_not_served_is_unknown(ann, name):
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await ann.games.DescribeGame(DescribeGameRequest(game=name), metadata=ann.metadata)
    assert refused_from(raised.value).reason is Reason.UNKNOWN_GAME
    assert len(raised.value.details()) < 200


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("cs", "cs"),
        ("cs-CZ", "cs"),
        ("cs_CZ", "cs"),
        ("EN", "en"),
        ("", "en"),
        ("xx", "en"),
        ("../en", "en"),
        ("é" * 10_000, "en"),
    ],
)
async def test_the_texts_of_a_game_come_in_the_language_asked_for_or_in_english(ann, asked, given):
    told = await ann.games.GetMessages(GetMessagesRequest(game=GAME, language=asked), metadata=ann.metadata)
    assert (told.language, list(told.languages)) == (given, ["cs", "en"])
    assert dict(told.messages) == words.catalogue(GAME, given)


async def test_a_game_that_is_not_served_has_no_texts(ann):
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await ann.games.GetMessages(GetMessagesRequest(game="catan_fishermen"), metadata=ann.metadata)
    assert refused_from(raised.value).reason is Reason.UNKNOWN_GAME


async def test_a_rule_that_a_refusal_names_is_told_in_words(ann):
    told = await ann.games.GetRules(GetRulesRequest(game=GAME, ids=["LS-11", "LS-4", "XX-1"]), metadata=ann.metadata)
    assert [rule.id for rule in told.rules] == ["LS-4", "LS-11"]
    assert told.rules[1].text.startswith("A tile is placed at once on an empty cell")
    assert told.rules[1].source == "A round"
    assert "Option arrange_expeditions: with" in told.rules[0].text


async def test_without_ids_all_rules_are_told_in_their_order(ann):
    told = await ann.games.GetRules(GetRulesRequest(game=GAME), metadata=ann.metadata)
    assert [rule.id for rule in told.rules] == [f"LS-{number}" for number in range(1, 28)]
    assert not any(mark in rule.text for rule in told.rules for mark in "*`|")


async def test_rules_of_a_game_that_is_not_served_are_refused_and_so_are_too_many(ann):
    for request, reason in (
        (GetRulesRequest(game="chess"), Reason.UNKNOWN_GAME),
        (GetRulesRequest(game=GAME, ids=["LS-1"] * 201), Reason.TOO_LARGE),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await ann.games.GetRules(request, metadata=ann.metadata)
        assert refused_from(raised.value).reason is reason
