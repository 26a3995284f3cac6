"""Logs that were forged with all their hashes: what the secret, the fold and the game say against them."""

import json
from functools import cache

import pytest

from engines.core import games
from services.eventlog import canonical
from services.eventlog.commands import Leave
from services.eventlog.export import export_full
from services.eventlog.reading import BadExport, Export, lines_of, read
from services.eventlog.verify import check_log
from tests.services.eventlog.forging import Change, forged, rechained, shortened, with_line
from tests.services.eventlog.given import (
    BEN,
    CASES,
    EDITION,
    MATCH,
    NOON,
    PLAYERS,
    SECRET,
    SMALL_EDITION,
    YOUNG,
    play_on,
    played,
    started,
)


@cache
def whole() -> bytes:
    return b"".join(export_full(played("expeditions", 1).entries, EDITION, None))


@cache
def forfeited() -> bytes:
    hosted = play_on(started(2, YOUNG), commands=2)
    hosted.do(BEN, Leave(1))
    return b"".join(export_full(hosted.entries, EDITION, None))


def read_back(export: bytes) -> Export:
    return read(lines_of([export]))


def refusal(export: bytes) -> BadExport:
    with pytest.raises(BadExport) as bad:
        read_back(export)
    return bad.value


def first(export: bytes, kind: str, after: int = 0) -> int:
    """The first version above `after` whose type ends so."""
    lines = export.splitlines()[1:-1]
    types = [json.loads(line)["header"]["type"] for line in lines]
    return next(version for version, found in enumerate(types, 1) if version > after and found.endswith(kind))


def setting(part: str, **fields: object) -> Change:
    return lambda line: line[part].update(fields)


def test_an_honest_log_checks_when_it_is_put_together_again():
    for export in (whole(), forfeited()):
        assert rechained(export, SECRET) == export
        assert read_back(export).secret == SECRET


@pytest.mark.parametrize(("mode", "number"), CASES[::4])
def test_every_played_match_checks(mode, number):
    hosted = played(mode, number)
    aggregate = check_log(hosted.entries, EDITION, MATCH, SECRET)
    assert (aggregate.facts, aggregate.state) == (hosted.facts, hosted.state)


def test_matches_with_seats_that_were_left_check():
    for seats in (3, 4):
        hosted = play_on(started(seats), commands=20)
        for seat in range(1, seats):
            hosted.do(PLAYERS[seat], Leave(seat))
        play_on(hosted)
        assert check_log(hosted.entries, EDITION, MATCH, SECRET).facts == hosted.facts


@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize("kind", ["expeditions_dealt", "tiles_turned_up"])
def test_a_draw_with_another_result_is_found(kind, place):
    version = first(whole(), kind, after=15)

    def change(line):
        draw = line["body"]["draws"][place]
        draw["result"] = (draw["result"] + 1) % draw["n"]

    assert refusal(forged(whole(), SECRET, version, change)).version == version


@pytest.mark.parametrize("draw", [{"label": "tile", "n": n, "result": 0} for n in (0, -1, 64, 2**53 - 1)])
def test_a_draw_of_other_odds_is_found(draw):
    version = first(whole(), "tiles_turned_up")
    change = setting("body", draws=[draw])
    assert refusal(forged(whole(), SECRET, version, change)).version == version


@pytest.mark.parametrize(
    "kind",
    ["match.started", "lost_seas.tile_returned", "lost_seas.tile_takes", "black_fleet.tile_taken", "tile_taken", ""],
)
def test_another_type_is_found(kind):
    version = first(whole(), "tile_taken")
    assert refusal(forged(whole(), SECRET, version, setting("header", type=kind))).version == version


@pytest.mark.parametrize("at", [NOON - 1, 0, -1])
def test_an_earlier_time_is_found(at):
    version = first(whole(), "tile_taken")
    assert refusal(forged(whole(), SECRET, version, setting("header", at=at))).version == version
    assert refusal(forged(whole(), SECRET, 1, setting("header", at=-1))).version == 1


def test_a_later_time_is_found_at_the_entry_after_it():
    version = first(whole(), "tile_taken")
    change = setting("header", at=NOON + 10**9)
    assert refusal(forged(whole(), SECRET, version, change)).version == version + 1


@pytest.mark.parametrize("seat", [2, 4, 300, -3])
def test_a_seat_that_is_not_in_the_match_is_found(seat):
    for kind in ("tile_taken", "tiles_turned_up"):
        version = first(forfeited(), kind)
        assert refusal(forged(forfeited(), SECRET, version, setting("header", seat=seat))).version == version


@pytest.mark.parametrize("change", [{"req": "00"}, {"req_digest": "zz" * 8}, {"req": None}, {"req_digest": None}])
def test_a_request_of_another_form_is_found(change):
    version = first(forfeited(), "tile_taken")
    assert refusal(forged(forfeited(), SECRET, version, setting("body", **change))).version == version


