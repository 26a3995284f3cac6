"""Structs <-> JSON <-> protobuf, for every game at once: no line here knows a move of any."""

from services.common.codec.games import GameCodec, Root
from services.common.codec.lifecycle import MatchEventCodec
from services.common.codec.roots import RootCodec, encode

__all__ = ["GameCodec", "MatchEventCodec", "Root", "RootCodec", "encode"]
