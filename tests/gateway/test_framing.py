import pytest

from gateway.framing import field
from tidelog.v1.matches_pb2 import PlayAnswer, PlayResponse
from tidelog.v1.updates_pb2 import LegalMoves, Situation, ToldEntry


@pytest.mark.parametrize("size", [0, 1, 110, 127, 128, 16_370, 16_383, 16_384, 3_000_000])
def test_a_field_is_what_protobuf_writes(size):
    inner = Situation(cursor="x" * size)
    whole = ToldEntry(situation=inner).SerializeToString()
    assert field(ToldEntry.SITUATION_FIELD_NUMBER, inner.SerializeToString()) == whole


def test_joined_messages_are_one_with_the_items_of_both():
    answers = [PlayAnswer(seated=PlayAnswer.Seated(match_id=name, seat=1)) for name in "ABC"]
    joined = b"".join(field(PlayResponse.ANSWERS_FIELD_NUMBER, answer.SerializeToString()) for answer in answers)
    assert PlayResponse.FromString(joined) == PlayResponse(answers=answers)


def test_fields_added_to_a_message_are_read_beside_its_own():
    situation = Situation(cursor="7-a", legal=LegalMoves(families=["trades"]))
    told = ToldEntry(cursor="7-a", version=7).SerializeToString()
    whole = ToldEntry.FromString(told + field(ToldEntry.SITUATION_FIELD_NUMBER, situation.SerializeToString()))
    assert whole == ToldEntry(cursor="7-a", version=7, situation=situation)
