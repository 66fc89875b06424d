"""What the Tournament screen shows: painters of its lines, its marked cell and a game; and its offers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import CLASS, GAUNTLET, ORDERED, Plan
from nimtui.arena.rating.ratings import head_to_head
from nimtui.arena.standings import ledger, statements
from nimtui.arena.standings.standings import Cell, Standings
from nimtui.arena.standings.statements import NOTHING, of_pair, of_ratings, of_seat
from nimtui.foreign.values import recently
from nimtui.games import Game, parse_game
from nimtui.games.notation import plural
from nimtui.jobs.clock import remaining_text
from nimtui.jobs.work import State
from nimtui.playing.setup import usual_name
from nimtui.report.lines import FIRM, Ink, Line, clipped, cut, justified, keys, line, paragraphs
from nimtui.report.values import Likelihood, Named, Pace, Progress
from nimtui.report.values import Share as PerCent
from nimtui.ui.board import small_board
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.forms.choices import Choice
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Paint, of_head, of_line, of_message, painter
from nimtui.ui.kit.work_screen import pace
from nimtui.ui.kit.work_screen import progress as of_progress
from nimtui.ui.tournament.crosstable import Place, Share
from nimtui.ui.tournament.setup import PRESETS, TournamentSetup

if TYPE_CHECKING:
    from nimtui.jobs.live_games import LiveGame
    from nimtui.store.rows import TournamentInfo
    from nimtui.ui.tournament.work import TournamentWork

    Known: TypeAlias = "tuple[LiveGame, int | None]"  # a game, and its result if it is known

ABOUT = """Agents play each other with swapped seats. Every game is saved.
The standings say who is stronger, how sure that is, and who makes mistakes."""
FORM, KEPT, ENDED, PRESET = "form", "kept", "ended", "preset"  # kinds of offers
LONGEST_NAME, LONGEST_DETAIL = 26, 36  # letters of an offer, so that nothing is cut at 80 columns
CELL_LINES = 4  # lines of a cell's text
PARTED = " – "  # between two players
MOVE_LINES, SHARE_OF_MOVES = 2, 6  # lines for the moves of a game: at least, and one of so many
NO_GAME = {
    True: "No game to watch right now: they end too quickly.",
    False: "No game is being played right now.",
}  # while the tournament runs, and while it does not


# The lines above and below.


def title(conductor: TournamentWork) -> Paint:
    """Draw what is played, and how."""
    task = conductor.task
    if task is None:
        return of_head("Tournament: let agents play each other and rate them")
    plan, name = task.plan, task.name
    pairs, seed = played(plan), f"seed {plan.seed}"
    opening = plan.openings.title if plan.openings.plies else ""
    test = statements.brief(plan.sprt) if plan.sprt is not None else ""
    test = " · ".join(filter(None, (test, plan.limits.title)))
    where = games(plan).partition(" · ")[0] if name else ""
    brief = pairs.partition(", seats")[0]
    choices = (
        (where, pairs, opening, test, seed),
        (where, pairs, opening, test),
        (brief, opening, test, seed),
        (brief, opening, test),
        (brief, opening),
        (where, brief),
        (brief, seed),
        (brief,),
        (f"{plan.number:,} each",),
    )
    return of_head(name or games(plan), [" · ".join(filter(None, parts)) for parts in choices])


def progress(conductor: TournamentWork) -> Paint:
    """Draw how far it is, how quick, and how long it will take."""
    view, state = conductor.view, conductor.state
    if view is None:
        return of_line("")
    rate = Pace(view.rate).text if view.rate else conductor.getting_ready
    far = f"{view.done:,} of {Named(view.total, 'game', 'games').text}", statements.far(view.plan, view.scores)
    running = rate, remaining_text(view.left), plural(conductor.at_work, "worker", "workers")
    whole = f"{view.seconds:,.0f} s in all" if state is State.FINISHED and view.seconds >= 1 else ""
    return of_progress(view.done / view.total if view.total else 1.0, *far, *pace(state, running, whole))


def said(conductor: TournamentWork) -> Paint:
    """Draw the last message or fault."""
    task, wrong, message = conductor.task, conductor.fault, conductor.message or conductor.stuck
    if not wrong and not message and task is not None:
        wrong = task.unkept or task.view.latest_fault
    return of_message(message, wrong)


# The marked cell.


def legend(standings: Standings, place: Place) -> str:
    """Return what the cells of the crosstable show."""
    itself = place.share is Share.BOTH and standings.plan.pairs == ORDERED
    return f"{place.share.value}{'; against itself, moving first' * itself}"


def meaning(
    conductor: TournamentWork, standings: Standings, place: Place, mistakes: bool = False, framed: bool = False
) -> Paint:
    """Explain the cells, the marked one in words, and what theory says of the start.

    With `mistakes`, add those of the two agents, for a table without room for them. A `framed` table says in its own
    title what its cells show.
    """
    plan, names, view = standings.plan, labels(standings.plan.agents), conductor.view
    head, *cell = of_cell(standings, names, *place.cursor)
    if mistakes and (mistaken := of_mistakes(standings, names, place.cursor)):
        cell[0] += f"; {mistaken}"
    scores = view.scores if view is not None else ()
    met = [score for score in scores if {*score.pairing[1:]} == {*place.cursor} and score.played]
    cell += filter(None, (statements.sentence(plan, score) for score in met))
    further = [*conductor.programs, *of_standings(standings, names, running=conductor.state.runs)]
    further += [on_screen(text, plan) for text in conductor.remarks]

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        lines = [line((signs.plain(head), Ink.TITLE if framed else Ink.STRONG))]
        if not framed:
            lines.insert(0, line((signs.plain(f"Cells: {legend(standings, place)}"), Ink.QUIET), *keys("  ", "v")))
        lines = [cut(each, columns, signs.hidden) for each in lines]
        lines += paragraphs(map(signs.plain, cell), columns)
        lines += [()] * (CELL_LINES + (not framed) - len(lines))  # keeps the lines below in place
        lines += paragraphs(map(signs.plain, further), columns, Ink.QUIET)
        if view is not None and view.kinds and len(lines) + 2 < rows:
            lost = sum(sum(score.faults) for score in view.scores)  # self-play has ledger, too
            lines += [(), line((f"{ledger.lost(lost)}:", Ink.BAD))]
            lines += paragraphs(map(signs.plain, ledger.lines(view.kinds, max(1, rows - len(lines)))), columns)
        return lines[:rows]

    return paint


# A game in progress.


@painter
def playing(
    columns: int, rows: int, signs: Glyphs, conductor: TournamentWork, latest: Known | None, large: bool
) -> list[Line]:
    """Draw one of the games in progress; with `large`, on a board as on the Play screen, above its moves.

    `latest`, a game and its result if it is known, is shown while no game is being played.
    """
    plan, view, state = conductor.plan, conductor.view, conductor.state
    going = view.playing if view is not None and state.is_on else ()
    watched, result = (going[0], None) if going else latest or (None, None)
    if plan is None or (watched is None and not large):
        return []
    if watched is None:
        return [line(("A game", Ink.TITLE)), *paragraphs([NO_GAME[state.runs]], columns, Ink.QUIET)]
    two, number = who(plan, watched)
    number = number if result is None else f"latest {number} · {ended(plan, watched, result)}"
    key, does = ("o", " watch") if going else (key_of("tournament.pairing", "⏎"), " all games")
    lines = [
        cut(line((signs.plain(PARTED.join(two)), Ink.TITLE)), columns, signs.hidden),
        justified(line((signs.plain(number), Ink.QUIET)), line(*keys("", signs.plain(key), does)), columns),
    ]
    game = game_of(plan, watched)
    at = small_board.replayed(game, watched.moves)
    high = max(MOVE_LINES, rows // SHARE_OF_MOVES) if large else 0
    moves = paragraphs([told_moves(map(signs.plain, two), at.names, plan.openings.plies)], columns, Ink.QUIET)
    room = max(0, rows - len(lines) - high)
    board = small_board.drawing(game, at.position, at.marks, columns, room, signs)
    return [*lines, *board, *[()] * (room - len(board)), *moves[max(0, len(moves) - high) :]][:rows]


def who(plan: Plan, shown: LiveGame) -> tuple[list[str], str]:
    """Return the two players, the first one first; and 'game 34'."""
    pairing, opener = plan.pairings[shown.pairing], plan.opener(shown.number)
    two = [labels(plan.agents)[entrant] for entrant in pairing[1:]]
    return two[:: -1 if opener else 1], f"game {shown.number + 1:,}"


def told_moves(players: Iterable[str], moves: Sequence[str], opening: int) -> str:
    """Return 'opening d6 c2  3 perfect c2  4 medium b3': the moves of the opening, then each with its player."""
    two = list(players)
    parts = [" ".join(["opening", *moves[:opening]])] if opening else []
    parts += [f"{ply + 1} {two[(ply - opening) % 2]} {move}" for ply, move in enumerate(moves) if ply >= opening]
    return "  ".join(text.replace(" ", FIRM) for text in parts)


def ended(plan: Plan, shown: LiveGame, result: int) -> str:
    """Return how a game ended, by its result for the pairing's first entrant: 'perfect won', 'draw'."""
    pairing = plan.pairings[shown.pairing]
    if result and pairing.first == pairing.second:
        return f"the {'first' if (result > 0) is (plan.opener(shown.number) == 0) else 'second'} player won"
    return f"{labels(plan.agents)[pairing.first if result > 0 else pairing.second]} won" if result else "draw"


