"""`nimtui moves`: the move that an agent plays, and its rating of every move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nimtui.cli import options

if TYPE_CHECKING:
    pass

EXAMPLES = """\
nimtui moves nim:3,5,4,2,6 --agent mc:playouts=40000
nimtui moves subtraction:21,3:misere -p 10 --agent mc --seed 7
nimtui moves connect4 -p 444 --agent mcts:simulations=20000
nimtui moves tower:16 -p 1,3,5,6 --agent hard --json"""

SIGNED = ("value", "low", "high", "mean", "ucb")


def moves(
    game: options.Game,
    agent: options.Agent,
    position: options.Position = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Show how an agent rates every move.

    The last columns show the exact value, if the game can be solved: in how many plies a move wins or loses."""
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_agent, read_position
    from nimtui.documents.rated_moves import document
    from nimtui.engine.rng import Stream
    from nimtui.errors import InputError
    from nimtui.games import base
    from nimtui.theory.answers import known_moves

    chosen, state = read_position(game, position)
    if base.outcome(state) != base.GOING_ON:
        raise InputError(f"the game is over at {chosen.position_name(state)}: choose a position with moves")
    asked = read_agent(agent, chosen)
    with Bar("think") as bar:
        asked.prepare(bar)
        decision = asked.decide(state, Stream(seed), bar)
        truths = known_moves(chosen, state, bar)
    keys = document(chosen, state, position, asked.name, decision, truths)
    if json:
        output.document(keys)
    else:
        _show(keys)


def _show(keys: dict[str, Any]) -> None:
    from nimtui.cli import output
    from nimtui.documents.rated_moves import KNOWN

    known = [key for key in KNOWN if any(key in row for row in keys["moves"])]
    if not any(row.get("draws") for row in keys["moves"]):
        known = [key for key in known if key != "draws"]
    known = [key for key in known if key != "bound"]  # shown with the score
    known += ["value"] if any(row["value"] is not None for row in keys["moves"]) else []
    output.say(f"{keys['game']}  position {place_of(keys)}", style="bold")
    output.say(f"{keys['agent']} plays {keys['best_move']}  ({output.seconds(keys['seconds'])})", "")
    optimal = None
    if keys["moves"][0]["optimal"] is not None:
        optimal = [row["move"] for row in keys["moves"] if row["optimal"]]
    ranked = sorted(keys["moves"], key=_rank, reverse=True)
    rows = [
        [
            row["move"],
            "plays" if row["move"] == keys["best_move"] else "",
            *(_cell(key, row.get(key), row.get("bound")) for key in known),
            output.verdict_text(row["move"], optimal, len(ranked)),
            ending_text(row),
        ]
        for row in ranked
    ]
    head = ["move", "", *known, "truth", ""]
    output.columns(head, rows, left=(0, 1, len(known) + 2, len(known) + 3), joined=(1,))
    if keys["nodes"] is not None:
        from nimtui.trees.effort import pace_text

        rate = pace_text(keys["nodes_per_second"]).removesuffix("/s")
        output.say("", f"nodes     {output.grouped(keys['nodes'])}", f"nodes/s   {rate}")
    if keys["note"]:
        output.say("")
        output.paragraph(keys["note"])


def place_of(keys: dict[str, Any]) -> str:
    """Return the position of a document for people."""
    given, canonical = keys["position"], keys["canonical"]
    return (given or "the start") if given == canonical else f"{given} (= {canonical or 'the start'})"


def ending_text(row: dict[str, Any]) -> str:
    """Return the exact value of a move for people: 'wins in 7'; '' if it is unknown."""
    if row["outcome"] is None:
        return ""
    verb = {"win": "wins", "loss": "loses", "draw": "draws"}[row["outcome"]]
    return verb if row["remoteness"] is None else f"{verb} in {row['remoteness']}"


def _rank(row: dict[str, Any]) -> tuple[float, float]:
    value, score = row["value"], row.get("score")
    if "bound" in row:  # alpha-beta: its scores include decided games
        return (0.0 if score is None else score, row["bound"] == "exact")
    return (-2.0 if value is None else value, 0.0 if score is None else score)


def _cell(key: str, known: float | None, bound: str | None = None) -> str:
    from nimtui.cli import output, search_report

    if known is None:
        return ""
    if key in SIGNED:
        return output.signed(known)
    if bound is not None:
        return search_report.outcome_text(int(known), bound)
    return output.exact(known) if key == "score" else output.grouped(known)
