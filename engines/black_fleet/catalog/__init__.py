"""The components of one edition, as printed."""

from engines.black_fleet.catalog.cards import Catalog, load

__all__ = ["Catalog", "load"]
