"""Random matches, each event followed in a ledger that knows the printed rules and nothing of the engine."""

import random

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen import moves as m
from engines.catan_fishermen.catalog import Cards, Resource
from engines.catan_fishermen.events import CardStolen
from engines.catan_fishermen.fish import FORMS, PRICES, Benefit, Fish, Fishermen
from engines.catan_fishermen.state import Board, Options
from engines.core import games
from engines.core.chance import MatchChance, SeededChance
from engines.core.draft import Draft, refusal
from services.cli.laws.record import members
from tests.engines.catan_fishermen.fish_ledger import ledger_of
from tests.engines.catan_fishermen.lawbook import discards, moves
from tests.engines.catan_fishermen.ledger import DEVELOPMENTS, EDITION, KINDS
from tests.rules import rule

SHORT, SOAK, BATCH = (2, 6, 10, 15, 19, 23, 29), 2000, 50
"""The short form plays seeds whose matches are soon over: of each board, for two to four seats."""
SHORT_WITH_FISH, SOAK_WITH_FISH = (2, 6, 10), 500
GOALS = (4, 5, 6, 8, 10, 22)
"""The points played for: short matches for breadth, whole ones and endless ones for crowded boards."""
MOST_MOVES = 3000
LEANINGS = (
    {},
    {m.EndTurn: 4},
    {m.BuildCity: 40, m.BuildSettlement: 40, m.BuildRoad: 3, m.TradeBank: 0.1, m.CancelTrade: 0.1},
    {m.EndTurn: 2, m.BuildCity: 40, m.BuildSettlement: 40, m.BuildRoad: 0.1, m.TradeBank: 0.01, m.BuyDevelopment: 0.01},
    {m.BuildCity: 0.1, m.BuildSettlement: 40, m.BuildRoad: 40, m.BuyDevelopment: 9, m.PlayRoadBuilding: 40},
)
"""How much likelier than others some moves are.

Whim, thrift, building, hoarding, which empties the bank, and roads, which run into each other.
"""
CATALOG = ENGINE.catalog(games.edition("catan_fishermen"))
FAMILIES = (m.Discard, m.OfferTrade, m.CounterOffer)
KINDS_OF_MOVES = [kind for kind in members(ENGINE.Move) if kind not in FAMILIES]


class Play:
    """A match of random moves under the ledger's eyes."""

    def __init__(self, seed, form=Fishermen.NONE):
        self.seed = seed
        self.rng = random.Random(seed)
        self.chance = SeededChance(seed)
        board, goal = self.rng.choice(list(Board)), self.rng.choice(GOALS)
        frame = board is not Board.BEGINNER and self.rng.random() < 0.5
        options = Options(form, board, frame, goal)
        self.seats = 2 + seed % 3
        self.state = ENGINE.initial(CATALOG, options, self.seats, 1)
        self.ledger = ledger_of(form, self.seats, goal)
        self.moved = 0
        self.leaning = self.rng.choice(LEANINGS)

    def to_the_end(self):
        self.command(ENGINE.setup)
        while ENGINE.outcome(self.state) is None and self.moved < MOST_MOVES:
            seat = self.rng.choice(ENGINE.to_act(self.state) + self.talkative())
            move = self.pick(seat)
            self.moved += 1
            self.command(lambda draft, seat=seat, move=move: draft.play(ENGINE.decide, seat, move))
        return self

    def talkative(self):
        """Those who may answer an offer do so now and then."""
        may = ENGINE.may_act(self.state)
        return tuple(seat for seat in may if ENGINE.families(self.state, seat) or any(self.listed(seat)))

    def listed(self, seat):
        return list(ENGINE.legal_moves(self.state, seat))

    def pick(self, seat):
        families, listed = ENGINE.families(self.state, seat), self.listed(seat)
        if families and (not listed or self.rng.random() < 0.2):
            return self.rng.choice(families).sample(self.chance)
        (move,) = self.rng.choices(listed, [self.leaning.get(type(move), 1) for move in listed])
        return move

    def command(self, act):
        draft = Draft(self.evolve, self.state, MatchChance(self.seed.to_bytes(32, "big"), self.moved))
        act(draft)
        draft.close()
        self.judge_command()

    def evolve(self, state, event):
        if isinstance(event, CardStolen):
            a_theft_is_secret(state, event, self.seats)
        ENGINE.evolve(state, event)
        self.ledger.record(event)
        tallies_agree(state, self.ledger)
        nothing_is_lost(self.ledger)
        derived_as_from_scratch(state)

    def judge_command(self):
        state, ledger = self.state, self.ledger
        holders = ledger.road_card_told, ledger.army_told
        assert holders == (ledger.road_card, ledger.army)
        assert list(state.road_lengths) == [ledger.road_length(seat) for seat in range(self.seats)]
        ledger.settle_command()
        wins = ledger.turn > 0 and ledger.has_won(ledger.seat)
        assert (ENGINE.outcome(state) is not None) == wins
        for seat in range(self.seats):
            moves_agree(state, ledger, seat)
        self.judge_anything()
        knowledge_is_sound(state, self.seats)
        if self.moved % 16 == 0 or wins:
            for seat in (*range(self.seats), None):
                twin = ENGINE.determinize(state, seat, self.chance)
                nothing_visible_changes(state, twin, seat, self.seats)
                assert wins or nobody_had_won(twin, ledger)

    def judge_anything(self):
        """A move made up, sense or nonsense, is refused unless the ledger knows it as legal."""
        seat, move = self.rng.randrange(self.seats), anything(self.rng)
        refused = refusal(ENGINE.decide, self.state, seat, move) is not None
        assert refused == (move not in moves(self.ledger, seat)), (seat, move)


