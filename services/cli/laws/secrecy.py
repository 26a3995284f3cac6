"""Laws of hidden information: what a seat may not see shows nowhere."""

from collections.abc import Sequence
from typing import Any

from engines.core.chance import Chance
from engines.core.draft import Draft, Emitted, refusal
from engines.core.engine import AnyEngine
from services.cli.laws.record import Matches, secret

Emissions = Sequence[Emitted[Any]]


def told(engine: AnyEngine, emitted: Emissions, audience: int | None) -> list[Any]:
    return [engine.redact(one.event, audience) for one in emitted]


def told_otherwise(engine: AnyEngine, here: Emissions, there: Emissions, audience: int | None) -> list[Any]:
    """The events, as they were, that the audience is told in one of the two cases only."""
    cases = told(engine, here, audience), told(engine, there, audience)
    if cases[0] == cases[1]:
        return []
    differing = [
        one.event
        for emitted, other in ((here, cases[1]), (there, cases[0]))
        for one in emitted
        if engine.redact(one.event, audience) not in other
    ]
    return differing or [one.event for one in (*here, *there)]


def played_from(engine: AnyEngine, state: Any, seat: int, move: Any, chance: Chance) -> Draft[Any, Any]:
    draft: Draft[Any, Any] = Draft(engine.evolve, state.copy(), chance)
    draft.play(engine.decide, seat, move)
    return draft


def states_that_a_seat_cannot_tell_apart_look_alike_to_it(matches: Matches) -> None:
    for played in matches:
        engine, chance = played.engine, played.chance()
        for step in played.steps:
            for audience in played.audiences:
                twin = engine.determinize(step.after, audience, chance)
                assert twin is not step.after
                assert engine.view(twin, audience) == engine.view(step.after, audience)
                assert engine.turns(twin) == engine.turns(step.after)
                assert engine.to_act(twin) == engine.to_act(step.after)
                assert engine.may_act(twin) == engine.may_act(step.after)
                if audience is not None:
                    assert list(engine.legal_moves(twin, audience)) == list(engine.legal_moves(step.after, audience))


def their_families_hold_the_same_moves(matches: Matches) -> None:
    for played in matches:
        engine, chance = played.engine, played.chance()
        for step in played.steps:
            for seat in range(played.seats):
                twin = engine.determinize(step.after, seat, chance)
                here, there = engine.families(step.after, seat), engine.families(twin, seat)
                assert [family.name for family in here] == [family.name for family in there]
                for one, other in zip(here, there, strict=True):
                    assert other.contains(one.sample(chance))
                    assert one.contains(other.sample(chance))


def what_happens_in_them_is_told_alike(matches: Matches) -> None:
    """But for the events that tell a secret."""
    for played in matches:
        engine, chance = played.engine, played.chance()
        telling = played.profile.telling
        for step in played.steps[1:]:
            assert step.seat is not None
            for audience in played.audiences:
                twin = engine.determinize(step.before, audience, chance)
                if refusal(engine.decide, twin, step.seat, step.move) is not None:
                    continue
                draft = played_from(engine, twin, step.seat, step.move, secret(played.seed, step.version))
                here, there = told(engine, step.emitted, audience), told(engine, draft.emitted, audience)
                assert [event for event in here if not isinstance(event, telling)] == [
                    event for event in there if not isinstance(event, telling)
                ]


def redaction_is_a_function_of_event_and_audience(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for event in played.events():
            for audience in played.audiences:
                shown = engine.redact(event, audience)
                assert type(shown) is type(event)
                assert engine.redact(event, audience) == shown
                assert engine.redact(shown, audience) == shown
                assert engine.redact(shown, None) == engine.redact(event, None)


def only_optional_fields_are_redacted(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for event in played.events():
            for audience in played.audiences:
                shown = engine.redact(event, audience)
                for name in event.__struct_fields__:
                    assert getattr(shown, name) in (getattr(event, name), None)


def what_the_view_hides_the_events_hide_too(matches: Matches) -> None:
    """Two moves that an audience is told alike leave the same table to it, and the other way round.

    But for events that hide nothing from anyone: they need leave no trace on the table.
    """
    for played in matches:
        engine = played.engine
        for step in played.sample:
            if step.seat is None:
                continue
            views = {audience: engine.view(step.after, audience) for audience in played.audiences}
            others = list(engine.legal_moves(step.before, step.seat))
            for move in others[:: 1 + len(others) // 3]:
                draft = played_from(engine, step.before, step.seat, move, secret(played.seed, step.version))
                for audience in played.audiences:
                    seen = engine.view(draft.state, audience) == views[audience]
                    differing = told_otherwise(engine, step.emitted, draft.emitted, audience)
                    assert seen or differing
                    if seen:
                        assert not any(engine.redact(event, None) != event for event in differing)


def a_seat_is_told_its_own_moves_in_full(matches: Matches) -> None:
    for played in matches:
        for step in played.steps[1:]:
            assert told(played.engine, step.emitted[:1], step.seat) == [step.emitted[0].event]


def nothing_is_hidden_at_the_end(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        assert engine.determinize(played.end, None, played.chance()).__struct_fields__
        spectator = engine.view(played.end, None)
        for seat in range(played.seats):
            assert engine.view(played.end, seat).outcome == spectator.outcome == engine.outcome(played.end)
