import pytest

from gateway.feeds.pages import beyond, first_versions
from gateway.feeds.positions import ShardPlace
from services.common.refusals import Reason, Refused
from services.eventlog import hashes
from services.eventlog.memory import MemoryLog
from tests.gateway.played import PlayedMatch

SHARD = hashes.shard("MATCH")


class Busy(MemoryLog):
    """Where `happens` happens as soon as a feed has been read, once."""

    happens = None

    async def read_feed(self, shard, after, limit=1000):
        found = await super().read_feed(shard, after, limit)
        happens, self.happens = self.happens, None
        if happens is not None:
            await happens()
        return found


@pytest.fixture
def log():
    return Busy()


async def test_the_first_entry_of_a_feed_may_come_while_it_is_looked_at(log):
    log.happens = PlayedMatch(log, "MATCH").create
    fed = await beyond(log, SHARD, ShardPlace())
    assert fed
    assert [each.number for each in fed] == list(range(1, len(fed) + 1))


async def test_a_match_that_begins_while_an_empty_feed_is_looked_at_is_found(log):
    log.happens = PlayedMatch(log, "MATCH").create
    assert await first_versions(log, SHARD, ShardPlace()) == {"MATCH": 1}


async def test_a_feed_that_was_trimmed_whole_does_not_go_back_so_far(log):
    await PlayedMatch(log, "MATCH").create()
    await log.trim_feeds(2**52)
    with pytest.raises(Refused) as refused:
        await beyond(log, SHARD, ShardPlace())
    assert refused.value.reason is Reason.CURSOR_EXPIRED
