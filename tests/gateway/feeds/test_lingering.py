import pytest

from gateway.feeds.lingering import Lingering


@pytest.mark.parametrize(
    ("read", "answered", "lingers"),
    [
        (0, 0, False),
        (0, 5, False),
        (199, 199, False),
        (200, 200, True),
        (200, 180, True),
        (200, 179, False),
        (200, 0, False),
    ],
)
async def test_the_feeds_wait_while_answers_bring_nearly_all_of_them(read, answered, lingers):
    count = [100]
    lingering = Lingering(lambda: count[0])
    await lingering.after(100)
    lingering.look()
    count[0] += answered
    await lingering.after(read)
    lingering.look()
    assert lingering.lingers is lingers


async def test_what_was_seen_at_the_last_look_counts_no_more():
    count = [300]
    lingering = Lingering(lambda: count[0])
    await lingering.after(300)
    lingering.look()
    assert lingering.lingers
    await lingering.after(300)
    lingering.look()
    assert not lingering.lingers