def test_a_digest_without_a_request_is_found():
    version = first(forfeited(), "tiles_turned_up")
    assert refusal(forged(forfeited(), SECRET, version, setting("body", req_digest="00" * 8))).version == version


@pytest.mark.parametrize("export", [whole, forfeited])
def test_another_outcome_is_found(export):
    version = first(export(), "match.finished")

    def change(line):
        ranking = line["body"]["payload"]["outcome"]["ranking"]
        ranking[0]["seat"], ranking[1]["seat"] = ranking[1]["seat"], ranking[0]["seat"]

    assert refusal(forged(export(), SECRET, version, change)).version == version


def test_a_match_that_ends_for_no_reason_is_found():
    """Three are at the table, and nobody left."""
    hosted = play_on(started(3), commands=9)
    ended = shortened(b"".join(export_full(hosted.entries, EDITION, SECRET)), SECRET, hosted.facts.version)
    last = hosted.facts.version
    outcome = {"ranking": [{"seat": 0, "place": 1, "points": 0, "scores": []}], "tie_breaks": []}

    def change(line):
        line["header"].update(type="match.finished", seat=None)
        line["body"].update(payload={"kind": "finished", "outcome": outcome}, draws=[])

    assert refusal(forged(ended, SECRET, last, change)).version == last


@pytest.mark.parametrize("secret", [None, "00" * 32, "zz"])
def test_another_secret_is_found(secret):
    last = first(whole(), "secret_revealed")

    def change(line):
        line["body"]["payload"].update(secret=secret)

    assert refusal(forged(whole(), SECRET, last, change)).version == last


def test_another_secret_in_the_log_than_in_the_header_is_found():
    last = first(whole(), "secret_revealed")

    def change(line):
        line["body"]["payload"].update(secret="00" * 32)

    export = with_line(whole(), 0, lambda header: header.update(secret=SECRET.hex()))
    assert refusal(forged(export, SECRET, last, change)).version == last


def test_another_commitment_is_found():
    def change(line):
        line["body"]["payload"].update(commitment="00" * 32)

    export = forged(whole(), SECRET, 1, change)
    assert refusal(export).version == 0
    last = first(whole(), "secret_revealed")
    export = with_line(export, 0, lambda header: header.update(commitment="00" * 32))
    assert refusal(export).version == last


def test_another_edition_is_found():
    """First in the header alone, then in match.created too: its expeditions are not those of the log."""
    hashed = games.edition_hash(SMALL_EDITION)
    changed = {"edition": SMALL_EDITION.decode(), "edition_hash": hashed}
    export = with_line(whole(), 0, lambda header: header.update(changed))
    assert refusal(export).version == 0

    def created(line):
        line["body"]["payload"].update(edition=hashed)

    assert refusal(forged(export, SECRET, 1, created)).version == first(whole(), "expeditions_dealt")


@pytest.mark.parametrize("rules", [0, 2])
def test_rules_that_this_code_does_not_have_are_found(rules):
    def created(line):
        line["body"]["payload"].update(rules=rules)

    export = with_line(whole(), 0, lambda header: header.update(rules=rules))
    assert refusal(forged(export, SECRET, 1, created)).version == 1


def test_a_log_without_its_first_command_or_its_first_entry_is_found():
    assert refusal(forged(whole(), SECRET, 1, setting("body", req=None, req_digest=None))).version == 1
    assert refusal(forged(whole(), SECRET, 1, setting("header", type="match.started"))).version == 1


@pytest.mark.parametrize("kind", ["seat_claimed", "secret_revealed"])
def test_an_entry_beyond_the_reveal_is_found(kind):
    lines = whole().splitlines()
    last = len(lines) - 2
    taken = json.loads(lines[first(whole(), kind)])
    taken["header"].update(version=last + 1, at=json.loads(lines[last])["header"]["at"])
    header = json.loads(lines[0]) | {"secret": SECRET.hex()}
    export = [canonical.encode(header), *lines[1:-1], canonical.encode(taken), lines[-1], b""]
    assert refusal(rechained(b"\n".join(export), SECRET)).version == last + 1


def test_a_secret_revealed_before_the_end_is_found():
    hosted = played("expeditions", 1)
    version = first(whole(), "tile_taken")

    def change(line):
        line["header"].update(type="match.secret_revealed")
        line["body"].update(payload={"kind": "secret_revealed", "secret": SECRET.hex()}, draws=[])

    export = shortened(whole(), SECRET, hosted.facts.version - 1)
    assert refusal(forged(export, SECRET, version, change)).version == version


def test_a_match_is_created_once():
    version = first(whole(), "seat_claimed")
    created = json.loads(whole().splitlines()[1])["body"]["payload"]

    def change(line):
        line["header"].update(type="match.created")
        line["body"].update(payload=created)

    assert refusal(forged(whole(), SECRET, version, change)).version == version
