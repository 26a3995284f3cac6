"""A server to whom nonsense is sent refuses each piece with a documented status, and serves the next caller as ever."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from typing import Any

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from grpc.aio import EOF

from engines.core import games
from gateway.identity import mint
from gateway.main import Gateway
from gateway.settings import GatewaySettings
from services.common.refusals import Reason
from services.common.wire import STATUS, refused_from
from services.engine.main import EngineService, EngineSettings
from services.engine.server import CLUSTER_KEY
from tests.faults.fuzz import messages
from tests.faults.fuzz.mutations import some
from tests.integration.serving import CLUSTER_KEY as KEY
from tidelog.client import Client, connect

PATIENCE_S = 60.0
SHORT, SOAK = 100, 3_000
"""Calls of each rpc."""

NO_MESSAGE = (b"\xff\xff", b"\x0a\x02\xff\xfe", b"\x0a\xff\xff\xff\xff\x0f", b"\x07")
"""Bytes that no message of any type has."""

CALLS = [pytest.param(SHORT, id="short"), pytest.param(SOAK, id="soak", marks=pytest.mark.soak)]
ids = (f"sound {number}" for number in count())


class Server:
    """A gateway with an engine service for each game, a client with a match of each, and their raw channels."""

    def __init__(self, gateway: Gateway, engine: grpc.aio.Channel, channel: grpc.aio.Channel, client: Client) -> None:
        self.gateway = gateway
        self.engine = engine
        self.channel = channel
        self.client = client
        self.matches: list[str] = []
        token = mint(gateway.parts.guest_key, "fool")
        self.metadata = (("authorization", f"Bearer {token}"),)
