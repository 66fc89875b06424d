"""`nimtui moves`: the move that an agent plays, and its rating of every move."""

from __future__ import annotations

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import read_agent, read_position
from nimtui.errors import InputError


@options.examples("""\
nimtui moves nim:3,5,4,2,6 --agent mc:playouts=40000
nimtui moves subtraction:21,3:misere -p 10 --agent mc --seed 7
nimtui moves connect4 -p 444 --agent mcts:simulations=20000
nimtui moves tower:16 -p 1,3,5,6 --agent hard --json""")
def moves(
    game: options.Game,
    agent: options.Agent,
    position: options.Position = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Show how an agent rates every move.

    The last columns show the exact value, if the game can be solved: in how many plies a move wins or loses."""
    from nimtui.agents.report import rated
    from nimtui.engine.rng import Stream
    from nimtui.games import base
    from nimtui.games.place import Place
    from nimtui.theory.answers import known_moves

    chosen, state = read_position(game, position)
    if base.outcome(state) != base.GOING_ON:
        raise InputError(f"the game is over at {chosen.position_name(state)}: choose a position with moves")
    player = read_agent(agent, chosen)
    with Bar("think") as bar:
        player.prepare(bar)
        decision = player.decide(state, Stream(seed), bar)
        truths = known_moves(chosen, state, bar)
    output.report(rated(Place(chosen, state, position), player.name, decision, truths), json)
