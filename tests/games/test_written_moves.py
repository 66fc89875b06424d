"""One move is written in one way: as it is typed wherever it is listed, and in a sentence by what it does."""

from __future__ import annotations

import re
from random import Random

import pytest

from nimtui.arena.play.steps import Steps
from nimtui.arena.review import review_report
from nimtui.cli.plain import lines
from nimtui.games import Game, base, parse_game, registry, rule_text
from nimtui.games.base import Move, State
from nimtui.games.registry import presets
from nimtui.games.rule_text import doing, named
from nimtui.playing import sentences as words
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.report.lines import plain_text
from nimtui.ui.board.small_board import replayed
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play import value_history, view
from nimtui.ui.search.stage import of_node
from tests.games import leaving

GAMES = [*(preset.game for preset in presets()), "nim:9,200,3:max=3", "adjacent:5", "connect:9x3x3", "chomp:2x11"]


@pytest.fixture(autouse=True)
def added() -> None:
    registry.add(leaving)


def deed(game: Game, state: State, move: Move) -> str:
    """The words for a move by its name."""
    name = game.move_name(move, state)
    if game.board_kind == "columns":
        return f"drop in column {name}"
    if game.board_kind == "rows":
        return f"take {name[1:]} from {name[0].upper()}" if len(game.cells(state) or ()) > 1 else f"take {name[1:]}"
    verb = {"runs": "take", "list": "play", "heaps": "play"}.get(game.board_kind) or (game.verbs or ("play",))[0]
    return f"{verb} {name}"


def walk(game: Game) -> list[Move]:
    """The moves of a random game, six at most."""
    state, moves, random = game.new(), list[Move](), Random(game.name)
    while len(moves) < 6 and base.outcome(state) == base.GOING_ON:
        moves.append(random.choice(base.legal_moves(state)))
        base.play(state, moves[-1])
    return moves


@pytest.mark.parametrize("name", [*GAMES, "leaving:9"])
def test_a_move_is_written_in_one_way_in_every_list_text_and_sentence_of_a_game(name: str) -> None:
    game, moves = parse_game(name), walk(parse_game(name))
    session = Session(PlaySetup(name, None, ("me", "me"), 0))
    names, deeds = [], []
    for played in moves:
        state = session.state
        for move in {played, *base.legal_moves(state)[:9]}:
            own = game.move_name(move, state)
            assert doing(game, state, move) == deed(game, state, move)
            assert named(game, state, move) == (f"column {own}" if game.board_kind == "columns" else own)
        names.append(game.move_name(played, state))
        deeds.append(deed(game, state, played))
        session.play(played)
    text = " ".join(names)
    assert session.move_names() == names == replayed(game, moves).names == Steps(game).names(moves)
    assert session.record.transcript() == text
    assert [row.move for row in review_report.read(game, moves, 0, ("me", "me")).moves] == names
    copies = {copy.what: copy.text for copy in (*view.copies(session), *of_node(game, game.start, moves))}
    assert copies["moves"] == copies["path"] == text
    listed = "\n".join(map(plain_text, value_history.log(session)(40, 40, UNICODE)))
    across = plain_text(value_history.across(session, 400, UNICODE)[0])
    for ply, own in enumerate(names, 1):
        assert re.search(rf"\b{ply} .*\b{re.escape(own)}\b", listed) and re.search(rf"\b{ply} \S+ {own}\b", across)
    past = words.latest_done(session).partition(" ")[2]
    assert past == deeds[-1].partition(" ")[2], "the same words, in the past"


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_on_the_screen_and_line_by_line_name_the_same_move(name: str) -> None:
    game = parse_game(name)
    for text in filter(None, (rule_text.notation(game), lines.rules(game)[-1])):
        [example] = re.findall(r"(?:Type|typed as) (\w[\w/-]*)", text)
        assert example in {game.move_name(move) for move in base.legal_moves(game.start)}
