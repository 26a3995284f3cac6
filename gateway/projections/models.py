"""The read models that every gateway keeps, beside `matches`."""

from gateway.projections.model import ReadModel

MODELS: tuple[ReadModel, ...] = ()
