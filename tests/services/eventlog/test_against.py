"""A redacted export beside the full one of the same match: what was told is what was to be told."""

import json

import pytest

from services.eventlog.export import export_full, export_redacted
from services.eventlog.reading import BadExport, Export, against, lines_of, read
from tests.services.eventlog.forging import with_line
from tests.services.eventlog.given import EDITION, SECRET, Hosted, play_on, started


def full_of(hosted: Hosted) -> Export:
    return read(export_full(hosted.entries, EDITION, None if hosted.facts.over else SECRET))


def told_of(hosted: Hosted, seat: int | None = None) -> bytes:
    return b"".join(export_redacted(hosted.entries, EDITION, hosted.aggregate, seat))


def read_back(export: bytes) -> Export:
    return read(lines_of([export]))


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_payload_forged_with_its_closing_line_passes_before_the_reveal_and_fails_after_it(seat):
    hosted = play_on(started(2), commands=10)
    version = hosted.types.index("lost_seas.tile_taken") + 1
    told = told_of(hosted, seat)
    forgery = read_back(with_line(told, version, lambda line: line["payload"].update(cell=15)))
    assert json.loads(forgery.lines[version - 1].payload)["cell"] == 15
    full = full_of(play_on(hosted))
    against(read_back(told), full)
    with pytest.raises(BadExport, match="not what this audience is told") as bad:
        against(forgery, full)
    assert bad.value.version == version


def test_a_secret_told_too_early_is_found():
    """LS-5: a choice of sides is told to its own seat alone."""
    hosted = play_on(started(2), commands=2)
    version = hosted.types.index("lost_seas.sides_chosen") + 1
    open_choice = json.loads(hosted.entries[version - 1].body)["payload"]
    told = with_line(told_of(hosted), version, lambda line: line.update(payload=open_choice))
    with pytest.raises(BadExport) as bad:
        against(read_back(told), full_of(play_on(hosted)))
    assert bad.value.version == version


def test_a_redacted_log_of_another_history_is_found():
    hosted, other = (play_on(started(2), seed=seed, commands=10) for seed in (1, 2))
    with pytest.raises(BadExport, match="differ from the full log's"):
        against(read_back(told_of(other)), full_of(hosted))


def test_full_logs_are_compared_too():
    one, two = (full_of(play_on(started(2), seed=seed, commands=10)) for seed in (1, 2))
    against(one, one)
    with pytest.raises(BadExport, match="differ"):
        against(one, two)


def test_a_log_that_goes_beyond_the_full_one_is_found():
    hosted = play_on(started(2), commands=10)
    full = read(export_full(hosted.entries[:-1], EDITION, SECRET))
    with pytest.raises(BadExport, match="ends before it") as bad:
        against(read_back(told_of(hosted)), full)
    assert bad.value.version == hosted.facts.version


def test_logs_of_two_matches_are_not_compared():
    told = read_back(told_of(started(2)))
    with pytest.raises(BadExport, match="not of one match"):
        against(told, full_of(Hosted(match="ANOTHERISLANDANOTHERISLA")))


def test_only_a_full_export_is_compared_with():
    told = read_back(told_of(started(2)))
    with pytest.raises(BadExport, match="not a full one"):
        against(told, told)
