"""What the Tournament screen shows: painters of its lines, its marked cell and a game; and its offers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nimtui.arena import verdict_words
from nimtui.arena.entrants import labels
from nimtui.arena.faults import lines as equal_faults
from nimtui.arena.plan import ORDERED
from nimtui.foreign.values import recently
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State as Position
from nimtui.games.notation import plural
from nimtui.report.lines import FIRM, Ink, Line, Run, cut, justified, keys, line, paragraphs, width
from nimtui.report.values import Pace, Progress
from nimtui.ui.board import small_board
from nimtui.ui.board.board import NOBODY, Owned
from nimtui.ui.kit.choices import Choice
from nimtui.ui.kit.conductor import State
from nimtui.ui.kit.entries import usual_name
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.keymap import key_of
from nimtui.ui.kit.lines import fitted
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.remaining import remaining_text as time_told
from nimtui.ui.tournament import sentences as words
from nimtui.ui.tournament.crosstable import Place, Share
from nimtui.ui.tournament.setup import PRESETS, TournamentSetup

if TYPE_CHECKING:
    from nimtui.arena.plan import Plan
    from nimtui.arena.tally import Standings
    from nimtui.jobs.live_games import LiveGame
    from nimtui.store.tournaments import TournamentInfo
    from nimtui.ui.tournament.conductor import TournamentConductor

ABOUT = """Agents play each other with swapped seats. Every game is saved.
The standings say who is stronger, how sure that is, and who makes mistakes."""
FORM, KEPT, ENDED, PRESET = "form", "kept", "ended", "preset"  # kinds of offers
LONGEST_NAME, LONGEST_DETAIL = 26, 36  # letters of an offer, so that nothing is cut at 80 columns
CELL_LINES = 4  # lines of a cell's text
PARTED = " – "  # between two players
BAR = 20  # cells of the progress bar
MOVE_LINES, SHARE_OF_MOVES = 2, 6  # lines for the moves of a game: at least, and one of so many
NO_GAME = {
    True: "No game to watch right now: they end too quickly.",
    False: "No game is being played right now.",
}  # while the tournament runs, and while it does not
CELLS = {
    Share.BOTH: "% of the points, both seats",
    Share.FIRST: "% of the points, row moving first",
    Share.STRONGER: "LOS of the row (is it stronger?), %",
}


# The lines above and below.


def title(conductor: TournamentConductor) -> Paint:
    """Draw what is played, and how."""
    plan, name = conductor.plan, conductor.name

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if plan is None:
            said = line(("Tournament", Ink.STRONG), (": let agents play each other and rate them", Ink.QUIET))
            return [cut(said, columns, signs.hidden)]
        left = Run(signs.plain(name or words.games(plan)), Ink.STRONG)
        played, seed = words.played(plan), f"seed {plan.seed}"
        opening = plan.openings.title if plan.openings.plies else ""
        test = verdict_words.brief(plan.sprt) if plan.sprt is not None else ""
        test = " · ".join(filter(None, (test, plan.limits.title)))
        where = words.games(plan).partition(" · ")[0] if name else ""
        brief = played.partition(", seats")[0]
        choices = (
            (where, played, opening, test, seed),
            (where, played, opening, test),
            (brief, opening, test, seed),
            (brief, opening, test),
            (brief, opening),
            (where, brief),
            (brief, seed),
            (brief,),
            (f"{plan.number:,} each",),
        )
        rights = [" · ".join(filter(None, parts)) for parts in choices]
        right = next((text for text in rights if len(text) + width((left,)) + 2 <= columns), rights[-1])
        return [justified((left,), line((signs.plain(right), Ink.QUIET)), columns)]

    return paint


def progress(conductor: TournamentConductor) -> Paint:
    """Draw how far it is, how quick, and how long it will take."""
    view, state, ready = conductor.view, conductor.state, conductor.getting_ready
    workers = conductor.at_work if view is not None else 0

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if view is None:
            return []
        share = view.done / view.total if view.total else 1.0
        parts = [f"{view.done:,} of {plural(view.total, 'game', 'games')}"]
        if view.plan.sprt is not None:
            parts.append(verdict_words.far(view.plan, view.scores))
        if state is State.GOING:
            parts += [Pace(view.rate).text if view.rate else ready, time_told(view.left)]
            parts.append(plural(workers, "worker", "workers"))
        else:
            parts.append(f"{signs.paused} {state.value}" if state is State.PAUSED else state.value)
            if state is State.FINISHED and view.seconds >= 1:
                parts.append(f"{view.seconds:,.0f} s in all")
        told = [signs.plain(part) for part in parts if part]
        while len(told) > 1 and len(" · ".join(told)) > columns - 14:
            told.pop()
        said = signs.plain(" · ").join(told)
        bar = max(0, min(BAR, columns - len(said) - 8))
        percent = f"{Progress(share).text:>{5 if bar else 0}}  "
        shown = line((signs.bar(share, bar), Ink.JOB), (" " * bool(bar) + percent, Ink.STRONG), said)
        return [cut(shown, columns, signs.hidden)]

    return paint


def said(conductor: TournamentConductor) -> Paint:
    """Draw the last message or fault."""
    view, message, fault, unkept = conductor.view, conductor.message, conductor.fault, conductor.unkept
    faults = view.faults if view is not None else ()

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if fault:
            text, ink = f"{signs.fault} {fault}", Ink.BAD
        elif message:
            text, ink = message, Ink.TEXT
        elif unkept and view is not None:
            text, ink = f"{signs.fault} {unkept}", Ink.BAD
        elif faults:
            text, ink = f"{signs.fault} {faults[-1]}", Ink.BAD
        else:
            return []
        return paragraphs([signs.plain(text)], columns, ink)[:rows]

    return paint


# The marked cell.


def legend(standings: Standings, place: Place) -> str:
    """Return what the cells of the crosstable show."""
    itself = "; against itself, moving first" if place.share is Share.BOTH and standings.plan.pairs == ORDERED else ""
    return f"{CELLS[place.share]}{itself}"


def meaning(
    conductor: TournamentConductor, standings: Standings, place: Place, mistakes: bool = False, framed: bool = False
) -> Paint:
    """Explain the cells, the marked one in words, and what theory says of the start.

    With `mistakes`, add those of the two agents, for a table without room for them. A `framed` table says in its own
    title what its cells show.
    """
    plan, names = standings.plan, labels(standings.plan.agents)
    cell = words.of_cell(standings, names, *place.cursor)
    if mistakes and (told := words.of_mistakes(standings, names, place.cursor)):
        cell[1] += f"; {told}"
    view = conductor.view
    for score in view.scores if view is not None else ():
        if {score.pairing.first, score.pairing.second} == set(place.cursor) and score.played:
            cell += filter(None, [verdict_words.sentence(plan, score)])
    shown = words.of_standings(standings, names, running=conductor.state is State.GOING)
    remarks = [words.on_screen(text, plan) for text in conductor.remarks]
    faults = view.kinds if view is not None else ()
    lost = sum(sum(score.faults) for score in view.scores) if view is not None else 0  # self-play has faults, too
    cells = f"Cells: {legend(standings, place)}"

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        head = line((signs.plain(cell[0]), Ink.TITLE if framed else Ink.STRONG))
        lines = [] if framed else [line((signs.plain(cells), Ink.QUIET), *keys("  ", "v"))]
        lines = [cut(each, columns, signs.hidden) for each in (*lines, head)]
        lines += paragraphs([signs.plain(text) for text in cell[1:]], columns)
        lines += [()] * (CELL_LINES + (not framed) - len(lines))  # keeps the lines below in place
        further = paragraphs([signs.plain(text) for text in (*shown, *remarks)], columns, Ink.QUIET)
        if faults and len(lines) + len(further) + 2 < rows:
            games = "1 game was" if lost == 1 else f"{lost:,} games were"
            further += [(), line((f"{games} lost by a fault:", Ink.BAD))]
            told = equal_faults(faults, max(1, rows - len(lines) - len(further)))
            further += paragraphs([signs.plain(text) for text in told], columns)
        return [*lines, *further][:rows]

    return paint


# A game in progress.


def playing(conductor: TournamentConductor, latest: tuple[LiveGame, int] | None, large: bool) -> Paint:
    """Draw one of the games in progress; with `large`, on a board as on the Play screen, above its moves.

    `latest`, a finished game and its result, is shown while no game is being played.
    """
    plan, view, state = conductor.plan, conductor.view, conductor.state
    going = view.playing if view is not None and state in (State.GOING, State.PAUSED) else ()
    shown, result = (going[0], None) if going else latest if latest and state is not State.GOING else (None, None)

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if plan is None or (shown is None and not large):
            return []
        if shown is None:
            return [line(("A game", Ink.TITLE)), *paragraphs([NO_GAME[state is State.GOING]], columns, Ink.QUIET)]
        players, number = who(plan, shown)
        number = number if result is None else f"latest {number} · {ended(plan, shown, result)}"
        key = (
            keys("", "o", " watch") if going else keys("", signs.plain(key_of("tournament.pairing", "⏎")), " all games")
        )
        found = [
            cut(line((signs.plain(players), Ink.TITLE)), columns, signs.hidden),
            justified(line((signs.plain(number), Ink.QUIET)), line(*key), columns),
        ]
        game = parse_game(plan.games[plan.pairings[shown.pairing].game])
        at = position(game, shown.moves)
        if not large:
            tall = small_board.height(game, rows - len(found))
            return [*found, *small_board.paint(game, at, None, columns, tall, signs)][:rows]
        high = max(MOVE_LINES, rows // SHARE_OF_MOVES)
        two = [signs.plain(name) for name in players.split(PARTED)]
        told = told_moves(two, move_names(game, shown.moves), plan.openings.plies)
        moves = paragraphs([told], columns, Ink.QUIET)[-high:]
        room = max(0, rows - len(found) - high)
        board = small_board.drawing(game, at, owned(game, shown.moves), columns, room, signs)
        return [*found, *board, *[()] * (room - len(board)), *moves][:rows]

    return paint


def who(plan: Plan, shown: LiveGame) -> tuple[str, str]:
    """Return 'perfect – mc', first player first; and 'game 34'."""
    names = labels(plan.agents)
    pairing = plan.pairings[shown.pairing]
    pair = (names[pairing.first], names[pairing.second])
    first, second = pair if plan.opener(shown.number) == 0 else pair[::-1]
    return f"{first}{PARTED}{second}", f"game {shown.number + 1:,}"


def told_moves(two: Sequence[str], moves: Sequence[str], opening: int) -> str:
    """Return 'opening d6 c2  3 perfect c2  4 medium b3': the moves of the opening, then each with its player."""
    first = [" ".join(["opening", *moves[:opening]])] if opening else []
    made = [f"{ply + 1} {two[(ply - opening) % 2]} {move}" for ply, move in enumerate(moves) if ply >= opening]
    return "  ".join(text.replace(" ", FIRM) for text in (*first, *made))


def ended(plan: Plan, shown: LiveGame, result: int) -> str:
    """Return how a game ended, by its result for the pairing's first entrant: 'perfect won', 'draw'."""
    pairing = plan.pairings[shown.pairing]
    if result and pairing.first == pairing.second:
        return f"the {'first' if (result > 0) is (plan.opener(shown.number) == 0) else 'second'} player won"
    return f"{labels(plan.agents)[pairing.first if result > 0 else pairing.second]} won" if result else "draw"


