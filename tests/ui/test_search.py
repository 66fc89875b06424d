"""The Search screen: the tree and the ways about in it, its cuts, the slider in time, what stands beside it."""

from __future__ import annotations

import ast
import itertools
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.games import base, parse_game
from nimtui.theory.nim import nim_sum
from nimtui.trees import search_of
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.search.outline import Outline, WindowSource
from nimtui.ui.search.screen import SearchDraft
from nimtui.ui.search.setup import PRESETS, SearchSetup, parse_settings
from nimtui.ui.search.work import SearchWork
from tests.learning.functions import save
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import playing, until
from tests.ui.searching import GROWN, outline, panel, searching, stage, work

WHOLE_WINS = SearchSetup("nim:1,2,3", None, "alphabeta:depth=-1")


def marked(pilot: Any) -> str:
    """The line under the cursor."""
    return next(line for line in panel(pilot, "tree").splitlines() if "▌" in line)


@pytest.mark.slow
@pytest.mark.parametrize("setup", [None, GROWN, PRESETS[-1].setup])
async def test_nothing_but_ascii_where_that_is_asked(make_app: Any, setup: SearchSetup | None) -> None:
    more = {} if setup is None else {"setup": setup}
    async with searching(make_app, surroundings=TerminalInfo(unicode=False), **more) as pilot:
        if setup is None:  # no word of a move or a heading is cut
            text = screen_text(pilot.app)
            assert "Windows (a, b) on this line" in text and text.count(" loses") >= 9
            assert not re.search("lo~|los~|lose~", text)
        keys = ("n", "n", "home", "greater_than_sign", "end", "p", "f", "2") if setup is None else ()
        keys = ("home", *["greater_than_sign"] * 12, *["full_stop"] * 4) if setup is GROWN else keys
        for key in ("", *keys):
            await pilot.press(*[key] * bool(key))
            assert screen_text(pilot.app).isascii(), screen_text(pilot.app)


async def test_keys_go_from_cut_to_cut_unfold_find_a_node_and_show_the_best_line_or_any_event(
    make_app: Any, tmp_path: Path
) -> None:
    async with searching(make_app) as pilot:
        words = ("value", "window (α, β)", "−2", "(−∞, +∞)", "2,978", "669", "★", "✗", "d4 is the only win")
        for size in (*SIZES[::-1], (80, 24)):
            await pilot.resize_terminal(*size)
            text = screen_text(pilot.app)
            assert [word for word in (*words, "2,201 events") if word not in text] == []
            assert len(text.splitlines()) == size[1] and max(map(len, text.splitlines())) <= size[0]
        tree, lines = work(pilot).found.tree, outline(pilot)
        whole, first = len(lines), tree.next_cut(0)
        await pilot.press("n")
        assert lines.node == first and "✂" in marked(pilot)
        await pilot.press("n")
        assert lines.node == tree.next_cut(first)
        await pilot.press("u")
        assert lines.node == first
        await pilot.press("0")
        assert len(lines) == 1
        await pilot.press("4")
        assert int((lines.lines >= 0).sum()) == len(tree) == 669
        assert int((lines.lines < 0).sum()) == int((tree.kinds == 2).sum())
        assert "unfolded to depth 4" in panel(pilot, "prompt")
        await pilot.press("1", "down", "enter")
        assert len(lines) > 11
        await pilot.press("left")
        assert len(lines) == 11
        await pilot.press("p")
        shown = [line for line in panel(pilot, "tree").splitlines()[1:] if line.strip()]
        assert len(shown) == 5 and all("★" in line for line in shown) and "Only the best line" in panel(pilot, "prompt")
        await pilot.press("escape", "slash", *"1,1,3,4", "enter")
        node = lines.node
        assert work(pilot).search.game.position_name(stage(pilot).walk.source.tree.state(node)) == "1,1,3,4"
        await pilot.press("slash", *"1,2,3,9", "enter")
        assert lines.node == node
        await pilot.press("escape", "slash", *"b1", "space", *"d1", "enter")
        assert "d1" in marked(pilot)
        await pilot.press("slash", *"b1", "space", *"d4", "enter")
        assert "d4 was not searched: 3 moves pruned" in panel(pilot, "prompt")
        await pilot.press("escape", "t")
        assert lines.node != node or "This position occurs only here" in panel(pilot, "prompt")
        await pilot.press("home")
        assert "event 1 of 2,201" in panel(pilot, "status") and "Enter root" in panel(pilot, "facts")
        await pilot.press("full_stop", "full_stop", "full_stop", "comma")
        assert "event 3 of 2,201" in panel(pilot, "status")
        await pilot.press("greater_than_sign")
        assert "moves pruned: β" in panel(pilot, "facts") and "✗" in panel(pilot, "window")
        await pilot.press("home", "full_stop", "0", "right")
        assert len(lines) == whole and "2,201 events" in panel(pilot, "status")  # all is shown again
        await pilot.press("home", "full_stop", "full_stop", "n")
        assert {int(node) for node in lines.lines if node >= 0} >= set(tree.children(0))
        slider = stage(pilot).walk.slider
        await pilot.press("end", "space")
        await until(pilot, lambda: (slider.at or 0) > 2)
        await pilot.press("space")
        at = slider.at
        await pilot.pause(2 * pilot.app.tick)
        assert slider.at == at
        await pilot.press("plus", "plus", "plus")
        assert "64 events per step" in panel(pilot, "prompt")
        stage(pilot).seek(len(slider) - 150)  # it plays on from there, to the end
        await pilot.press("space")
        await until(pilot, lambda: slider.at is None)
        for said in ("", "this file already exists"):
            await pilot.press("e")
            pilot.app.screen.query_one("#file").input.value = str(tmp_path / "tree.json")
            await pilot.press("enter")
            await until(pilot, (tmp_path / "tree.json").exists)
            assert said in screen_text(pilot.app) and '"visited": 669' in (tmp_path / "tree.json").read_text()


