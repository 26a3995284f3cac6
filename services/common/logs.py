"""Structured logs on standard error, one line an outcome. Never a hand, a secret or a token.

Every line of a call or command names its match, its request and its trace: see `concerning.py`.
"""

import logging
import sys
from typing import Any

from services.common import concerning, faults
from services.common.concerning import Concern
from services.common.hidden import hidden
from services.common.lines import lines

with hidden("rich"):  # for tracebacks that no service prints
    import structlog

LEVELS = ("debug", "info", "warning", "error")


class _Told:
    debug = False


def logger() -> Any:
    """A logger; each line takes an event and what belongs to it by name."""
    return structlog.get_logger()


def outcome(event: str, **told: Any) -> None:
    """What became of a call or command, on level debug: all but free where that is not asked for."""
    if _Told.debug:
        _log.debug(event, **told)


def outcome_of(concern: Concern, event: str, **told: Any) -> None:
    """The same, where it is told in another's context."""
    if _Told.debug:
        _log.debug(event, **concern.names(), **told)


def debugging() -> bool:
    return _Told.debug


def _add_concern(_logger: Any, _method: str, line: Any) -> Any:
    found = concerning.current()
    return line if found is None else found.names() | line


def _told_exception(exc_info: Any) -> str:
    return faults.told(exc_info[1])


def _add_plainness(_logger: Any, _method: str, line: Any) -> Any:
    """JSON escapes what a terminal would obey; a line for people must not hold it."""
    return {key: lines(value) if isinstance(value, str) else value for key, value in line.items()}


def configure(role: str, level: str = "info") -> None:
    """JSON lines, or readable ones on a terminal; every line names the role."""
    readable = sys.stderr.isatty()

    def add_role(_logger: Any, _method: str, line: Any) -> Any:
        """Also to what is said by a thread, which has none of our context."""
        return {"role": role, **line}

    renderer: Any = structlog.dev.ConsoleRenderer() if readable else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            _add_concern,
            add_role,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.ExceptionRenderer(_told_exception),
            *((_add_plainness,) if readable else ()),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    _Told.debug = level == "debug"


_log = logger()
