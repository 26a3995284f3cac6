"""How many sequences of moves there are from a state, as move generators of chess are counted."""

from engines.core.chance import MatchChance
from engines.core.draft import Draft

SEED = 5


def advanced(engine, state, act, version):
    draft = Draft(engine.evolve, state.copy(), MatchChance(SEED.to_bytes(32, "big"), version))
    act(draft)
    return draft.state


def played(engine, state, seat, move, version):
    return advanced(engine, state, lambda draft: draft.play(engine.decide, seat, move), version)


def opening(engine, start, plies):
    """The table after the setup and so many moves of autopilots."""
    state = advanced(engine, start, engine.setup, 0)
    for version in range(1, plies + 1):
        seat = engine.to_act(state)[0]
        state = played(engine, state, seat, engine.autopilot(state, seat), version)
    return state


def perft(engine, state, version, depth):
    seats = engine.to_act(state) + engine.may_act(state)
    moves = [(seat, move) for seat in seats for move in engine.legal_moves(state, seat)]
    if depth == 1:
        return len(moves)
    return sum(perft(engine, played(engine, state, *move, version + 1), version + 1, depth - 1) for move in moves)


def counted(engine, state, version, counts):
    """The numbers for as many depths as there are counts."""
    return tuple(perft(engine, state, version, depth) for depth in range(1, len(counts) + 1))