def game_of(plan: Plan, shown: LiveGame) -> Game:
    """Return the game that is played."""
    return parse_game(plan.games[plan.pairings[shown.pairing].game])


# What is said of the plan, and of the marked cell.


def played(plan: Plan) -> str:
    """Return '15 pairs × 100 games, seats swapped'."""
    pairs = len(plan.pairings) // len(plan.games)
    games = plural(plan.number, "game", "games")
    if plan.pairs == ORDERED:
        return f"{pairs} ordered {'pair' if pairs == 1 else 'pairs'} × {games}"
    kind = f"{plan.pairs} of " * (plan.pairs in (GAUNTLET, CLASS))
    return f"{kind}{plural(pairs, 'pair', 'pairs')} × {games}{', seats swapped' * (plan.number > 1)}"


def games(plan: Plan) -> str:
    """Return what is played: the game's title, or the number of games."""
    titles = [parse_game(name).title for name in plan.games]
    if len(titles) == 1:
        return titles[0]
    return f"{len(titles)} games: " + "; ".join(title.partition(" · ")[0] for title in titles)


def of_cell(standings: Standings, labels: Sequence[str], row: int, column: int) -> list[str]:
    """Return the marked cell in words: who against whom, then at most three short lines."""
    opened, answered = standings.cells[row][column], standings.cells[column][row]
    head, met = f"{labels[row]} against {labels[column]}", [cell for cell in (opened, answered) if cell is not None]
    if row == column:
        head = f"{labels[row]} against itself"
        nothing = "played only with ordered pairs"
    else:
        apart = "the agents of the pool do not meet, nor do students of two leagues"
        nothing = f"no games: in a gauntlet only {labels[0]} plays the others"
        nothing = f"no games: {apart}" if standings.plan.pairs == CLASS else nothing
    if not any(cell.played for cell in met):
        return [head, "no finished game yet" if met else nothing]
    if row != column:
        return [head, *_results(opened, answered), _stronger(standings, row, column)]
    draws = f", {plural(met[0].draws, 'draw', 'draws')}" if met[0].draws else ""
    return [head, f"the first player won {met[0].first_wins:,} of {met[0].played:,}{draws}"]