def anything(rng):
    kind = rng.choice(KINDS_OF_MOVES)
    arguments = {
        "vertex": lambda: rng.randrange(-1, 55),
        "edge": lambda: rng.randrange(-1, 73),
        "hex": lambda: rng.randrange(-1, 20),
        "victim": lambda: rng.choice([None, -1, 0, 1, 2, 3, 4]),
        "partner": lambda: rng.randrange(-1, 5),
        "cards": lambda: Cards(*rng.choices([0, 0, 0, 1, 1, 2, -1], k=5)),
        "resource": lambda: rng.choice(list(Resource)),
        "give": lambda: rng.choice(list(Resource)),
        "take": lambda: rng.choice(list(Resource)),
        "benefit": lambda: rng.choice(list(PRICES)),
        "tokens": lambda: Fish(*rng.choices([0, 0, 0, 1, 1, 2, -1], k=3)),
        "back": lambda: rng.randrange(5),
        "seat": lambda: rng.randrange(-1, 5),
    }
    if kind is m.SpendFish and rng.random() < 0.9:
        benefit = rng.choice(list(PRICES))
        arguments["benefit"] = lambda: benefit
        arguments["tokens"] = lambda: Fish(*rng.choices([0, 0, 0, 1, 1, 2], k=3))
        if benefit is not Benefit.STEAL:
            arguments["victim"] = lambda: None
        if benefit is not Benefit.RESOURCE:
            arguments["resource"] = lambda: None
    return kind(*[arguments[name]() for name in kind.__struct_fields__])


def by_kind(counts):
    return [counts[kind] for kind in KINDS]


def tallies_agree(state, ledger):
    """The state's rows say what the ledger says."""
    seats = range(ledger.seats)
    assert list(state.bank) == by_kind(ledger.bank)
    assert list(state.hands) == [count for hand in ledger.hands for count in by_kind(hand)]
    assert list(state.pile) == [ledger.pile[card] for card in DEVELOPMENTS]
    assert list(state.developments) == [own[card] for own in ledger.developments for card in DEVELOPMENTS]
    assert list(state.fresh) == [ledger.bought[card] for card in DEVELOPMENTS]
    assert list(state.knights) == ledger.knights
    assert {edge: owner for edge, owner in enumerate(state.roads) if owner != 255} == ledger.roads
    built = [(vertex, 2 * seat) for vertex, seat in ledger.settlements.items()]
    built += [(vertex, 2 * seat + 1) for vertex, seat in ledger.cities.items()]
    assert {vertex: piece for vertex, piece in enumerate(state.buildings) if piece != 255} == dict(built)
    assert state.points == [ledger.public_points(seat) for seat in seats]
    assert list(state.supply) == [left for seat in seats for left in ledger.pieces_left(seat)]
    assert list(state.rates) == [rate for seat in seats for rate in ledger.rates(seat).values()]
    assert state.discards == bytes(ledger.due.get(seat, 0) for seat in seats)
    assert (state.turn, state.seat, state.offers_made) == (ledger.turn, ledger.seat, ledger.offers)
    if ledger.fish:
        fish_agree(state, ledger)


def fish_agree(state, ledger):
    assert list(state.fish) == [fish[face] for fish in ledger.fish for face in (1, 2, 3)]
    assert list(state.fish_supply) == [ledger.supply[token] for token in (1, 2, 3, "boot")]
    assert list(state.fish_spent) == [ledger.spent[face] for face in (1, 2, 3)]
    numbered = state.boot, state.chooser, state.seen or -1
    assert [None if one == -1 else one for one in numbered] == [ledger.boot, ledger.choosing, ledger.seen]


def nothing_is_lost(ledger):
    """CA-3, CA-4: cards and pieces are where they can be, and all are there."""
    for kind in KINDS:
        assert ledger.bank[kind] + sum(hand[kind] for hand in ledger.hands) == EDITION["cards"] == 19
    held = sum(own.total() for own in ledger.developments)
    assert ledger.pile.total() + held + ledger.gone.total() == 25
    for seat in range(ledger.seats):
        assert min(ledger.pieces_left(seat)) >= 0


def derived_as_from_scratch(state):
    twin = state.copy()
    twin.rederive()
    for name in state.derived:
        assert getattr(state, name) == getattr(twin, name), name


