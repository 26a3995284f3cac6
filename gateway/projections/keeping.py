"""The read models as one: each is told, and none stops another."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from sqlite3 import Connection, OperationalError

from gateway.projections.model import Kept, ReadModel
from services.common.logs import logger

OUTER = ("BEGIN", "COMMIT", ("ROLLBACK",))
INNER = ("SAVEPOINT inner", "RELEASE inner", ("ROLLBACK TO inner", "RELEASE inner"))

log = logger()


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Takes the file's lock at the first write; within another it is a part of that one."""
    begin, end, undo = INNER if connection.in_transaction else OUTER
    connection.execute(begin)
    try:
        yield
        connection.execute(end)
    except BaseException:
        for statement in undo:
            connection.execute(statement)
        raise


def keep(connection: Connection, models: Iterable[ReadModel], kept: Sequence[Kept]) -> None:
    """A match that a model fails on is left out of that model, and of no other."""
    for model in models if kept else ():
        if not _takes(connection, model, kept):
            for each in kept:
                if not _takes(connection, model, (each,)):
                    model.forget(connection, (each.facts.id,))


def forget(connection: Connection, models: Iterable[ReadModel], matches: Sequence[str]) -> None:
    for model in models:
        model.forget(connection, matches)


def catch_up(connection: Connection, models: Iterable[ReadModel]) -> bool:
    """A slice of what each model has left; whether there is more."""
    more = False
    for model in models:
        with transaction(connection):
            more |= model.catch_up(connection)
    return more


def _takes(connection: Connection, model: ReadModel, kept: Sequence[Kept]) -> bool:
    try:
        with transaction(connection):
            model.keep(connection, kept)
    except OperationalError:  # the file, not the match
        raise
    except Exception:
        log.exception("a read model fails", model=model.name, matches=[each.facts.id for each in kept[:3]])
        return False
    return True
