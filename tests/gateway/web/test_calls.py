"""Rpcs over HTTP: the same servicers, in JSON."""

import asyncio

from google.protobuf.json_format import ParseDict

from tests.gateway.floor import ids, play_on, started_match
from tests.gateway.played import GAME
from tidelog.v1.matches_pb2 import GetMatchResponse, WatchMatchResponse

PATIENCE_S = 20


def told(events, kind):
    return [event for event in events if event.kind == kind]


def entries_of(news):
    return [update.entry for response in news for update in response.updates if update.HasField("entry")]


async def collected(events):
    return [event async for event in events]


async def test_a_match_is_made_and_read(ann_web, ann):
    created = await ann_web.call("MatchService/CreateMatch", requestId=next(ids), game=GAME, seats=2, ownSeat=0)
    assert created.status_code == 200
    match_id = created.json()["receipt"]["matchId"]
    over_http = await ann_web.call("MatchService/GetMatch", matchId=match_id)
    assert ParseDict(over_http.json(), GetMatchResponse()) == await ann.call("GetMatch", match_id=match_id)


async def test_a_guest_signs_in_without_a_token(web):
    signed_in = (await web.call("IdentityService/SignInAsGuest", name="Žofie")).json()
    listed = await web.http.post(
        "/api/v1/GameService/ListGames", json={}, headers={"authorization": f"Bearer {signed_in['token']}"}
    )
    assert [game["name"] for game in listed.json()["games"]] == [GAME]


async def test_a_refusal_has_its_status_and_its_reason(web, ann_web):
    nobody = await web.call("GameService/ListGames")
    assert nobody.status_code == 401
    assert nobody.json()["code"] == "UNAUTHENTICATED"
    absent = await ann_web.call("MatchService/GetMatch", matchId="none")
    assert absent.status_code == 404
    assert absent.json()["refusal"]["reason"] == "REFUSAL_REASON_UNKNOWN_MATCH"


async def test_a_watched_match_is_told_to_its_end(ann_web, ann, bob):
    match_id = await started_match(ann, bob)
    async with asyncio.timeout(PATIENCE_S):
        over_grpc = asyncio.create_task(ann.drained("WatchMatch", match_id=match_id))
        over_http = asyncio.create_task(collected(ann_web.events("MatchService/WatchMatch", matchId=match_id)))
        await play_on([ann, bob], match_id)
        events, expected = await over_http, entries_of(await over_grpc)
    assert events[-1].kind == "end"
    news = [ParseDict(event.data, WatchMatchResponse()) for event in told(events, "message")]
    assert entries_of(news) == expected
    assert news[-1].updates[-1].end.cursor == expected[-1].cursor == events[-1].id


async def test_a_stream_goes_on_behind_the_last_event(ann_web, ann, bob):
    match_id = await started_match(ann, bob)
    await play_on([ann, bob], match_id)
    all_told = [update.entry async for update in ann.updates(match_id) if update.HasField("entry")]
    last = {"last-event-id": all_told[-2].cursor}
    events = [event async for event in ann_web.events("MatchService/WatchMatch", last, matchId=match_id)]
    rest = [
        update["entry"]["cursor"]
        for event in told(events, "message")
        for update in event.data["updates"]
        if "entry" in update
    ]
    assert rest == [all_told[-1].cursor]


async def test_a_stream_refused_at_once_is_no_stream(ann_web):
    refused = await ann_web.call("MatchService/WatchMatch", matchId="none")
    assert refused.status_code == 404
    assert refused.json()["refusal"]["reason"] == "REFUSAL_REASON_UNKNOWN_MATCH"


async def test_a_draining_gateway_ends_streams_with_its_reason(gateway, ann_web, ann, bob):
    match_id = await started_match(ann, bob)
    async with asyncio.timeout(PATIENCE_S):
        stopping = None
        async for event in ann_web.events("MatchService/WatchMatch", matchId=match_id):
            if stopping is None:
                stopping = asyncio.create_task(gateway.stop())
            last = event
        await stopping
    assert last.kind == "error"
    assert last.data["code"] == "UNAVAILABLE"
    assert last.data["refusal"]["reason"] == "REFUSAL_REASON_DRAINING"


async def test_what_is_exported_can_be_imported(ann_web, ann, bob):
    match_id = await started_match(ann, bob)
    await play_on([ann, bob], match_id)
    exported = await ann_web.call("MatchService/ExportMatch", matchId=match_id, full=True)
    pieces = await ann.drained("ExportMatch", match_id=match_id, full=True)
    assert exported.content == b"".join(piece.chunk for piece in pieces)
    assert exported.headers["content-disposition"] == f'attachment; filename="{match_id}.jsonl"'
    imported = await ann_web.http.post(
        "/api/v1/MatchService/ImportMatch",
        params={"requestId": next(ids)},
        content=exported.content,
        headers={"content-type": "application/x-ndjson"},
    )
    assert imported.status_code == 200, imported.text
    copy = await ann.call("GetMatch", match_id=imported.json()["receipt"]["matchId"])
    assert copy.match.imported
