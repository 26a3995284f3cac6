"""The Python client of Tidelog: `async with connect("127.0.0.1:50051", guest="Ann") as client: ...`.

What its calls answer is in `tidelog.client.answers`.
"""

from tidelog.client.calling import new_request_id
from tidelog.client.client import Client, connect
from tidelog.client.lobby import Filter, Lobby
from tidelog.client.log import Log
from tidelog.client.play import Play, Seated, Told
from tidelog.client.refused import Refused
from tidelog.client.turns import Turn
from tidelog.client.wording import Wording
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL as LEGAL
from tidelog.v1.updates_pb2 import INCLUDE_SENTENCE as SENTENCE
from tidelog.v1.updates_pb2 import INCLUDE_VIEW as VIEW

__all__ = [
    "LEGAL",
    "SENTENCE",
    "VIEW",
    "Client",
    "Filter",
    "Lobby",
    "Log",
    "Play",
    "Refused",
    "Seated",
    "Told",
    "Turn",
    "Wording",
    "connect",
    "new_request_id",
]
