"""The read models that every gateway keeps, beside `matches`."""

from gateway.projections import players, ratings
from gateway.projections.model import ReadModel

MODELS: tuple[ReadModel, ...] = (players.MODEL, ratings.MODEL)
