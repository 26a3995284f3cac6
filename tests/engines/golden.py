"""Golden playthroughs: every move of a match with its events and what each seat and a spectator then see.

A file's head is written by hand: comments (#), then `key: value` lines. The moves stand in its body and are kept;
all else of the body is made from them: `python -m tests.engines.golden` writes every file anew.
"""

import json
from pathlib import Path

import msgspec

from engines.core import games
from engines.core.chance import MatchChance
from engines.core.draft import Draft
from services.cli.laws.record import encode_json

HERE = Path(__file__).parent
SEPARATOR = "----\n"
MOVE = "> "
INDENT = "    "


def files():
    return sorted(HERE.glob("*/golden/*.txt"))


def head(text):
    """The head's `key: value` lines."""
    lines = text.split(SEPARATOR)[0].splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


class Playthrough:
    """A file's match, played again."""

    def __init__(self, path, text):
        self.head = head(text)
        self.engine = games.engine(path.parent.parent.name)
        catalog = self.engine.catalog(games.edition(self.engine.name, self.head["edition"]))
        options = msgspec.json.decode(self.head["options"], type=self.engine.Options)
        self.state = self.engine.initial(catalog, options, int(self.head["seats"]), int(self.head["rules"]))
        self.secret = int(self.head["seed"]).to_bytes(32, "big")
        self.audiences = (*range(int(self.head["seats"])), None)
        self.views = {audience: {} for audience in self.audiences}
        self.emitted = []
        self.lines = []

    def play(self, moves):
        self.step("setup", self.engine.setup, 0)
        for version, (seat, text) in enumerate(moves, 1):
            move = msgspec.json.decode(text, type=self.engine.Move)
            self.step(
                f"seat {seat} {text}", lambda draft, s=seat, m=move: draft.play(self.engine.decide, s, m), version
            )
        return self

    def step(self, title, act, version):
        draft = Draft(self.engine.evolve, self.state, MatchChance(self.secret, version))
        act(draft)
        self.emitted += draft.emitted
        self.lines += ["", f"{MOVE}{title}"]
        for event, draws in draft.emitted:
            self.lines.append(f"{INDENT}{encode_json(event).decode()}")
            if draws:
                self.lines.append(f"{INDENT}drawn: " + ", ".join(f"{d.label} {d.result} of {d.n}" for d in draws))
        self.look()

    def look(self):
        """What changed in the views, once for all who see the same change."""
        changes = {}
        for audience in self.audiences:
            view = json.loads(encode_json(self.engine.view(self.state, audience)))
            told = tuple(difference("", self.views[audience], view))
            self.views[audience] = view
            changes.setdefault(told, []).append("spectator" if audience is None else str(audience))
        for told, audience in changes.items():
            who = "all" if len(audience) == len(self.audiences) else " ".join(audience)
            self.lines.append(f"{INDENT}seen by {who}:")
            self.lines += [f"{INDENT}{INDENT}{line}" for line in told]


def difference(path, before, after):
    """What is new or other, in the shortest of three ways: whole, part by part, or what came (+) and went (-)."""
    if before == after:
        return []
    ways = [[f"{path} = {compact(after)}"]]
    if isinstance(before, dict) and isinstance(after, dict):
        parts = [(name, before.get(name), after[name]) for name in sorted(after)]
        parts = [difference(f"{path}.{name}".lstrip("."), old, new) for name, old, new in parts]
        ways.append([line for part in parts for line in part])
        if not path:
            return ways[1]
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) == len(after):
            parts = [difference(f"{path}.{index}", *pair) for index, pair in enumerate(zip(before, after, strict=True))]
            ways.append([line for part in parts for line in part])
        gone = [one for one in before if one not in after]
        come = [one for one in after if one not in before]
        if [one for one in before if one in after] == [one for one in after if one in before]:
            ways.append([f"{path} - {compact(one)}" for one in gone] + [f"{path} + {compact(one)}" for one in come])
    return min(ways, key=lambda lines: sum(map(len, lines)))


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def moves_of(text):
    """(seat, move) of every move in the body."""
    for line in text.split(SEPARATOR)[1].splitlines():
        if line.startswith(f"{MOVE}seat "):
            _, seat, move = line.removeprefix(MOVE).split(" ", 2)
            yield int(seat), move


def again(path):
    """The file's text as it is to be."""
    text = path.read_text()
    lines = Playthrough(path, text).play(moves_of(text)).lines
    return text.split(SEPARATOR)[0] + SEPARATOR + "\n".join(lines).lstrip("\n") + "\n"


def main():
    for path in files():
        path.write_text(again(path))


if __name__ == "__main__":
    main()
