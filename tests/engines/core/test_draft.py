import pytest

from engines.core.chance import Draw
from engines.core.draft import BareDraft, BrokenDraft, Draft, Emitted, refusal
from engines.core.errors import IllegalMove


class Luck:
    def draw(self, label, n):  # noqa: ARG002 - always the last of n
        return n - 1


def draft(kind=Draft):
    return kind(list.append, [], Luck())


both = pytest.mark.parametrize("kind", [Draft, BareDraft])


def test_an_emitted_event_is_in_the_state_at_once():
    one = draft()
    one.emit("a")
    assert one.state == ["a"]
    assert one.emitted == [Emitted("a", ())]


def test_an_event_records_the_draws_since_the_one_before():
    one = draft()
    assert one.draw("die", 6) == 5
    assert one.draw("card", 3) == 2
    one.emit("a")
    one.emit("b")
    assert one.emitted == [Emitted("a", (Draw("die", 6, 5), Draw("card", 3, 2))), Emitted("b", ())]


def test_a_draw_that_no_event_records_is_an_error():
    one = draft()
    one.close()
    one.draw("die", 6)
    with pytest.raises(BrokenDraft, match="die"):
        one.close()


def refuse(draft, seat, move):  # noqa: ARG001 - the shape of decide
    raise IllegalMove("X-1", f"seat {seat} may not {move}")


def emit_and_refuse(draft, seat, move):
    draft.emit(move)
    refuse(draft, seat, move)


def draw_and_refuse(draft, seat, move):
    draft.draw("die", 6)
    refuse(draft, seat, move)


def accept(draft, seat, move):
    draft.emit((seat, move))


def draw_and_accept(draft, seat, move):
    draft.emit((seat, move, draft.draw("die", 6)))


def accept_and_draw(draft, seat, move):
    draft.emit((seat, move))
    draft.draw("die", 6)


def say_nothing(draft, seat, move):
    pass


@both
def test_moves_are_decided_in_the_draft_one_after_the_other(kind):
    one = draft(kind)
    one.play(draw_and_accept, 2, "roll")
    with pytest.raises(IllegalMove):
        one.play(refuse, 2, "roll")
    one.play(accept, 3, "pass")
    assert one.state == [(2, "roll", 5), (3, "pass")]
    assert one.events == 2


def test_a_bare_draft_keeps_no_events():
    one = draft(BareDraft)
    one.play(draw_and_accept, 2, "roll")
    assert one.emitted == []


@both
def test_a_refusal_passes_through_with_its_rule(kind):
    with pytest.raises(IllegalMove) as refused:
        draft(kind).play(refuse, 1, "roll")
    assert refused.value.rule == "X-1"
    assert str(refused.value) == "X-1: seat 1 may not roll"


@both
@pytest.mark.parametrize("decide", [emit_and_refuse, draw_and_refuse])
def test_a_refusal_comes_before_the_first_emit_and_the_first_draw(decide, kind):
    with pytest.raises(BrokenDraft, match="after an emit or a draw"):
        draft(kind).play(decide, 1, "roll")


@both
def test_an_accepted_move_has_an_event_and_draws_nothing_after_its_last(kind):
    with pytest.raises(BrokenDraft, match="without an event"):
        draft(kind).play(say_nothing, 1, "roll")
    with pytest.raises(BrokenDraft, match="no event records"):
        draft(kind).play(accept_and_draw, 1, "roll")


@pytest.mark.parametrize("decide", [accept, draw_and_accept])
def test_a_legal_move_has_no_refusal_and_leaves_the_state_alone(decide):
    state = []
    assert refusal(decide, state, 1, "roll") is None
    assert state == []


def test_an_illegal_move_has_one():
    assert refusal(refuse, [], 1, "roll").rule == "X-1"
    with pytest.raises(BrokenDraft, match="without an event"):
        refusal(say_nothing, [], 1, "roll")


def test_a_trial_neither_draws_nor_evolves():
    def stubborn(draft, _, move):
        for act in (lambda: draft._chance.draw("die", 6), lambda: draft._evolve([], move)):
            with pytest.raises(AssertionError):
                act()
        draft.emit(move)

    assert refusal(stubborn, [], 1, "roll") is None