def walked(game: Game, moves: tuple[int, ...]) -> Iterator[tuple[Position, int, int]]:
    """Yield each of these moves from the start, as far as they are legal: the position before it, the move, its ply.

    It is always the same position, which is played on.
    """
    state = game.new()
    for ply, move in enumerate(moves):
        if base.outcome(state) != base.GOING_ON or not base.legal(state, move):
            return
        yield state, move, ply
        base.play(state, move)


def position(game: Game, moves: tuple[int, ...]) -> Position:
    """Return the position after these moves."""
    *_, state = game.new(), *(state for state, _, _ in walked(game, moves))
    return state


def owned(game: Game, moves: tuple[int, ...]) -> Owned:
    """Return the marks of these moves."""
    found = NOBODY
    for state, move, ply in walked(game, moves):
        found = small_board.joined(found, small_board.after(game, state, move, ply % 2))
    return found


def move_names(game: Game, moves: tuple[int, ...]) -> list[str]:
    """Return the names of these moves."""
    return [game.move_name(move, state) for state, move, _ in walked(game, moves)]


# Offers while no tournament is shown: saved, ready and own ones.


def offers(unfinished: Sequence[TournamentInfo], ended: Sequence[TournamentInfo] = ()) -> list[Choice]:
    """Offer unfinished tournaments first, then ready ones, then some finished ones."""
    return [
        *(Choice(f"{KEPT} {info.id}", f"Resume: {_called(info)}", _detail(info)) for info in unfinished),
        *(Choice(f"{PRESET} {at}", preset.title, preset.about) for at, preset in enumerate(PRESETS)),
        Choice(FORM, "New tournament …", "any games, agents and openings"),
        *(Choice(f"{ENDED} {info.id}", f"Show: {_called(info)}", _detail(info)) for info in ended),
    ]


def taken(value: str) -> TournamentSetup | int | None:
    """Return a set-up to start, the number of a saved tournament, or None for the form."""
    kind, _, number = value.partition(" ")
    if kind == FORM:
        return None
    return PRESETS[int(number)].setup if kind == PRESET else int(number)


def is_finished(value: str) -> bool:
    """Return whether it can only be shown."""
    return value.partition(" ")[0] == ENDED


def _called(info: TournamentInfo) -> str:
    """Return the title of a saved tournament."""
    if not info.name:
        return f"tournament {info.id}, {len(info.document.get('agents', ()))} agents"
    return fitted(info.name, LONGEST_NAME, "…").rstrip()


def _detail(info: TournamentInfo) -> str:
    """Return '41 % · yesterday 14:02 · tower:16', with the game only if it is short."""
    share = Progress(info.played / info.total).text if info.total else ""
    said = f"{'finished' if info.state == 'done' else share} · {recently(info.changed)}"
    whole = " · ".join([said, *map(usual_name, info.document.get("games", ()))])
    return whole if len(whole) <= LONGEST_DETAIL else said
