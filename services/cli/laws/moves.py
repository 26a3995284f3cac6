"""Laws of moves: which are legal, how others are refused."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from engines.core import games
from engines.core.chance import SeededChance
from engines.core.draft import Draft, refusal
from engines.core.errors import IllegalMove
from services.cli.laws.mutate import fits, mutants, words_of
from services.cli.laws.record import Match, Matches, has_moves, secret, stored
from services.cli.laws.shapes import rule_ids

LISTED = 200
UNENDING = 300
"""How many decisions of autopilots are looked at in a game that they don't end."""


def every_seat(played: Match) -> range:
    return range(-1, played.seats + 1)


def duties(played: Match) -> Iterator[tuple[Any, int]]:
    """Each state with each seat that may move in it."""
    engine = played.engine
    for step in played.steps:
        for seat in engine.to_act(step.after) + engine.may_act(step.after):
            yield step.after, seat


def listed_moves_are_legal_and_listed_once(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for state, seat in duties(played):
            moves = list(engine.legal_moves(state, seat))
            assert moves or seat in engine.may_act(state)
            assert len(set(moves)) == len(moves)
            assert moves == list(engine.legal_moves(state.copy(), seat))
            for move in moves[:: 1 + len(moves) // 8]:
                assert refusal(engine.decide, state, seat, move) is None


def families_hold_what_they_sample_and_their_duty_lists_at_most_200(matches: Matches) -> None:
    for played in matches:
        engine, chance = played.engine, played.chance()
        for state, seat in duties(played):
            families = engine.families(state, seat)
            if families:
                assert len(list(engine.legal_moves(state, seat))) <= LISTED
            for family in families:
                for move in (family.sample(chance) for _ in range(4)):
                    assert family.contains(move)
                    assert refusal(engine.decide, state, seat, move) is None


def autopilot_is_legal_and_first_where_moves_form_a_family(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for step in played.steps:
            for seat in engine.to_act(step.after):
                move = engine.autopilot(step.after, seat)
                assert refusal(engine.decide, step.after, seat, move) is None
                if engine.families(step.after, seat):
                    assert move == next(engine.legal_moves(step.after, seat))


def a_seat_that_neither_owes_nor_may_has_no_moves(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for step in played.steps:
            active = engine.to_act(step.after) + engine.may_act(step.after)
            assert len(set(active)) == len(active)
            assert set(active) <= set(range(played.seats))
            for seat in set(every_seat(played)) - set(active):
                assert list(engine.legal_moves(step.after, seat)) == []
                assert engine.families(step.after, seat) == ()


def probes(played: Match, rng: random.Random, count: int) -> Iterator[tuple[Any, int, Any]]:
    """(state, seat, move): moves of this match, as they were and changed a little, tried at any time by anyone."""
    moves = played.moves
    words = words_of(moves)
    for step in played.steps:
        pool = [*rng.sample(moves, 3), *mutants(rng.choice(moves), rng.sample(words, min(2, len(words))))]
        if step.move is not None:
            pool += [*mutants(step.move, rng.sample(words, min(2, len(words)))), step.move]
        for move in islice(filter(fits, rng.sample(pool, len(pool))), count):
            yield step.after, rng.choice(every_seat(played)), move
            for seat in played.engine.to_act(step.after) + played.engine.may_act(step.after):
                yield step.after, seat, move


def an_accepted_move_is_listed_or_in_a_family(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for state, seat, move in probes(played, random.Random(played.seed), 6):
            if refusal(engine.decide, state, seat, move) is None:
                listed = move in set(engine.legal_moves(state, seat))
                assert listed or any(family.contains(move) for family in engine.families(state, seat))


def a_refused_move_is_neither_listed_nor_in_a_family(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for state, seat, move in probes(played, random.Random(played.seed), 3):
            if refusal(engine.decide, state, seat, move) is not None:
                assert move not in set(engine.legal_moves(state, seat))
                assert not any(family.contains(move) for family in engine.families(state, seat))


def a_refusal_names_a_rule_and_changes_nothing(matches: Matches) -> None:
    for played in matches:
        engine, rules = played.engine, rule_ids(played.game)
        for state, seat, move in probes(played, random.Random(played.seed), 4):
            expected = refusal(engine.decide, state, seat, move)
            if expected is None:
                continue
            before = stored(state)
            draft: Draft[Any, Any] = Draft(engine.evolve, state, secret(played.seed, 0))
            refused = _refused(draft, played, seat, move)
            assert refused is not None
            assert (refused.rule, refused.message) == (expected.rule, expected.message)
            assert expected.rule in rules
            assert expected.message
            assert stored(state) == before
            assert draft.emitted == []


def _refused(draft: Draft[Any, Any], played: Match, seat: int, move: Any) -> IllegalMove | None:
    try:
        draft.play(played.engine.decide, seat, move)
    except IllegalMove as refused:
        return refused
    return None


def a_refusal_tells_no_secret(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        for state, seat, move in probes(played, random.Random(played.seed), 3):
            if not 0 <= seat < played.seats:
                continue
            twin = engine.determinize(state, seat, played.chance())
            here, there = (refusal(engine.decide, one, seat, move) for one in (state, twin))
            assert str(here) == str(there)


def nothing_is_accepted_after_the_end(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        assert engine.outcome(played.end) is not None
        assert engine.to_act(played.end) == engine.may_act(played.end) == ()
        for step in played.steps[1:]:
            for seat in every_seat(played):
                assert refusal(engine.decide, played.end, seat, step.move) is not None


def play_ends_and_not_before_its_end(matches: Matches) -> None:
    for played in matches:
        engine = played.engine
        assert len(played.commands) < played.profile.most_decisions
        for step in played.steps[:-1]:
            assert engine.outcome(step.after) is None
            assert engine.to_act(step.after)


def autopilots_alone_bring_a_match_to_its_end(matches: Matches) -> None:
    """Or go on for ever, legally, where nobody wins who does not try: a profile with AUTOPILOTS_END = False."""
    for played in matches:
        engine, ends = played.engine, played.profile.autopilots_end
        for step in played.steps[0], played.steps[len(played.steps) // 2]:
            state = step.after.copy()
            for version in range(1, played.profile.most_decisions if ends else UNENDING):
                seats = engine.to_act(state)
                if not seats:
                    break
                draft: Draft[Any, Any] = Draft(engine.evolve, state, secret(played.seed, version))
                draft.play(engine.decide, seats[-1], engine.autopilot(state, seats[-1]))
            assert engine.outcome(state) is not None or not ends


def a_greedy_player_chooses_legal_moves(matches: Matches) -> None:
    for played in matches:
        engine, choose, chance = played.engine, games.policy(played.game), SeededChance(played.seed)
        for state, seat in list(duties(played))[:: 1 + played.seed % 7]:
            if not has_moves(engine, state, seat):
                continue
            move = choose(engine.view(state, seat), tuple(engine.legal_moves(state, seat)), chance)
            if move is None:
                assert seat in engine.may_act(state)
            else:
                assert refusal(engine.decide, state, seat, move) is None
