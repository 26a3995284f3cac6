"""Laws of events and states: a match is its events, and nothing else."""

from typing import Any

import msgspec

from engines.core.chance import SeededChance
from engines.core.draft import Draft
from services.cli.laws.record import Matches, encode_json, initial, kept, play, secret, stored, stored_names


def the_fold_of_the_events_is_the_state(matches: Matches) -> None:
    for played in matches:
        state = played.start.copy()
        states = {step.version: step.after for step in played.steps}
        for command in played.commands:
            for event in command.events():
                played.engine.evolve(state, event)
            if command.version in states:
                assert stored(state) == stored(states[command.version])


def the_fold_of_events_read_back_from_json_is_the_state(matches: Matches) -> None:
    for played in matches:
        decode = msgspec.json.Decoder(played.engine.Event).decode
        state = initial(played.game, played.variant, played.seats)
        for event in played.events():
            data = encode_json(event)
            back = decode(data)
            assert back == event
            assert encode_json(back) == data
            played.engine.evolve(state, back)
        assert stored(state) == stored(played.end)


def the_same_secret_gives_the_same_match(matches: Matches) -> None:
    for played in matches:
        again = list(play(played.game, played.variant, played.seed))
        assert tuple(command for command, _ in again) == played.commands
        assert stored(again[-1][1]) == stored(played.end)


def another_secret_gives_another_match(matches: Matches) -> None:
    luck = {
        tuple(
            [draw.result for command in played.commands for emitted in command.emitted for draw in emitted.draws][:20]
        )
        for played in matches
    }
    assert len(luck) > 1 or luck == {()}


def every_draw_is_recorded_with_the_event_that_it_made(matches: Matches) -> None:
    for played in matches:
        for command in played.commands:
            chance = secret(played.seed, command.version)
            for emitted in command.emitted:
                for draw in emitted.draws:
                    assert chance.draw(draw.label, draw.n) == draw.result


def derived_fields_are_what_the_others_make_them(matches: Matches) -> None:
    for played in matches:
        for step in played.steps:
            twin = step.after.copy()
            twin.rederive()
            for name in twin.derived:
                assert getattr(twin, name) == getattr(step.after, name)


def a_copy_is_independent(matches: Matches) -> None:
    for played in matches:
        for step in played.steps[1:]:
            before = stored(step.before)
            twin = step.before.copy()
            assert twin.catalog is step.before.catalog
            for event in step.events():
                played.engine.evolve(twin, event)
            assert stored(step.before) == before
            assert stored(twin) == stored(step.after)
            assert [getattr(twin, name) for name in twin.derived] == [
                getattr(step.after, name) for name in twin.derived
            ]


def a_stored_state_comes_back_whole(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for step in played.steps:
            twin = kept(step.after, stored_names(type(step.after)))
            assert stored(twin) == stored(step.after)
            for seat in played.audiences:
                assert engine.view(twin, seat) == engine.view(step.after, seat)


def queries_leave_the_state_alone(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for step in played.steps:
            before = stored(step.after)
            for seat in played.audiences:
                engine.view(step.after, seat)
                engine.determinize(step.after, seat, SeededChance(played.seed))
            for seat in engine.to_act(step.after) + engine.may_act(step.after):
                list(engine.legal_moves(step.after, seat))
                engine.families(step.after, seat)
            for seat in engine.to_act(step.after):
                engine.autopilot(step.after, seat)
            engine.turns(step.after)
            engine.outcome(step.after)
            assert stored(step.after) == before


def pieces_are_conserved(matches: Matches) -> None:
    for played in matches:
        pieces = played.profile.pieces
        if pieces is None:
            continue
        whole = pieces(played.start)
        state = played.start.copy()
        for event in played.events():
            played.engine.evolve(state, event)
            assert pieces(state) == whole


def views_exist_after_every_single_event(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for step in played.steps:
            state = step.before.copy()
            for event in step.events():
                engine.evolve(state, event)
                view = engine.view(state, None)
                assert view == engine.view(state.copy(), None)
                for seat in engine.to_act(state):
                    assert next(engine.legal_moves(state, seat), None) is not None


def turns_never_fall_and_a_command_begins_one_at_most(matches: Matches) -> None:
    for played in matches:
        engine, state, begun = played.engine, played.start.copy(), 0
        assert engine.turns(state) == 0
        for command in played.commands:
            most = begun + 1
            for event in command.events():
                engine.evolve(state, event)
                assert begun <= engine.turns(state) <= most
                begun = engine.turns(state)
        assert begun > 0


def the_ranking_holds_every_seat_once_and_its_scores_add_up(matches: Matches) -> None:
    for played in matches:
        outcome = played.engine.outcome(played.end)
        assert outcome is not None
        ranking = outcome.ranking
        assert sorted(standing.seat for standing in ranking) == list(range(played.seats))
        assert [(one.place, one.seat) for one in ranking] == sorted((one.place, one.seat) for one in ranking)
        assert ranking[0].place == 1
        for standing in ranking:
            assert standing.points == sum(score.points for score in standing.scores)
            assert standing.place == 1 + sum(other.place < standing.place for other in ranking)


def scores_on_the_way_are_every_seats_and_end_as_the_ranking_counts(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        if engine.scores is None:
            continue
        for state in (played.start, *(step.after for step in played.steps)):
            for audience in played.audiences:
                scores = engine.scores(engine.view(state, audience))
                assert [type(score) for score in scores] == [int] * played.seats
        outcome = engine.outcome(played.end)
        assert outcome is not None
        points = {standing.seat: standing.points for standing in outcome.ranking}
        for audience in played.audiences:
            assert dict(enumerate(engine.scores(engine.view(played.end, audience)))) == points


def a_draft_of_setup_needs_nothing_but_luck(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        draft: Draft[Any, Any] = Draft(engine.evolve, played.start.copy(), SeededChance(played.seed))
        engine.setup(draft)
        draft.close()
        assert draft.emitted
        assert engine.to_act(draft.state)