@pytest.mark.parametrize("setup", [WHOLE_WINS, SearchSetup("nim:2,2", None, "alphabeta:depth=-1")])
def test_only_cuts_and_only_wins_stand_with_all_above_them(setup: SearchSetup) -> None:
    game = parse_game(setup.game)
    tree = search_of(game, game.new(), parse_settings(setup.search), record=True).run().tree
    whole = Outline(WindowSource(tree))
    cuts = {node for node in range(len(tree)) if tree.kinds[node] == 2}
    won = {node for node in range(len(tree)) if (-1) ** int(tree.plies[node]) * int(tree.values[node]) > 900_000}
    for (lines, depths), wanted in ((whole.source.cuts(), cuts), (whole.source.wins(), won)):
        above = {up for node in wanted for up in tree.path(node)}
        assert {int(line) for line in lines if line >= 0} == above | wanted | {0}
        assert all(int(tree.plies[line]) == depth for line, depth in zip(lines, depths, strict=True) if line >= 0)
        whole.show(lines, depths)
        for place, line in enumerate(lines):
            if line >= 0:
                named = [int(tree.moves[node]) for node in tree.path(int(line)) if node]
                assert list(whole.moves(place)) == named and whole.after(named) == place
    assert {int(~line) for line in whole.source.cuts()[0] if line < 0} == cuts and cuts and won


