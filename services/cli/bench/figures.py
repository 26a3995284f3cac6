"""Figures of the design, as benchmarks print them."""

from collections.abc import Sequence
from statistics import median

from msgspec import Struct

from services.cli.output import say


class Figure(Struct, frozen=True):
    """`id` as the design names it; least, median and most of the runs; `beside` tells of a peer or a limit."""

    id: str
    what: str
    unit: str
    least: float
    middle: float
    most: float
    aim: str
    beside: str = ""


def figure(id_: str, what: str, unit: str, values: Sequence[float], aim: str, beside: str = "") -> Figure:
    least, middle, most = (round(f(values), 2) for f in (min, median, max))
    return Figure(id_, what, unit, least, middle, most, aim, beside)


def quantile(values: Sequence[float], part: float) -> float:
    """Of sorted values; 0 where there are none."""
    return round(values[min(len(values) - 1, int(len(values) * part))], 2) if values else 0.0


def say_figures(figures: Sequence[Figure]) -> None:
    for found in figures:
        values = f"{found.least:>10g}{found.middle:>10g}{found.most:>10g}"
        rest = f"aim {found.aim}" + (f"; {found.beside}" if found.beside else "")
        say(f"{found.id:<5}{found.what:<48}{values} {found.unit:<10} {rest}")
