"""A profile on a terminal, by rich."""
from __future__ import annotations

from .formats import short, summary_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["show"]


def show(data: dict[str, Any], console: Any = None) -> None:
    """Prints the summary of a profile.

    Args:
        data: of the profile.
        console: of rich; None for one on standard error.

    Raises:
        ImportError: rich is missing.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    console = console or Console(stderr=True, highlight=False)

    def table(title: str, columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
        """Figures in full and what they are of behind them, cut off where the terminal ends; nothing without rows."""
        if not rows:
            return
        made = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
        for name in columns[:-1]:
            made.add_column(name, justify="right", no_wrap=True)
        made.add_column(columns[-1])
        for row in rows:
            made.add_row(*row[:-1], Text(row[-1], style="cyan", no_wrap=True, overflow="ellipsis"))
        console.print(made, "")

    def bar(share: float) -> Text:
        full = round(share * 20)
        return Text("█" * full, style="red" if share > 0.3 else "yellow" if share > 0.1 else "green")

    def place(row: dict[str, Any]) -> str:
        return f"{short(row['file'])}:{row['line']}  {row['source']}"

    console.print(Panel(escape(summary_line(data)), title="kimi_runtime profile", border_style="blue", expand=False))
    table("stages", ("time", "share", "", "stage"), [
        (f"{row['seconds']:.3f} s", f"{row['share']:.1%}", bar(row["share"]), row["stage"])
        for row in data["by_stage"] if row["seconds"] > 0])
    table("functions", ("self", "total", "calls ≈", "", "function"), [
        (f"{row['self_share']:.1%}", f"{row['cumulative_share']:.1%}",
         "" if row["calls_about"] is None else f"{row['calls_about']:,}", bar(row["self_share"]),
         row["function"] + (f"  {short(row['file'])}:{row['line']}" if row["file"] else ""))
        for row in data["by_function"][:10]])
    table("lines", ("time", "native", "", "line"), [
        (f"{row['share']:.1%}", f"{row['native_seconds'] / row['seconds']:.0%}" if row["seconds"] else "", bar(row["share"]),
         place(row))
        for row in data["by_line"][:10] if row["samples"]])
    if data.get("memory"):
        table("allocations", ("bytes", "share", "", "line"), [
            (f"{row['bytes']:,}", f"{row['share']:.1%}", bar(row["share"]), place(row)) for row in data["memory"]["by_line"][:5]])
    for hint in data["hints"]:
        console.print(Panel(escape(hint["text"]) + (f"\n[dim]{escape(hint['source'])}[/dim]" if hint["source"] else ""),
                            title=f"hint: {hint['kind']}", border_style="yellow", expand=False))
    if not data["samples"]:
        console.print("No sample was taken: the program was over before the first one was due. A shorter --interval may see it.")
