"""Facts of matches as their ends would leave them, without playing them."""

from engines.core.outcome import Outcome, Score, Standing
from gateway.projections import folding
from gateway.projections.database import Database
from gateway.projections.keeping import catch_up, forget, keep, transaction
from gateway.projections.model import Kept
from services.eventlog.lifecycle import Created
from services.eventlog.match import Match, Seat, Status
from services.eventlog.terms import Terms

GAME = "lost_seas"


def created(match, game, seats, *, imported=False, private=False):
    return Created(
        match=f"original of {match}" if imported else match,
        game=game,
        rules=1,
        edition="ff",
        options=b"{}",
        seats=seats,
        creator="the creator",
        commitment="00",
        terms=Terms(private=private) if private else None,
    )


def running(match, players, *, game=GAME, created_at=0, status=Status.RUNNING, **terms):
    """`players` None is a seat that nobody holds."""
    seats = [Seat(player, f"{player} by name" if player else "") for player in players]
    facts = Match(match, created(match, game, len(seats), **terms), seats, [0] * len(seats), status=status)
    return Kept(facts, created_at)


def ended(match, players, places, *, at=1000, points=None, vacant=(), status=Status.FINISHED, **others):
    """Each seat's points are given as those of two categories, ships and gold."""
    kept = running(match, players, status=status, **others)
    facts = kept.facts
    facts.at, facts.left = at, list(vacant)
    for seat in vacant:
        facts.seats[seat].vacant = True
    if places is not None:
        standings = [_standing(seat, place, points[seat] if points else None) for seat, place in enumerate(places)]
        facts.outcome = Outcome(tuple(sorted(standings, key=lambda standing: (standing.place, standing.seat))))
    return kept


def _standing(seat, place, points):
    if points is None:
        return Standing(seat, place, 0, ())
    ships, gold = points
    return Standing(seat, place, ships + gold, (Score("ships", ships), Score("gold", gold)))


class Tables:
    """Read models in a file of their own, told of results as a test likes."""

    def __init__(self, database):
        self.database = database

    @classmethod
    async def open(cls, file, models):
        return cls(await Database.open(file, models))

    async def close(self):
        await self.database.close()

    async def keep(self, *kept):
        """With the rows of `matches`, as the list of matches keeps them."""

        def work(connection):
            with transaction(connection):
                for each in kept:
                    _row(connection, each)
                keep(connection, self.database.models, kept)

        await self.database.run(work)

    async def forget(self, *matches):
        def work(connection):
            with transaction(connection):
                forget(connection, self.database.models, matches)

        await self.database.run(work)

    async def slice(self):
        return await self.database.run(lambda connection: catch_up(connection, self.database.models))

    async def catch_up(self):
        while await self.slice():
            pass

    async def rows(self):
        """Of all tables of the models; equal ones are equal to the bit."""

        def work(connection):
            tables = [table for model in self.database.models for table in model.tables]
            return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in tables}

        return await self.database.run(work)

    async def ask(self, question, *arguments):
        return await self.database.read(lambda connection: question(connection, *arguments))


def _row(connection, kept):
    facts = kept.facts
    values = {
        "id": facts.id,
        "version": facts.version,
        "hash": facts.hash,
        "shard": 0,
        "game": facts.created.game,
        "status": facts.status,
        "created_at": kept.created_at,
        "changed_at": facts.at,
        "imported": facts.imported,
        "facts": folding._encode(facts),
    }
    names = [row[1] for row in connection.execute("PRAGMA table_info(matches)")]
    filled = [values.get(name, 0) for name in names]
    connection.execute(f"INSERT OR REPLACE INTO matches VALUES ({', '.join('?' * len(filled))})", filled)
