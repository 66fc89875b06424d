"""The Search screen: the tree and the ways about in it, its cuts, the slider in time, what stands beside it."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.engine.windows import INFINITY, WIN
from nimtui.games import base, parse_game
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue
from nimtui.theory.nim import nim_sum
from nimtui.theory.report import bounded, truth
from nimtui.trees import search_of
from nimtui.trees.report import TreeValue
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.search.form import SearchDraft
from nimtui.ui.search.setup import PRESETS, SearchSetup, parse_settings
from nimtui.ui.search.work import SearchWork
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import playing, until
from tests.ui.searching import GROWN, panel, searching, stage


def marked(pilot: Any) -> str:
    """The line under the cursor."""
    return next(line for line in panel(pilot, "tree").splitlines() if "▌" in line)


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_in_ascii_no_word_of_a_move_or_a_heading_is_cut(make_app: Any, size: tuple[int, int]) -> None:
    async with searching(make_app, size=size, surroundings=TerminalInfo(unicode=False)) as pilot:
        text = screen_text(pilot.app)
        assert "Windows (a, b) on this line" in text
        assert "lo~" not in text and "los~" not in text and "lose~" not in text
        assert text.count(" loses") >= 9 and text.isascii()


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_it_shows_the_tree_and_what_is_known_of_it(make_app: Any, size: Any) -> None:
    async with searching(make_app, size=size) as pilot:
        text = screen_text(pilot.app)
        for words in ("value", "window (α, β)", "−2", "(−∞, +∞)", "2,978", "669", "★", "✗"):
            assert words in text, words
        lines = text.splitlines()
        assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
        assert "d4 is the only win" in text
        assert "2,201 events" in text


@pytest.mark.slow
async def test_nothing_but_ascii_where_that_is_asked(make_app: Any) -> None:
    async with searching(make_app, surroundings=TerminalInfo(unicode=False)) as pilot:
        for keys in ("n", "n", "home", "greater_than_sign", "end", "p", "f", "2"):
            await pilot.press(keys)
            assert screen_text(pilot.app).isascii(), screen_text(pilot.app)


@pytest.mark.slow
async def test_a_cut_says_why(make_app: Any) -> None:
    async with searching(make_app, size=(200, 60)) as pilot:
        await pilot.press("down", "down", "right")
        assert "✂ 3 moves pruned: β −4 ≤ α −4, after d1 this line cannot beat a1" in panel(pilot, "tree")


async def test_n_goes_from_cut_to_cut_and_u_back(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        tree = pilot.app.conductor(SearchWork).found.tree
        expected = tree.next_cut(0)
        await pilot.press("n")
        assert stage(pilot).walk.outline.node == expected and "✂" in marked(pilot)
        second = tree.next_cut(expected)
        await pilot.press("n")
        assert stage(pilot).walk.outline.node == second
        await pilot.press("u")
        assert stage(pilot).walk.outline.node == expected


@pytest.mark.slow
async def test_nodes_fold_and_unfold_and_digits_do_it_for_all(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        outline = stage(pilot).walk.outline
        assert len(outline) == 11
        await pilot.press("down", "enter")
        assert len(outline) > 11
        await pilot.press("left")
        assert len(outline) == 11
        await pilot.press("4")
        tree = pilot.app.conductor(SearchWork).found.tree
        assert int((outline.lines >= 0).sum()) == len(tree) == 669
        assert int((outline.lines < 0).sum()) == int((tree.kinds == 2).sum())
        await pilot.press("0")
        assert len(outline) == 1


@pytest.mark.slow
async def test_only_the_best_line_and_all_again(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        await pilot.press("p")
        shown = panel(pilot, "tree").splitlines()[1:]
        assert sum(bool(line.strip()) for line in shown) == 5 and all("★" in line for line in shown if line.strip())
        await pilot.press("p")
        assert "d4" in panel(pilot, "tree")


@pytest.mark.slow
async def test_a_node_is_found_by_its_position(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        await pilot.press("slash", *"1,1,3,4", "enter")
        node = stage(pilot).walk.outline.node
        state = stage(pilot).walk.source.tree.state(node)
        assert pilot.app.conductor(SearchWork).search.game.position_name(state) == "1,1,3,4"
        await pilot.press("slash", *"1,2,3,9", "enter")
        assert stage(pilot).walk.outline.node == node


@pytest.mark.slow
async def test_moves_are_found_or_it_says_why_not(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        await pilot.press("slash", *"b1", "space", *"d1", "enter")
        assert stage(pilot).walk.outline.source.tree.line(stage(pilot).walk.outline.node)
        assert "d1" in marked(pilot)
        await pilot.press("slash", *"b1", "space", *"d4", "enter")
        assert "d4 was not searched: 3 moves pruned" in panel(pilot, "prompt")
        await pilot.press("escape")
        assert "not searched" not in panel(pilot, "prompt")


@pytest.mark.slow
async def test_every_event_of_the_search_can_be_shown(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        await pilot.press("home")
        assert "event 1 of 2,201" in panel(pilot, "status") and "Enter root" in panel(pilot, "facts")
        await pilot.press("full_stop", "full_stop", "full_stop")
        assert "event 4 of 2,201" in panel(pilot, "status")
        await pilot.press("comma")
        assert "event 3 of 2,201" in panel(pilot, "status")
        await pilot.press("greater_than_sign")
        assert "moves pruned: β" in panel(pilot, "facts") and "✗" in panel(pilot, "window")
        await pilot.press("end")
        assert "2,201 events" in panel(pilot, "status")
        shown = stage(pilot)
        for event in range(0, 2201, 7):
            shown.seek(event)
            assert shown.walk.slider.sentences


@pytest.mark.slow
async def test_after_a_look_at_the_beginning_all_is_shown_again(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        whole = len(stage(pilot).walk.outline)
        await pilot.press("home", "full_stop", "0", "right")
        assert len(stage(pilot).walk.outline) == whole
        await pilot.press("home", "full_stop", "full_stop", "n")
        outline = stage(pilot).walk.outline
        tree = pilot.app.conductor(SearchWork).found.tree
        assert {int(node) for node in outline.lines if node >= 0} >= set(tree.children(0))


@pytest.mark.slow
async def test_only_cuts_and_only_wins(make_app: Any) -> None:
    setup = SearchSetup("nim:1,2,3", None, "alphabeta:depth=-1")
    async with searching(make_app, setup) as pilot:
        tree = pilot.app.conductor(SearchWork).found.tree
        await pilot.press("f")
        lines = stage(pilot).walk.outline.lines
        assert set((~lines[lines < 0]).tolist()) == set((tree.kinds == 2).nonzero()[0].tolist())
        await pilot.press("w")
        nodes = [int(node) for node in stage(pilot).walk.outline.lines if node >= 0]
        won = {node for node in range(len(tree)) if (-1) ** int(tree.plies[node]) * int(tree.values[node]) > 900_000}
        assert won <= set(nodes) and all(node in won or set(tree.children(node)) & set(nodes) for node in nodes[1:])
        await pilot.press("w")
        assert "root" in panel(pilot, "tree")


@pytest.mark.slow
async def test_space_plays_the_search_and_holds_it(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        await pilot.press("space")
        await until(pilot, lambda: (stage(pilot).walk.slider.at or 0) > 2)
        await pilot.press("space")
        at = stage(pilot).walk.slider.at
        await pilot.pause(0.6)
        assert stage(pilot).walk.slider.at == at


@pytest.mark.slow
async def test_tree_search_grows_in_four_phases(make_app: Any) -> None:
    async with searching(make_app, GROWN) as pilot:
        assert "visits" in panel(pilot, "tree") and "500" in panel(pilot, "tree")
        await pilot.press("home", *["greater_than_sign"] * 12)
        said = []
        for _ in range(4):
            said.append(panel(pilot, "facts"))
            await pilot.press("full_stop")
        for word, text in zip(("Select", "Expand", "Play out", "Back up"), said, strict=True):
            assert word in text
        for at in range(0, len(stage(pilot).walk.slider), 31):
            stage(pilot).seek(at)


@pytest.mark.slow
async def test_flat_monte_carlo_says_why_it_sees_nothing(make_app: Any) -> None:
    async with searching(make_app, PRESETS[-1].setup) as pilot:
        text = panel(pilot, "table")
        assert "intervals contain 0" in text and "Every move wins exactly half" in text
        assert "Flat Monte Carlo plays" in text and "right: b2" in text


@pytest.mark.slow
async def test_a_search_is_held_and_taken_as_far_as_it_came(make_app: Any) -> None:
    setup = SearchSetup("connect4:7x6", None, "alphabeta:depth=16")
    async with searching(make_app, setup, whole=False) as pilot:
        conductor = pilot.app.conductor(SearchWork)
        await until(pilot, lambda: conductor.search.nodes > 10_000, 60)
        await pilot.press("space")
        await until(pilot, lambda: conductor.paused)
        assert "paused" in panel(pilot, "status")
        await pilot.press("space")
        await until(pilot, lambda: not conductor.paused)
        await pilot.press("escape")
        await until(pilot, lambda: conductor.found is not None)
        assert conductor.stopped and "stopped" in panel(pilot, "status")
        conductor.drop("truth", "minimax")
        await pilot.press("n")
        assert "✂" in panel(pilot, "tree")


@pytest.mark.slow
async def test_a_tree_is_written_and_nothing_is_replaced(make_app: Any, tmp_path: Path) -> None:
    async with searching(make_app) as pilot:
        await pilot.press("e")
        target = tmp_path / "tree.json"
        pilot.app.screen.query_one("#file").input.value = str(target)
        await pilot.press("enter")
        await until(pilot, target.exists)
        assert '"visited": 669' in target.read_text()
        await pilot.press("e")
        pilot.app.screen.query_one("#file").input.value = str(target)
        await pilot.press("enter")
        await pilot.pause()
        assert "this file already exists" in screen_text(pilot.app)


@pytest.mark.slow
async def test_play_sends_its_position_with_one_key(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2,3,4", "me", "me") as pilot:
        await pilot.press(*":d4", "enter")
        await pilot.press("t")
        await until(pilot, lambda: pilot.app.conductor(SearchWork).found is not None)
        assert pilot.app.conductor(SearchWork).setup.position == "1,2,3,0"
        assert pilot.app.current_mode == "search"


@pytest.mark.slow
async def test_the_marked_position_becomes_the_root(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        await pilot.press("down", "r")
        await until(pilot, lambda: pilot.app.conductor(SearchWork).found is not None)
        assert pilot.app.conductor(SearchWork).setup.position == "0,2,3,4"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_begun_at_once(preset: Any) -> None:
    assert preset.setup.validate().game == preset.setup.game


def test_the_first_preset_plays_every_position_well() -> None:
    setup = PRESETS[0].setup
    game, settings = parse_game(setup.game), parse_settings(setup.search)
    for rows in itertools.product(range(2), range(3), range(4), range(5)):
        if nim_sum(rows):
            state = game.new(",".join(map(str, rows)))
            base.play(state, search_of(game, state, settings).run().result.best_move)
            assert not nim_sum(map(int, game.position_name(state).split(","))), rows


@pytest.mark.parametrize("preset", PRESETS[:5])
def test_a_preset_says_whose_heuristic_it_has_and_its_nodes(preset: Any) -> None:
    game, settings = parse_game(preset.setup.game), parse_settings(preset.setup.search)
    assert (settings.heuristic == "original") == ("document's heuristic" in preset.about)
    if nodes := re.search(r"([\d,]+) nodes", preset.about):
        assert f"{search_of(game, game.start, settings).run().nodes:,}" == nodes[1]


@pytest.mark.slow
async def test_it_is_played_faster(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        await pilot.press("home", "plus", "plus", "plus", "space")
        await until(pilot, lambda: (stage(pilot).walk.slider.at or 0) >= 128)
        assert "64 events per step" in panel(pilot, "prompt")
        stage(pilot).seek(len(stage(pilot).walk.slider) - 150)  # it plays on from there, to the end
        await until(pilot, lambda: stage(pilot).walk.slider.at is None)


@pytest.mark.slow
@pytest.mark.parametrize("setup", [GROWN, PRESETS[-1].setup])
async def test_the_other_kinds_are_ascii_too(make_app: Any, setup: SearchSetup) -> None:
    async with searching(make_app, setup, size=(60, 20), surroundings=TerminalInfo(unicode=False)) as pilot:
        assert screen_text(pilot.app).isascii(), screen_text(pilot.app)
        if setup is GROWN:
            await pilot.press("home", *["greater_than_sign"] * 12)
            for _ in range(4):
                await pilot.press("full_stop")
                assert screen_text(pilot.app).isascii(), screen_text(pilot.app)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setup", "said"),
    [
        (SearchSetup("connect4:7x6", None, "minimax:depth=-1"), "too many positions"),
        (SearchSetup("nim:1,2,3,4", "0,0,0,0", "alphabeta"), "the game is over"),
        (SearchSetup("nim:1,2,3,4", None, "alphabeta:depth=x"), "depth"),
    ],
)
async def test_what_cannot_be_searched_is_refused_and_the_screen_goes_on(
    make_app: Any, setup: SearchSetup, said: str
) -> None:
    async with searching(make_app) as pilot:
        screen = pilot.app.screen_stack[0]
        screen.start(setup)
        await pilot.pause()
        [note] = pilot.app._notifications
        assert said in note.message and "\n" not in note.message
        assert "root" in panel(pilot, "tree")
        await pilot.press("n")
        assert "✂" in panel(pilot, "tree")


@pytest.mark.slow
async def test_a_form_makes_a_search(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        await pilot.press("N", "down", "e")
        await pilot.press("tab", "tab")
        await pilot.press(*"minimax")
        assert "order" not in screen_text(pilot.app)
        await pilot.press("tab", *"3", "enter")
        await until(pilot, lambda: pilot.app.conductor(SearchWork).setup.search == "minimax:depth=3,heuristic=original")
        await until(pilot, lambda: pilot.app.conductor(SearchWork).found is not None)
        assert pilot.app.conductor(SearchWork).search.nodes == 591


def test_a_decided_value_says_its_plies() -> None:
    values = [TreeValue(value) for value in (WIN - 7, 6 - WIN, -4, 0, INFINITY, -INFINITY)]
    assert [value.text for value in values] == ["wins in 7", "loses in 6", "−4", "0", "+∞", "−∞"]
    assert [value.short for value in values] == ["win 7", "loss 6", "−4", "0", "+∞", "−∞"]
    assert TreeValue(WIN - 1).whole == "wins in 1 ply" and TreeValue(3 - WIN).whole == "loses in 3 plies"
    bound = bounded(TreeValue(6 - WIN), "upper")
    assert (bound.text, bound.short) == ("≤ loses in 6", "≤ loss 6")
    exact = MoveValue(0, Outcome.LOSS, False, 12)
    assert truth(exact).text == "loses in 12" and truth(replace(exact, remoteness=None)).text == "loses"


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
        assert bool(wrong) == bool(why) and all(why in said for said in wrong.values())
        if field in wrong:
            assert why in wrong[field]


@pytest.mark.slow
async def test_the_root_is_worth_to_the_player_to_move_and_says_so(make_app: Any) -> None:
    async with searching(make_app, GROWN) as pilot:
        rows = re.findall(r"(root|a\d) +([\d,]+) +([+−]\d\.\d+)(.*)", panel(pilot, "tree"))
        worth = {name: int(visits) * float(mean.replace("−", "-")) for name, visits, mean, _ in rows}
        assert worth.pop("root") == pytest.approx(sum(worth.values()), abs=1.0) and len(worth) == 3
        assert "to move" in rows[0][3]
