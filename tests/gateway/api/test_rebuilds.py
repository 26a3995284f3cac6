"""RebuildReadModel over gRPC."""

import pytest

from services.common.refusals import Reason
from tests.gateway.api.test_admin import operating
from tests.gateway.floor import play_on, refusal, started_match
from tidelog.client import Refused, connect


@pytest.fixture
async def operator(floor, gateway):
    return await operating(floor, gateway)


async def test_every_read_model_is_rebuilt_for_an_admin(gateway, operator, ann, bob):
    await play_on([ann, bob], await started_match(ann, bob))
    await started_match(ann, bob)
    for name in gateway.parts.rebuilder.names:
        answer = await operator.call("RebuildReadModel", name=name)
        assert (answer.matches, answer.differing_rows) == (2, 0)


async def test_players_rebuild_nothing(floor, gateway):
    player = await operating(floor, gateway, "ann", admin=False)
    assert (await refusal(player.call("RebuildReadModel", name="matches"))).reason is Reason.NOT_ALLOWED


@pytest.mark.parametrize("name", ["", "nothing", "x" * 10_000])
async def test_an_unknown_read_model_is_refused_with_the_known_ones(gateway, operator, name):
    refused = await refusal(operator.call("RebuildReadModel", name=name))
    assert refused.reason is Reason.MALFORMED
    assert all(each in refused.message for each in gateway.parts.rebuilder.names)
    assert len(refused.message) < 300


async def test_the_python_client_asks_for_it(floor, gateway, ann, bob):
    await started_match(ann, bob)
    root = await floor.client(gateway, "root", admin=True)
    async with connect(gateway.address, token=root.token) as client:
        found = await client.admin().rebuild("matches")
        assert (found.matches, found.rows, found.differing_rows) == (1, 7, 0)
        with pytest.raises(Refused) as raised:
            await client.admin().rebuild("nothing")
        assert raised.value.reason == "malformed"