def _results(opened: Cell | None, answered: Cell | None) -> list[str]:
    """Return 'won 97 of 100', '50 of 50 moving first, 47 of 50 second'; or 'won 31, drew 66, lost 3 of 100' …"""
    seats: list[tuple[str, int, int, int]] = []
    for cell, seat in ((opened, "moving first"), (answered, "moving second")):
        if cell is not None and cell.played:
            won, lost = (cell.first_wins, cell.second_wins) if cell is opened else (cell.second_wins, cell.first_wins)
            seats.append((seat, won, cell.draws, lost))
    won, drawn, lost = (sum(counts) for counts in zip(*(seat[1:] for seat in seats), strict=True))
    games = won + drawn + lost
    if drawn:
        whole = f"won {won:,}, drew {drawn:,}, lost {lost:,} of {games:,}"
        parts = [f"{seat} {own:,}, {even:,}, {other:,}" for seat, own, even, other in seats]
    else:
        whole = f"won {won:,} of {games:,}"
        parts = [f"{own:,} of {own + other:,} {seat}" for seat, own, _, other in seats]
    if len(parts) == 1:
        return [f"{whole}, {seats[0][0]}"]
    return [whole, (", " if not drawn else "; ").join(parts)]


def _stronger(standings: Standings, row: int, column: int) -> str:
    if standings.paid:
        return ""
    pair = head_to_head(standings.between(row, column))
    if pair.los is None:
        return NOTHING if pair.score.games else "LOS unknown so far"
    few = "; too few games to say" * of_pair(pair).startswith("Too few")
    return f"LOS {Likelihood(pair.los)} by these games{few}"


