"""Matches of two games with one who never comes, played to the end under every policy of absence."""

import pytest

from engines.core import games
from engines.core.chance import SeededChance
from services.eventlog import deciding, expiring
from services.eventlog.commands import Claim, Command, Create, Order, Submit
from services.eventlog.entries import header_of
from services.eventlog.match import Status
from services.eventlog.terms import Clock
from services.eventlog.verify import check_log
from tests.services.eventlog.given import MATCH, NOON, PLAYERS, SECRET
from tests.services.eventlog.timed import MINUTE, terms

GAMES = ["lost_seas", "south_seas"]
MOST = 3000


class Evening:
    """One match, in which everybody but seat 0 moves a second after it was their turn."""

    def __init__(self, game: str, seats: int, absence: str) -> None:
        self.engine, self.edition = games.engine(game), games.edition(game)
        self.choose, self.chance = games.policy(game), SeededChance(7)
        self.at, self.asked = NOON, 0
        given = terms(Clock(move_ms=MINUTE), absence)
        command = Create(
            game, self.engine.Options(), seats, games.edition_hash(self.edition), own_seat=0, name="Ann", terms=given
        )
        order = Order(PLAYERS[0], "create", command)
        self.aggregate, entries = deciding.create(order, self.edition, MATCH, SECRET, self.at)
        self.entries = list(entries)
        for seat in range(1, seats):
            self.do(PLAYERS[seat], Claim(seat))

    @property
    def facts(self):
        return self.aggregate.facts

    def do(self, player: str, command: Command) -> None:
        self.asked += 1
        self.carry_out(Order(player, f"request-{self.asked}", command))

    def carry_out(self, order: Order) -> None:
        self.entries += deciding.decide(self.aggregate, order, SECRET, self.at)

    def pass_by(self) -> None:
        """Somebody who is there moves; where only Ann owes a move, her time runs out."""
        here = [seat for seat in self.facts.owing if seat != 0 or self.facts.seats[0].stand_in]
        if not here:
            self.at = expiring.next_due(self.facts)
            self.carry_out(expiring.order(self.facts))
            return
        self.at += 1000
        if expiring.is_due(self.facts, self.at, ()):
            self.carry_out(expiring.order(self.facts))
            return
        seat, state = here[0], self.aggregate.state
        move = self.choose(self.engine.view(state, seat), list(self.engine.legal_moves(state, seat)), self.chance)
        self.do(self.facts.seats[seat].played_by, Submit(seat, move))

    def play(self) -> None:
        for _ in range(MOST):
            if self.facts.over:
                return
            self.pass_by()
        raise AssertionError("it never ends")

    @property
    def types(self) -> list[str]:
        return [header_of(entry).type for entry in self.entries]


@pytest.mark.parametrize("absence", ["autopilot", "bot", "forfeit"])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_a_match_with_one_who_never_comes_is_played_to_its_end(game, seats, absence):
    evening = Evening(game, seats, absence)
    evening.play()
    ranking = evening.facts.outcome.ranking
    assert (evening.facts.status, ranking[-1].seat, ranking[-1].place) == (Status.FINISHED, 0, seats)
    assert (evening.facts.left, evening.types.count("match.timed_out")) == ([0], 1)
    assert evening.types.count("match.bot_seated") == (absence == "bot")
    at_once = evening.types[-3:] == ["match.timed_out", "match.finished", "match.secret_revealed"]
    assert at_once is (absence == "forfeit" and seats == 2)
    check_log(evening.entries, evening.edition, MATCH, SECRET)
