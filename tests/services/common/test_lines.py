import pytest

from services.common.lines import line, lines

HOSTILE = ["\n", "\r", "\x1b[31m", "\x9b", "\x07", "\u2028", "\u202e", "\u2066"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_terminal_obeys_is_shown_as_a_question_mark(text):
    assert line(f"Ann{text}") == f"Ann?{text[1:]}"


@pytest.mark.parametrize("name", ["Žofie Ďáblová", "山田", "👩‍👧", "a\u00a0b"])
def test_names_stay_as_they_are(name):
    assert line(name) == lines(name) == name


def test_several_lines_stay_several():
    assert lines("one\n\x1btwo") == "one\n?two"
