import pytest

from gateway.matches.past import MARKS, PastMatches
from services.common.refusals import Reason, Refused
from services.eventlog.loading import Loader
from tests.gateway.played import ENGINE, PlayedMatch


@pytest.fixture
async def played(log):
    return await (await PlayedMatch(log, "MATCH").started()).finish()


@pytest.fixture
def past(log):
    return PastMatches(log, Loader(log))


async def seen(past, version, match_id="MATCH"):
    fold = await past.at(match_id, version)
    past.give_back(fold)
    return fold.cursor, ENGINE.view(fold.state, None)


async def test_every_version_is_that_of_a_fold_up_to_it(past, played):
    versions = range(1, len(played.entries) + 1)
    forwards = [await seen(past, version) for version in versions]
    backwards = [await seen(past, version) for version in reversed(versions)]
    assert forwards == backwards[::-1]
    assert [cursor for cursor, _ in forwards] == [entry.cursor for entry in played.entries]


async def test_versions_in_order_are_folded_once(past, played):
    count = len(played.entries)
    for version in range(1, count + 1):
        await seen(past, version)
    assert past.entries_read < 2 * count


async def test_back_and_forth_costs_the_distance_between_two_marks(past, played, monkeypatch):
    """Never the way from the beginning, and never more snapshots than the limit."""
    monkeypatch.setattr("gateway.matches.past.MARK_EVERY", 2)
    count = len(played.entries)
    await seen(past, count)
    marks = past._marks["MATCH"]
    assert count > 2 * MARKS
    assert MARKS / 2 <= len(marks) <= MARKS
    farthest = 2 * count / MARKS + 2
    for step in range(count // 2):
        for version in (count - step, count // 2 - step + 1):
            before = past.entries_read
            assert (await seen(past, version))[0] == played.entries[version - 1].cursor
            assert past.entries_read - before <= farthest


async def test_a_mark_of_a_log_that_went_back_is_not_used(past, played, log, monkeypatch):
    monkeypatch.setattr("gateway.matches.past.MARK_EVERY", 2)
    await seen(past, len(played.entries))
    twin = await (await PlayedMatch(type(log)(), "MATCH", seed=2).started()).finish()
    log._logs["MATCH"] = twin.entries
    assert (await seen(past, 12))[0] == twin.entries[11].cursor
    assert (await seen(past, 9))[0] == twin.entries[8].cursor


async def test_two_who_look_at_once_do_not_disturb_each_other(past, played):
    early, late = await past.at("MATCH", 3), await past.at("MATCH", len(played.entries))
    assert (early.facts.version, late.facts.version) == (3, len(played.entries))


async def test_a_version_beyond_the_log_is_refused(past, played):
    with pytest.raises(Refused) as raised:
        await past.at("MATCH", len(played.entries) + 1)
    assert raised.value.reason is Reason.UNKNOWN_VERSION
    with pytest.raises(Refused):
        await past.at("MATCH", 0)


@pytest.mark.usefixtures("played")
async def test_a_fold_of_a_log_that_went_back_is_not_used(past, log):
    await seen(past, 10)
    twin = await (await PlayedMatch(type(log)(), "MATCH", seed=2).started()).finish()
    log._logs["MATCH"] = twin.entries
    assert (await seen(past, 12))[0] == twin.entries[11].cursor


async def test_few_folds_are_kept(log):
    past = PastMatches(log, Loader(log), kept=2)
    for name in "ABC":
        await PlayedMatch(log, name).started()
        await seen(past, 2, name)
    assert list(past._folds) == list(past._marks) == ["B", "C"]
