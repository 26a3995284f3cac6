"""Players' records as messages."""

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from gateway import facts
from gateway.projections import ratings
from gateway.projections.histories import PlayedMatch
from gateway.projections.leaderboards import Ranked, Rated
from gateway.projections.statistics import GameStatistics, HeadToHead, Tally
from tidelog.v1 import players_pb2


def played_match(played: PlayedMatch) -> players_pb2.PlayedMatch:
    change = played.rating
    return players_pb2.PlayedMatch(
        match=facts.match_message(played.listed.facts, played.listed.created_at_ms),
        seats=played.seats,
        rating=None
        if change is None
        else players_pb2.RatingChange(before=_rating(change.before), after=_rating(change.after)),
    )


def game_statistics(found: GameStatistics) -> players_pb2.GameStatistics:
    by_seats = [_tally(tally) for tally in found.tallies]
    return players_pb2.GameStatistics(game=found.game, total=_total(by_seats), by_seats=by_seats)


def head_to_head(found: HeadToHead) -> players_pb2.HeadToHead:
    return players_pb2.HeadToHead(
        game=found.game, matches=found.matches, ahead=found.ahead, behind=found.behind, level=found.level
    )


def game_rating(found: Rated) -> players_pb2.GameRating:
    return players_pb2.GameRating(game=found.game, rating=_rated(found))


def ranked(found: Ranked) -> players_pb2.Ranked:
    rated = found.rated
    return players_pb2.Ranked(place=found.place, player=rated.player, name=rated.name, rating=_rated(rated))


def _rating(found: ratings.Rating) -> players_pb2.Rating:
    ordinal = ratings.ordinal(found.mu, found.sigma)
    return players_pb2.Rating(mu=found.mu, sigma=found.sigma, ordinal=ordinal, matches=found.matches)


def _rated(found: Rated) -> players_pb2.Rating:
    return players_pb2.Rating(mu=found.mu, sigma=found.sigma, ordinal=found.ordinal, matches=found.matches)


def _tally(tally: Tally) -> players_pb2.Tally:
    points = tally.points
    return players_pb2.Tally(
        seats=tally.seats,
        matches=tally.matches,
        aborted=tally.aborted,
        wins=tally.wins,
        shared_wins=tally.shared_wins,
        places=tally.places,
        left=tally.left,
        points=None if points is None else _points(points.matches, points.total, points.least, points.most),
        categories=[_category(found.name, found.matches, found.total) for found in tally.categories],
    )


def _total(tallies: Sequence[players_pb2.Tally]) -> players_pb2.Tally:
    """Of all numbers of seats; `places` has as many as the largest match."""
    scored = [tally.points for tally in tallies if tally.HasField("points")]
    matches: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for tally in tallies:
        for found in tally.categories:
            matches[found.category] += found.matches
            totals[found.category] += found.total
    places = [sum(counts) for counts in zip_longest(*(tally.places for tally in tallies), fillvalue=0)]
    return players_pb2.Tally(
        matches=sum(tally.matches for tally in tallies),
        aborted=sum(tally.aborted for tally in tallies),
        wins=sum(tally.wins for tally in tallies),
        shared_wins=sum(tally.shared_wins for tally in tallies),
        places=places,
        left=sum(tally.left for tally in tallies),
        points=_points(
            sum(points.matches for points in scored),
            sum(points.total for points in scored),
            min(points.least for points in scored),
            max(points.most for points in scored),
        )
        if scored
        else None,
        categories=[_category(name, count, totals[name]) for name, count in matches.items()],
    )


def _points(matches: int, total: int, least: int, most: int) -> players_pb2.Points:
    return players_pb2.Points(matches=matches, total=total, least=least, most=most, mean=total / matches)


def _category(name: str, matches: int, total: int) -> players_pb2.CategoryPoints:
    return players_pb2.CategoryPoints(category=name, matches=matches, total=total, mean=total / matches)