async def test_play_sends_its_position_and_the_marked_one_becomes_the_root(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2,3,4", "me", "me") as pilot:
        await pilot.press(*":d4", "enter", "t")
        conductor = pilot.app.conductor(SearchWork)
        await until(pilot, lambda: conductor.found is not None)
        assert conductor.setup.position == "1,2,3,0" and pilot.app.current_mode == "search"
        await pilot.press("down", "r")
        await until(pilot, lambda: conductor.found is not None and conductor.setup.position == "0,2,3,0")


@pytest.mark.slow
async def test_a_form_makes_a_search_and_what_cannot_be_searched_is_refused(make_app: Any) -> None:
    refused = {
        SearchSetup("connect4:7x6", None, "minimax:depth=-1"): "too many positions",
        SearchSetup("nim:1,2,3,4", "0,0,0,0", "alphabeta"): "the game is over",
        SearchSetup("nim:1,2,3,4", None, "alphabeta:depth=x"): "depth",
    }
    async with searching(make_app) as pilot:
        for setup, why in refused.items():
            pilot.app.screen_stack[0].start(setup)
            await pilot.pause()
            [note] = pilot.app._notifications
            assert why in note.message and "\n" not in note.message
            pilot.app.clear_notifications()
        await pilot.press("n")  # the screen goes on
        assert "✂" in panel(pilot, "tree")
        await pilot.press("N", "down", "e", "tab", "tab", *"minimax")
        assert "order" not in screen_text(pilot.app)
        await pilot.press("tab", *"3", "enter")
        await until(pilot, lambda: work(pilot).setup.search == "minimax:depth=3,heuristic=original")
        await until(pilot, lambda: work(pilot).found is not None)
        assert work(pilot).search.nodes == 591


def test_a_search_that_cannot_start_is_refused_in_its_form() -> None:
    draft = SearchDraft.of(SearchSetup("connect4", None, "mcts:simulations=500"))
    assert all(finding.right for finding in draft.check().values())
    for field, text, why in (
        ("simulations", "9000000", "could need 2.88 GB"),
        ("position", "12121", ""),
        ("position", "1212121", "the game is over"),
    ):
        found = draft.with_text(field, text).check()
        wrong = {name: finding.text for name, finding in found.items() if not finding.right}
        assert bool(wrong) == bool(why) and all(why in text for text in wrong.values())


# The presets.


def test_the_textbook_tree_prunes_the_leaves_that_its_line_names() -> None:
    [preset] = [preset for preset in PRESETS if preset.setup.game.startswith("tree:")]
    branches = ast.literal_eval(preset.setup.game.partition(":")[2])
    best, pruned = -math.inf, list[int]()
    for leaves in branches:  # MAX over the least of each, by hand
        enough = next((at for at, leaf in enumerate(leaves, 1) if leaf <= best), len(leaves))
        best, pruned = max(best, min(leaves[:enough])), [*pruned, *leaves[enough:]]
    assert preset.about.endswith(f"prunes {' and '.join(map(str, pruned))}")
    game, settings = parse_game(preset.setup.game), parse_settings(preset.setup.search)
    result = search_of(game, game.start, settings).run().result
    assert (result.value, result.leaves) == (best, sum(map(len, branches)) - len(pruned))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_started_and_says_whose_heuristic_it_has_and_its_nodes(preset: Any) -> None:
    assert preset.setup.validate().game == preset.setup.game
    if preset in PRESETS[:5]:
        game, settings = parse_game(preset.setup.game), parse_settings(preset.setup.search)
        assert (settings.heuristic == "original") == ("document's heuristic" in preset.about)
        if nodes := re.search(r"([\d,]+) nodes", preset.about):
            assert f"{search_of(game, game.start, settings).run().nodes:,}" == nodes[1]


@pytest.mark.slow
def test_the_first_preset_plays_every_position_well() -> None:
    setup = PRESETS[0].setup
    game, settings = parse_game(setup.game), parse_settings(setup.search)
    for rows in itertools.product(range(2), range(3), range(4), range(5)):
        if nim_sum(rows):
            state = game.new(",".join(map(str, rows)))
            base.play(state, search_of(game, state, settings).run().result.best_move)
            assert not nim_sum(map(int, game.position_name(state).split(","))), rows


def test_a_setup_names_its_agent_and_its_command() -> None:
    grown = SearchSetup("nim:1,2", "1,1", "mcts:simulations=5,seed=3")
    flat = SearchSetup("nim:1,2", None, " MC:playouts=9")
    told = "nimtui search nim:1,2 --position 1,1 --algorithm mcts:simulations=5,seed=3"
    assert (grown.agent, grown.command.text) == ("mcts:simulations=5,c=1.0", told)
    assert (flat.agent, flat.command.text) == (" MC:playouts=9", "nimtui moves nim:1,2 --agent ' MC:playouts=9'")
    with pytest.raises(ValueError, match="name a search algorithm: minimax, alphabeta, mcts or mc"):
        SearchSetup("nim:1,2", None, " ").validate()


@pytest.mark.slow
async def test_the_slider_shows_what_a_function_expects_in_place_of_a_playout(make_app: Any, tmp_path: Path) -> None:
    save(tmp_path / "f.npz", "connect:4x4x3")
    setup = SearchSetup("connect:4x4x3", None, f"mcts:simulations=60,value={tmp_path / 'f.npz'}")
    async with searching(make_app, setup, size=(200, 60)) as pilot:
        await pilot.press("home")
        seen = []
        for _ in range(8):
            seen.append(screen_text(pilot.app))
            await pilot.press("full_stop")
        assert any("No playout: the function expects" in text for text in seen)
        assert any(re.search(r"[+−]0\.\d+: new → [+−]0\.\d+, 1 visit", text) for text in seen)
    async with searching(make_app, replace(setup, search=f"alphabeta:depth=3,value={tmp_path / 'f.npz'}")) as pilot:
        assert re.search(r"[+−]?\d\d,\d\d\d", panel(pilot, "tree"))