def of_mistakes(standings: Standings, labels: Sequence[str], entrants: Sequence[int]) -> str:
    """Return 'mistakes: mc 600 31.0 %, value 0 %'; '' if unknown."""
    rates = {row.entrant: row.mistake_rate for row in standings.rows if row.mistake_rate is not None}
    parts = [f"{labels[at]} {PerCent(rates[at])}" for at in dict.fromkeys(entrants) if at in rates]
    return f"mistakes: {', '.join(parts)}" if parts else ""


def of_standings(standings: Standings, labels: Sequence[str], *, running: bool) -> list[str]:
    """Return what the standings show: while games run the seat alone, as the rest changes with every game."""
    if standings.paid:
        return []
    seat = of_seat(standings.seat, standings.meetings)
    return [seat] * bool(seat) if running else list(of_ratings(standings.ratings, standings.meetings, labels))


def on_screen(remark: str, plan: Plan) -> str:
    """Return a remark of theory with the form's words for its advice and short names for its games."""
    for game in plan.games:
        remark = remark.replace(f" {game} ", f" {usual_name(game)} ")
    sentence, option, _ = remark.partition(" --openings ")
    return f"{sentence} Balanced openings avoid this." if option and "balanced" in remark else sentence


# Offers while no tournament is shown: saved, ready and own ones.


def offers(unfinished: Sequence[TournamentInfo], ended: Sequence[TournamentInfo] = ()) -> list[Choice]:
    """Offer unfinished tournaments first, then ready ones, then some finished ones."""
    return [
        *(Choice(f"{KEPT} {info.id}", f"Resume: {_called(info)}", _detail(info)) for info in unfinished),
        *(Choice(f"{PRESET} {at}", preset.title, preset.about) for at, preset in enumerate(PRESETS)),
        Choice(FORM, "New tournament …", "any games, agents and openings"),
        *(Choice(f"{ENDED} {info.id}", f"Show: {_called(info)}", _detail(info)) for info in ended),
    ]


def taken(value: str) -> tuple[str, TournamentSetup | int | None]:
    """Return the kind of an offer, and a set-up to start, the number of a saved tournament, or None for the form."""
    kind, _, number = value.partition(" ")
    return kind, None if kind == FORM else PRESETS[int(number)].setup if kind == PRESET else int(number)


def _called(info: TournamentInfo) -> str:
    """Return the title of a saved tournament."""
    title = info.name or f"tournament {info.id}, {len(info.document.get('agents', ()))} agents"
    return clipped(title, LONGEST_NAME) if info.name else title


def _detail(info: TournamentInfo) -> str:
    """Return '41 % · yesterday 14:02 · tower:16', with the game only if it is short."""
    share = Progress(info.played / info.total).text if info.total else ""
    state = f"{'finished' if info.state == 'done' else share} · {recently(info.changed)}"
    whole = " · ".join([state, *map(usual_name, info.document.get("games", ()))])
    return whole if len(whole) <= LONGEST_DETAIL else state