def moves_agree(state, ledger, seat):
    listed = list(ENGINE.legal_moves(state, seat))
    assert len(listed) == len(set(listed))
    halves = discards(ledger, seat) if seat in ledger.due else set()
    if halves:
        assert set(listed) <= halves
        assert len(listed) == min(200, len(halves))
    else:
        assert set(listed) == {move for move in moves(ledger, seat) if not_wasteful(move)}


def not_wasteful(move):
    """Payments with needless tokens (CA-35) are left to their family."""
    if not isinstance(move, m.SpendFish):
        return True
    over = move.tokens.total() - PRICES[move.benefit]
    return all(face > over for face, count in enumerate(move.tokens.counts(), 1) if count)


def knowledge_is_sound(state, seats):
    """CA-24: known cards are cards of the hand; one's own hand is known in full."""
    for viewer in (*range(seats), None):
        for player in ENGINE.view(state, viewer).players:
            hand = list(state.hand(player.seat))
            known = player.known.counts()
            assert all(0 <= sure <= held for sure, held in zip(known, hand, strict=True))
            assert player.cards == sum(hand)
            assert player.seat != viewer or list(known) == hand


def a_theft_is_secret(state, event, seats):
    """CA-24: whatever card of the victim's it was, the others see the same."""
    possible = [kind for kind, count in zip(Resource, state.hand(event.victim), strict=True) if count]
    views = []
    for kind in possible:
        twin = state.copy()
        ENGINE.evolve(twin, CardStolen(event.seat, event.victim, kind))
        onlookers = [seat for seat in range(seats) if seat not in {event.seat, event.victim}]
        views.append([ENGINE.view(twin, onlooker) for onlooker in (*onlookers, None)])
    assert all(view == views[0] for view in views)


def nothing_visible_changes(state, twin, viewer, seats):
    """CA-24: a determinized state has the sizes and counts of the true one, and whatever its viewer knows."""
    assert ENGINE.view(twin, viewer) == ENGINE.view(state, viewer)
    assert twin.bank == state.bank
    assert sum(twin.pile) == sum(state.pile)
    for kind in range(5):
        assert sum(twin.hands[kind::5]) == sum(state.hands[kind::5])
        dealt, true = sum(twin.developments[kind::5]), sum(state.developments[kind::5])
        assert twin.pile[kind] + dealt == state.pile[kind] + true
    assert hidden_fish(state) == hidden_fish(twin)
    for seat in range(seats):
        assert sum(twin.tokens(seat)) == sum(state.tokens(seat))
        assert sum(twin.hand(seat)) == sum(state.hand(seat))
        assert sum(twin.developments[5 * seat : 5 * seat + 5]) == sum(state.developments[5 * seat : 5 * seat + 5])
    knowledge_is_sound(twin, seats)
    derived_as_from_scratch(twin)


def hidden_fish(state):
    """The tokens of all hands, of the supply, and the one that is seen, by face."""
    faces = range(3) if state.fish else ()
    return [state.fish_supply[face] + sum(state.fish[face::3]) + (state.seen == face + 1) for face in faces]


def nobody_had_won(twin, ledger):
    """CA-22: with the victory point cards dealt no seat had enough when its last turn ended, nor has the active one."""
    missed = list(ledger.missed)
    missed[ledger.seat] = ledger.missing(ledger.seat)
    return all(twin.developments[5 * seat + 4] < missing for seat, missing in enumerate(missed))


def ends_as_the_ledger_says(play):
    """CA-22."""
    outcome = ENGINE.outcome(play.state)
    if outcome is None:
        return
    winner, *losers = outcome.ranking
    points = [play.ledger.points(seat) for seat in range(play.seats)]
    assert winner.seat == play.ledger.seat
    assert {standing.seat: standing.points for standing in outcome.ranking} == dict(enumerate(points))
    for standing in outcome.ranking:
        assert sum(score.points for score in standing.scores) == standing.points
    for standing in losers:
        better = sum(points[other.seat] > standing.points for other in losers)
        assert standing.place == 2 + better


@pytest.mark.parametrize("seed", SHORT)
@rule("CA-3", "CA-4", "CA-6", "CA-9", "CA-10", "CA-20", "CA-21", "CA-22", "CA-24")
def test_a_match_of_random_moves_obeys_the_printed_rules(seed):
    ends_as_the_ledger_says(Play(seed).to_the_end())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", SHORT_WITH_FISH)
@rule("CA-31", "CA-32", "CA-33", "CA-34", "CA-37", "CA-40", "CA-41", "CA-42", "CA-50", "CA-52", "CA-61", "CA-62")
def test_a_match_with_fish_obeys_the_printed_rules(form, seed):
    ends_as_the_ledger_says(Play(seed, form).to_the_end())


@pytest.mark.soak
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("first", range(0, SOAK_WITH_FISH, BATCH))
def test_many_matches_with_fish_obey_the_printed_rules(form, first):
    for seed in range(first, first + BATCH):
        ends_as_the_ledger_says(Play(seed, form).to_the_end())


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, SOAK, BATCH))
def test_many_matches_of_random_moves_obey_the_printed_rules(first):
    for seed in range(first, first + BATCH):
        ends_as_the_ledger_says(Play(seed).to_the_end())
