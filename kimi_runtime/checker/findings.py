"""What the checker reports: ``Finding``, and the rules there are."""
from __future__ import annotations

from dataclasses import dataclass

__all__ = ["RULES", "Finding"]

#: The rules: name -> (severity, what it finds). An "error" is what fails when it is reached; a "warning" may be meant so.
RULES = {
    "syntax-error": ("error", "the program does not compile"),
    "syntax-warning": ("warning", "the compiler warns of it"),
    "undefined-name": ("error", "a name that nobody defines"),
    "unbound-name": ("error", "a variable that has no value yet on any way to this place"),
    "wrong-arguments": ("error", "a call that does not fit the parameters of a known function"),
    "import-not-allowed": ("error", "an import that the guest may not do, or that finds nothing"),
    "missing-await": ("warning", "a coroutine that nobody awaits"),
    "unreachable-code": ("warning", "statements that are never reached"),
    "type-error": ("error", "what the type checker found"),
    "type-warning": ("warning", "what the type checker found and is not sure of"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the checker has found.

    Attributes:
        rule: one of ``RULES``.
        message: what is wrong, in the words of the exception where it would be one.
        filename: the name of the program.
        line, column: where it begins, from 1, columns in characters.
        end_line, end_column: behind its last character.
        severity: "error" or "warning".
        hint: what to do about it, or None.
    """

    rule: str
    message: str
    filename: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: str
    hint: str | None = None

    def __str__(self) -> str:
        hint = "" if self.hint is None else f" ({self.hint})"
        return f"{self.filename}:{self.line}:{self.column}: {self.severity}: {self.message}{hint} [{self.rule}]"
