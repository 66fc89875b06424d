"""`nimtui sample`: shows and makes samples of positions, which measure learners of games that no table holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files, read_game
from nimtui.foreign.reading import is_there

MOST_POSITIONS = 1_000_000


@options.examples("""\
nimtui sample connect4
nimtui sample connect4:6x5 --positions 1000 --json
nimtui sample connect4 --save again.npz""")
def sample(
    game: options.Game,
    positions: Annotated[
        int | None,
        options.option(
            "--positions",
            "N",
            "Number of positions. [default: 10,000]",
            parser=options.whole("the number of positions", 1, MOST_POSITIONS),
        ),
    ] = None,
    seed: Annotated[int | None, options.seed_option("The same seed gives the same sample. [default: 1]")] = None,
    save: Annotated[Path | None, options.file_option("save", "Save the new sample to FILE.")] = None,
    force: Annotated[bool, options.flag("--force", "Let --save overwrite an existing file.")] = False,
    json: options.Json = False,
) -> None:
    """Show or make a sample of positions with the exact result of each move.

    A sample measures how many of a learner's best moves are right. Without options: the sample that trainings of
    this game use, made and kept if there is none. With --positions, --seed or --save, makes a new one."""
    from nimtui.learning import sample as samples
    from nimtui.learning.report import sampled

    own_files()
    rules = read_game(game)
    if save is not None:
        output.check_new(save, None, force)
    with Bar("sample") as bar:
        if positions is None and seed is None and save is None:
            chosen, save = samples.of(rules, bar), samples.place(rules)
            save = save if is_there(save) else None  # it could not be written
        else:
            number, start = positions or samples.USUAL, samples.SEED if seed is None else seed
            chosen = samples.make(rules, number, start, bar)
            if save is not None:
                chosen.save(save)
    output.report(sampled(chosen, save), json)
