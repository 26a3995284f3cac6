"""What is wrong with a value that does not decode, and where."""

from services.common.refusals import Reason, Refused


class Malformed(Exception):  # noqa: N818 - says what the value is
    """`path` grows as the exception leaves the fields it passed through."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = path

    def inside(self, name: str) -> "Malformed":
        """The same problem, seen from the field or place that holds it."""
        joint = "." if self.path and not self.path.startswith("[") else ""
        return Malformed(self.problem, f"{name}{joint}{self.path}")

    def refused(self, what: str) -> Refused:
        place = f"$.{self.path}" if self.path else "$"
        return Refused(Reason.MALFORMED, f"{what}: {self.problem} - at `{place}`")
