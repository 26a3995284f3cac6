"""All the laws by name: those of a game's types, and those of its matches, which are looked at one after the other."""

from collections.abc import Callable
from types import ModuleType

from services.cli.laws import folds, moves, secrecy, shapes, words
from services.cli.laws.record import Matches

OF_GAMES: tuple[Callable[[str], None], ...] = (
    shapes.types_are_portable,
    shapes.names_of_structs_are_unique_and_tags_follow_from_them,
    shapes.one_codec_serves_its_types,
    shapes.every_option_has_a_default,
    shapes.every_option_is_defined_by_a_rule,
    shapes.the_record_says_what_the_game_is,
    shapes.the_modes_of_a_game_are_variants_of_it,
    words.languages_have_the_same_texts_with_the_same_arguments,
)


def matches_can_be_played(matches: Matches) -> None:
    """What all the others take for granted."""
    for played in matches:
        assert played.steps


def _of_matches(module: ModuleType) -> list[Callable[[Matches], None]]:
    """The module's own functions of `matches`, in their order."""
    own = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    return [value for value in own if getattr(value, "__annotations__", {}).get("matches") is Matches]


OF_MATCHES = tuple(law for module in (shapes, moves, folds, secrecy, words) for law in _of_matches(module))


def title(law: Callable[..., None]) -> str:
    return law.__name__.replace("_", " ")
