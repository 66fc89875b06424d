"""`nimtui compare --positions`: two agents on all positions of a game."""

from __future__ import annotations

from pathlib import Path

from nimtui.cli.files import check_new, format_of, write_text
from nimtui.errors import InputError

CSV, JSON = ".csv", ".json"


def run(name: str, names: list[str], seed: int, workers: int, to: Path | None, force: bool, json: bool) -> None:
    """Compare two agents on all positions, and print or write the result. Raises InputError and Cancelled."""
    from nimtui.arena.compare import comparison_report
    from nimtui.arena.compare.positions import check, compare_positions
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_agent, read_game
    from nimtui.report.document import document, file_text

    game = read_game(name)
    agents = [read_agent(each, game) for each in names]
    check(game, agents)
    if to is not None:
        format_of(to, {CSV: None, JSON: None})
        check_new(to, None, force)
    kind = "" if to is None else to.suffix.lower()
    with Bar("compare") as bar:
        compared = compare_positions(game, (agents[0], agents[1]), seed, workers, bar)
        positions = {"positions": list(comparison_report.rows(compared, bar))} if json or kind == JSON else {}
        text = comparison_report.positions_csv(compared, bar) if kind == CSV else ""
    result = comparison_report.compared_everywhere(compared, seed)
    if to is not None:
        write_text(to, text or file_text(document(result) | positions))
    output.report(result, json, positions | ({} if to is None else {"saved": str(to)}))
    if to is not None and not json:
        output.say("", f"saved to {to}")


def refuse(**given: object) -> None:
    """Raise InputError for an option that concerns one position."""
    for option, value in given.items():
        if value:
            raise InputError(f"--positions compares on all positions: leave out --{option.replace('_', '-')}")
