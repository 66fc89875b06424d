"""The New game form without a screen: what people choose, the game as a command, and the way between the two."""

from __future__ import annotations

import itertools
import shlex
from functools import lru_cache
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from nimtui.agents import agent_forms
from nimtui.errors import InputError
from nimtui.games import parse_game, registry
from nimtui.games.registry import presets
from nimtui.playing import families
from nimtui.playing.families import OTHER
from nimtui.playing.setup import (
    ME,
    USUAL_OPPONENT,
    PlaySetup,
    Seating,
    last_option,
    parse_command,
    parse_position,
    parse_seed,
    parse_workers,
    usual_setup,
)
from nimtui.ui.kit.forms.entries import position_field
from nimtui.ui.play.form import ENTRIES, PlayDraft, of_start
from nimtui.ui.search.screen import SearchDraft
from nimtui.ui.search.setup import SearchSetup
from tests.games import leaving
from tests.ui.playing import painted

USUAL = PlayDraft.of(PlaySetup())
OFFERS = [offer for module in registry._own() for offer in module.OFFERS]
SIZES = [(offer.word, game) for offer in OFFERS for game in offer.sizes.values()]
LONG = "alphabeta:depth=12,deepening=yes,heuristic=original"


def shown(draft: PlayDraft, *but: str) -> dict[str, str]:
    return {draft.entry(name).label: draft.text(name) for name in draft.fields if name not in but}


def typed(draft: PlayDraft, **texts: str) -> PlayDraft:
    for name, text in texts.items():
        draft = draft.with_text(name, text)
        assert not draft.wrong, draft.wrong
    return draft


@st.composite
def drafts(draw: Any) -> PlayDraft:
    """A form in which a person has chosen every value from its list."""
    word, size = draw(st.sampled_from(SIZES))
    draft = USUAL.with_choice("game", word).with_choice("size", size)
    for name in ("goal", "players"):
        draft = draft.with_choice(name, draw(st.sampled_from(draft.offers(name))).value)
    for name in draft.fields[4:-1]:
        draft = draft.with_choice(name, draw(st.sampled_from(draft.offers(name))).value)
    positions = [offer.value for offer in draft.offers("command") if offer.value.startswith("--position")]
    draft = draft.with_choice("command", draw(st.sampled_from(positions)))
    return draft.with_choice("command", f"--seed {draw(st.integers(0, 2**63 - 1))}")


@pytest.mark.slow
@settings(max_examples=60)
@given(drafts())
def test_what_is_chosen_from_lists_is_right_and_shown_again_for_its_game_and_its_command(draft: PlayDraft) -> None:
    setup = draft.setup()
    assert setup == setup.validate() and all(finding.right for finding in draft.check().values())
    text = setup.command.text
    assert parse_command(text, 0) == setup
    again, follows = PlayDraft.of(setup), typed(USUAL, command=text).settled("game")
    assert shown(again) == shown(follows) == shown(draft) and OTHER not in shown(again).values()
    assert again.setup() == setup and follows.text("command") == text


@pytest.mark.parametrize(
    "setup",
    [
        PlaySetup("tower:16", None, ("me", "hard"), 7),
        PlaySetup("nim:7,5,3:misere", "7,0,3", ("perfect:lost=longest", "me"), 0),
        PlaySetup("connect4", "4433", (LONG, "mcts:simulations=500,c=1.0"), 2**40),
    ],
)
def test_the_command_starts_the_same_game_in_a_shell(monkeypatch: pytest.MonkeyPatch, setup: PlaySetup) -> None:
    from nimtui import ui
    from nimtui.cli import play
    from nimtui.cli.app import app

    started: list[PlaySetup] = []
    monkeypatch.setattr(ui, "run", lambda setup, **more: started.append(setup))
    monkeypatch.setattr(play, "by_lines", lambda: False)
    done = CliRunner().invoke(app, shlex.split(PlayDraft.of(setup).text("command"))[1:])
    assert done.exit_code == 0, done.output
    assert started == [setup]


def test_no_game_is_listed_twice() -> None:
    names = [parse_game(goal.game).name for _, size in SIZES for goal in families.goals(size)]
    assert len(names) == len(set(names)) > len(SIZES)


def test_an_own_game_is_listed_if_its_file_names_an_example() -> None:
    registry.add(leaving)
    assert "leaving" not in {family.word for family in families.families()}, "nothing could be chosen"
    draft = typed(USUAL, command="nimtui play leaving:9 --seed 1").settled("game")
    assert shown(draft)["Game"] == "Leaving" and draft.setup().game == "leaving:9"
    chosen = draft.with_choice("game", "nim").with_choice("game", "tower")
    assert chosen.setup().game.startswith("tower")


def test_a_family_is_what_its_game_offers_or_the_examples_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = {family.word: family.usual for family in families.families()}
    assert usual["subtraction"] == "subtraction:21,3:misere" and usual["nim"] == "nim:7,5,3", (
        "if none is named the first"
    )
    offered = [(offer.word, offer.label, offer.rule, (*offer.sizes.items(),)) for offer in registry.offers()]
    known = families.families()[: len(offered)]  # files that other tests have added come last
    assert [(family.word, family.label, family.rule, family.sizes) for family in known] == offered
    for cached in ("_families", "_named"):  # what is found of the changed file is of this test alone
        monkeypatch.setattr(families, cached, lru_cache(1)(getattr(families, cached).__wrapped__))
    parse = leaving.parse
    monkeypatch.setattr(leaving, "parse", lambda word, fields: parse(word, fields or ["5"]))
    monkeypatch.setattr(leaving, "FORMS", ("leaving", "leaving:x", "leaving:9[:slow]", "leaving:4"), raising=False)
    monkeypatch.setattr(leaving, "RULES", "Take 1 or 2. The last one wins.", raising=False)
    registry.add(leaving)
    sizes = (("leaving", "leaving"), ("9", "leaving:9"), ("4", "leaving:4"))
    own = families.Family("leaving", "Leaving", "Take 1 or 2", tuple(families.Size(*size) for size in sizes), "leaving")
    assert families.families()[-1] == own and families.place("leaving:9") == (own, own.sizes[1])
    assert families.place("leaving:7") == (own, None)
    monkeypatch.setattr(leaving, "FORMS", ("leaving:x",))
    bare = families.Family("leaving", "Leaving", "a game of your own", (), "")
    assert families._own(leaving) == bare  # type: ignore[arg-type]
    words = {
        "kayles:2,3": "kayles", " Adjacent:2,3": "adjacent", "dawson:9": "octal", "tower:49": "tower", "nim:2": "nim",
    }  # fmt: skip
    assert {game: families.place(game)[0].word for game in words} == words


@pytest.mark.parametrize(
    ("game", "goals", "goal", "like_misere"),
    [
        ("nim:3:misere", [("the last match wins", "nim:3"), ("the last match loses", "nim:3:misere")], 1,
         "nim:3:misere"),
        (" tower:16 ", [("the last match wins", "tower:16"), ("the last match loses", "tower:16:misere")], 0,
         "tower:16:misere"),
        ("chomp:4x5", [("the poisoned square loses", "chomp:4x5")], 0, "chomp:4x5"),
    ],
)  # fmt: skip
def test_the_goals_of_a_game_are_those_that_its_rules_know(
    game: str, goals: list[tuple[str, str]], goal: int, like_misere: str
) -> None:
    found = families.goals(game)
    assert found == [families.Goal(label, name, at == 1) for at, (label, name) in enumerate(goals)]
    assert families.goal_of(game) == found[goal]
    assert (families.sized("nim:2:misere", game), families.sized("nim:2", game)) == (like_misere, goals[0][1])


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("", ("", "")), ("tower:16", ("", "")), ("--seed", ("--seed", "")), ("--seed=7 8", ("--seed", "7 8")),
        ("play -p 1,2", ("--position", "1,2")), ("x --first me --second mc a", ("--second", "mc a")),
    ],
)  # fmt: skip
def test_the_option_that_is_being_typed_is_the_last_one(text: str, option: tuple[str, str]) -> None:
    assert last_option(text) == option


def test_a_field_sets_the_opponent_or_the_other_machine_by_who_starts() -> None:
    for you, roles in ((True, ("other", "opponent")), (False, ("opponent", "other"))):
        seating = Seating("machines", you, "mc", "easy")
        assert tuple(seating.role(field) for field in ("first", "second", "opponent")) == (*roles, "opponent")
        for field, role in zip(("first", "second"), roles, strict=True):
            changed = seating.with_machine(field, "hard")
            assert (changed.opponent, changed.other) == (("hard", "easy") if role == "opponent" else ("mc", "hard"))
        first, second = seating.seats(parse_game("nim:3"))
        assert (first, second) == (("easy", "mc") if you else ("mc", "easy"))
        assert Seating.of((first, second)) == Seating("machines", True, second, first)
        assert seating.swapped() == Seating("machines", not you, "mc", "easy")
    cases = {
        ("me", "me"): Seating("people"), ("me", "mc"): Seating("machine", True, "mc"),
        ("mc", "me"): Seating("machine", False, "mc"), ("hard", "me"): Seating("machine", False, ""),
    }  # fmt: skip
    assert {seats: Seating.of(seats) for seats in cases} == cases
    assert [Seating("people", you).seats(parse_game("nim:3")) for you in (True, False)] == [("me", "me")] * 2
    assert Seating("machines", True, "nobody", "").seats(parse_game("nim:3")) == ("medium", "hard")


def test_every_preset_of_the_other_screens_has_a_name_in_the_form() -> None:
    for preset in presets():
        setup = usual_setup(preset.game)
        draft = PlayDraft.of(setup)
        assert OTHER not in shown(draft).values()
        assert draft.setup() == setup == setup.validate()


@pytest.mark.parametrize(
    ("command", "setup"),
    [
        ("connect4", PlaySetup("connect4", None, ("me", "hard"), 5)),
        ("play nim:3,4 --second me", PlaySetup("nim:3,4", None, ("me", "me"), 5)),
        ("nimtui play tower:16 --first=hard", PlaySetup("tower:16", None, ("hard", "me"), 5)),
        ("tower:16 -p 1,3,0,7 --seed=9", PlaySetup("tower:16", "1,3,0,7", ("me", "hard"), 9)),
        ("--seed 1 --seed 2 tower:16", PlaySetup("tower:16", None, ("me", "hard"), 2)),
        ("tower:16 --first ME", PlaySetup("tower:16", None, ("me", "hard"), 5)),
        ("tower:16 --second easy", PlaySetup("tower:16", None, ("me", "easy"), 5)),
        ("tower:16 --first easy --second perfect", PlaySetup("tower:16", None, ("easy", "perfect"), 5)),
        (" tower:16 -p 1,3,5,7 --second mc:playouts=0500", PlaySetup("tower:16", None, ("me", "mc:playouts=500"), 5)),
    ],
)
def test_a_command_has_the_defaults_of_the_command_line(command: str, setup: PlaySetup) -> None:
    assert parse_command(command, 5) == setup


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "enter a game"),
        ("towr:16", "did you mean tower"),
        ("towr:16 --seed x", "did you mean tower"),  # first of all the game's fault
        ("tower:16 --sed 7", "unknown option '--sed' (did you mean --seed?)"),
        ("tower:16 --seed", "--seed needs a value"),
        ("tower:16 --seed x", "the seed must be a whole number"),
        ("tower:16 nim:3", "unexpected word 'nim:3'"),
        ("tower:16 --second 'hard", "a quotation mark is open"),
        ("tower:16 --second hrad", "did you mean hard"),
        ("tower:16 --second ' '", "enter a player"),
        ("tower:17", "17"),
        ("tower:16 --position 1,3,5", "4 rows"),
        ("tower:16 --seed -1", "the seed must be from 0"),
        ("tower:16 --seed 9223372036854775808", "the seed must be from 0 to 9,223,372,036,854,775,807"),
        ("tower:16 --position 1,3,9,7", "9"),
        ("tower:16 --position 0,0,0,0", "the game is over at 0,0,0,0"),
        ("connect4 --second reward", "too large for a table"),
    ],
)
def test_a_wrong_command_says_why_and_changes_nothing(command: str, said: str) -> None:
    assert parse_seed(str(2**63 - 1)) == 2**63 - 1
    draft = USUAL.with_text("command", command)
    finding = draft.check()["command"]
    assert not finding.right and said in finding.text and "\n" not in finding.text
    assert draft.text("command") == command
    assert shown(draft, "command") == shown(USUAL, "command")
    with pytest.raises(InputError):
        draft.setup()


def test_a_value_without_a_name_is_called_other_with_its_title() -> None:
    draft = typed(USUAL, command=f"connect:5x5x3 --second {LONG}").settled("game")
    assert draft.text("game") == "Connect Four"
    assert (draft.text("size"), draft.check()["size"].text) == (OTHER, "Connect Three, 5 × 5")
    assert draft.text("opponent") == OTHER
    assert "depth 12" in draft.check()["opponent"].text and "depth 12" in draft.hint("opponent")
    assert draft.offers("opponent")[0].value.startswith("alphabeta:depth=12")
    assert draft.with_choice("size", "connect4:4x4").setup().game == "connect4:4x4"


@pytest.mark.parametrize(
    ("field", "text", "game"),
    [
        ("game", "con", "connect4"), ("game", "21", "subtraction:21,3:misere"), ("game", "and cro", "noughts:3x3x3"),
        ("game", "nim:2,3", "nim:2,3"), ("game", "Tower", "tower:16"), ("size", "25", "tower:25"),
        ("size", "9", "tower:9"), ("goal", "loses", "tower:16:misere"),
    ],
)  # fmt: skip
def test_a_part_of_a_name_finds_a_value_and_any_size_can_be_typed(field: str, text: str, game: str) -> None:
    draft = typed(USUAL, **{field: text})
    assert draft.text(field) == text  # as long as the person types
    assert draft.setup().game == game


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("game", "towr", "did you mean tower"), ("game", "", "enter a game"), ("size", "17", "square number"),
        ("goal", "draws", "choose one of: the last match wins, the last match loses"),
        ("players", "three", "choose one of: you and a machine, two people, two machines"),
        ("opponent", "hrad", "did you mean hard"), ("opponent", "mc:playouts=0", "playouts"),
        ("opponent", "", "enter a player"), ("opponent", "me:", "unknown"),
        ("starts", "nobody", "choose one of: you, machine"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_field(field: str, text: str, said: str) -> None:
    draft = USUAL.with_text(field, text)
    findings = draft.check()
    assert [name for name, finding in findings.items() if not finding.right] == [field]
    assert said in findings[field].text
    assert draft.with_text(field, "tower:25" if field == "game" else draft.offers(field)[0].label).check()[field].right


def test_a_machine_that_cannot_play_is_replaced_and_comes_back_with_its_game() -> None:
    learner = "reward:games=5000000,seed=0"  # connect4 is too large for its table
    draft = typed(USUAL, opponent=learner)
    other = draft.with_choice("game", "connect4")
    assert (other.setup().seats, other.text("opponent")) == (("me", "hard"), "Hard")
    assert other.with_choice("game", "nim").setup().seats == ("me", learner)
    swapped = draft.swapped().with_choice("game", "connect4")
    assert swapped.setup().seats == ("hard", "me")
    watched = PlayDraft.of(PlaySetup("nim:3,4", None, (learner, "easy"))).swapped()
    assert watched.setup().seats == ("easy", learner)
    assert watched.with_choice("game", "connect4").setup().seats == ("easy", "hard")


def test_hints_say_how_commands_players_and_workers_are_written_and_the_board_is_drawn() -> None:
    assert [parse_workers(text) for text in ("ALL ", "", "1", "1000")] == [None, None, 1, 1000]
    for wrong in ("0", "1001"):
        with pytest.raises(InputError, match="must be from 1 to 1,000"):
            parse_workers(wrong)
    form, about = next((form, about) for form, about in agent_forms() if form.startswith("mcts["))
    hints = {
        "tower:16 --seed": "the game: one of adjacent:1,3,5,7 · kayles",
        "tower:16 --second MCTS:simulations=5": f"--second: {about} · {form}",
        "tower:16 --first random": f"--first: {dict(agent_forms())['random']}",
        "tower:16 --second=x a": "--second: me, or one of random · easy",
        "tower:16 --first=me -p 1,3": "--position: the matches left in each row, as in 1,3,0,7",
    }
    for text, hint in hints.items():
        assert USUAL.with_text("command", text).hint("command").startswith(hint)
    assert USUAL.hint("command").startswith("The same game as text")
    assert painted(of_start(USUAL), 30, 2) == ["The board", "1,3,5,7"]
    assert [line.count("┃") for line in painted(of_start(USUAL), 30, 9) if "┃" in line] == [1, 3, 5, 7]


def test_the_goals_that_a_game_can_have_and_its_place_among_the_sizes() -> None:
    labels = {"nim:3,4": ["the last match wins", "the last match loses"], "connect4": ["4 in a row wins"]}
    for game, expected in labels.items():
        assert [goal.label for goal in families.goals(game)] == expected
    assert [goal.game for goal in families.goals("nim:3,4:misere")] == ["nim:3,4", "nim:3,4:misere"]
    assert families.goal_of("nim:3,4:misere").misere and not families.goal_of("nim:3,4").misere
    family, size = families.place("connect:5x5x3")
    assert (family.label, size) == ("Connect Four", None)
    family, size = families.place("tower:25:misere")
    assert (family.label, size) == ("Tower", ("25 matches", "tower:25")) and family.usual == "tower:16"


def test_a_machine_that_was_only_the_default_does_not_follow_to_another_game() -> None:
    draft = PlayDraft.of(PlaySetup("connect4", None, ("me", "hard")))
    assert draft.with_choice("game", "tower").setup().seats == ("me", "hard")
    chosen = PlayDraft.of(PlaySetup("nim:3,5", None, ("perfect", "mc")))
    assert chosen.with_choice("game", "tower").setup().seats == ("perfect", "mc")


def test_a_position_stays_with_its_game_and_a_goal_with_another_size() -> None:
    draft = PlayDraft.of(PlaySetup("nim:7,5,3", "7,0,3", ("me", "hard")))
    assert draft.text("position") == "7,0,3"
    other = draft.with_choice("game", "tower")
    assert "position" not in other.fields and other.setup().position is None
    assert other.with_choice("game", "nim").setup() == draft.setup()
    emptied = typed(draft, position="")
    assert "position" in emptied.fields  # the person is in it
    assert "position" not in emptied.settled("game").fields
    misere = typed(USUAL, goal="loses")
    assert misere.with_choice("size", "tower:25").setup().game == "tower:25:misere"
    assert typed(misere, size="9").setup().game == "tower:9:misere"
    assert misere.with_choice("game", "connect4").with_choice("size", "connect4:4x4").setup().game == "connect4:4x4"


def test_who_plays_and_who_starts() -> None:
    seats = {
        (players, starts): USUAL.with_choice("starts", starts).with_choice("players", players).setup().seats
        for players, starts in itertools.product(("machine", "people", "machines"), ("you", "machine"))
    }
    assert seats["machine", "you"] == ("me", "hard") and seats["machine", "machine"] == ("hard", "me")
    assert seats["people", "you"] == seats["people", "machine"] == ("me", "me")
    assert seats["machines", "you"] == ("medium", "hard") and seats["machines", "machine"] == ("hard", "medium")
    watched = PlayDraft.of(PlaySetup(seats=("easy", "perfect")))
    assert watched.with_choice("second", "random").setup().seats == ("easy", "random")
    assert watched.with_choice("first", "random").setup().seats == ("random", "perfect")
    assert watched.swapped().with_choice("first", "random").setup().seats == ("random", "easy")


def test_the_command_offers_seeds_and_positions() -> None:
    draft = PlayDraft.of(PlaySetup(seed=7), last_seed=41)
    offers = {offer.value: offer.detail for offer in draft.offers("command")}
    assert offers["--seed 7"] == "current seed" and offers["--seed 41"] == "seed of the last game"
    assert list(offers.values()).count("new random seed") == 3
    assert draft.with_choice("command", "--seed 41").setup().seed == 41
    position = next(value for value in offers if value.startswith("--position 1,"))
    moved = draft.with_choice("command", position)
    assert moved.setup().position == position.split()[1] and position in moved.text("command")
    assert moved.offered("command") == position
    assert moved.with_choice("command", "--position").setup().position is None
    assert moved.with_choice("position", "1,0,0,0").setup().position == "1,0,0,0"


def test_an_invalid_setup_stands_in_the_command_with_its_error_and_a_table_that_is_gone_is_replaced() -> None:
    draft = PlayDraft.of(PlaySetup("gone:3,5", None, ("me", "hard"), 3))
    assert not draft.check()["command"].right and "unknown game 'gone'" in draft.check()["command"].text
    assert draft.text("command").startswith("nimtui play gone:3,5")
    assert draft.with_choice("game", "tower").setup().game == "tower:16"
    assert PlayDraft.of(PlaySetup(seats=("me", "table:gone"))).setup().seats == ("me", USUAL_OPPONENT)


def test_a_game_of_ones_own_is_listed_with_its_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.games import chomp

    own = ModuleType("own_game")
    for name, value in vars(chomp).items():
        if not name.startswith("__") and name != "OFFERS":
            setattr(own, name, value)
    own.NAMES, own.FORMS = ("nibble",), ("nibble:4x5[:odd]", "nibble:3x2")  # type: ignore[attr-defined]
    own.name = lambda state: f"nibble:{state.columns}x{len(state.board)}"  # type: ignore[attr-defined]
    state_class = registry.state_class
    monkeypatch.setattr(registry, "state_class", lambda module: chomp.Chomp if module is own else state_class(module))
    monkeypatch.setattr(registry, "_added", [own])
    draft = typed(PlayDraft.of(PlaySetup()), game="nib").settled("size")
    assert (draft.text("game"), draft.text("size")) == ("Nibble", "4x5")
    assert [offer.label for offer in draft.offers("size")] == ["4x5", "3x2"]
    assert draft.check()["game"].text == "Whoever eats the poisoned square a1 loses"
    assert draft.with_choice("size", "nibble:3x2").setup().game == "nibble:3x2"
    assert typed(draft, size="2x2").text("command").startswith("nimtui play nibble:2x2 ")


def test_a_suggested_position_of_another_game_changes_nothing() -> None:
    positions = [offer.value for offer in PlayDraft({}).offers("command") if offer.value.startswith("--position 1")]
    chomp = typed(PlayDraft({}), command="chomp:4x5")
    for position in positions:
        kept = chomp.with_choice("command", position)
        assert kept.setup().game == "chomp:4x5" and all(found.right for found in kept.check().values())
    assert positions and not set(positions) & {offer.value for offer in chomp.offers("command")}


def test_what_a_hint_names_as_an_example_this_game_accepts() -> None:
    for offer in OFFERS:
        game = offer.usual or next(iter(offer.sizes.values()))
        draft = PlayDraft.of(PlaySetup(game, None, (ME, "random"), 1))
        for name, text in (("size", draft.hint("size")), ("position", ENTRIES["position"].hint(draft))):  # type: ignore[operator]
            assert "as in" in text and draft.with_text(name, text.rpartition(" ")[2]).wrong == ""


def test_no_command_is_shown_for_a_game_that_nobody_typed() -> None:
    draft = PlayDraft.of(PlaySetup("connect4", None, (ME, "random"), 1))
    wrong = draft.with_text("size", "9,2")
    assert wrong.wrong and wrong.text("command") == "" and wrong.check()["command"].right
    assert wrong.with_text("size", "5x4").text("command").startswith("nimtui play connect4:5x4 ")


def test_the_position_of_a_hint_can_be_searched_and_compared() -> None:
    for preset in presets():
        draft = SearchDraft.of(SearchSetup(preset.game))
        hint = position_field("searched").hint(draft)  # type: ignore[operator]
        example = hint.partition("such as ")[2].partition(" [")[0]
        assert parse_position(example, parse_game(preset.game)) is not None
        assert example in [offer.value for offer in draft.offers("position")]


def test_a_late_position_of_a_large_game_offers_and_takes_the_agents_that_only_solve_what_follows() -> None:
    start = PlayDraft.of(PlaySetup("noughts:4x4x4"))
    late = PlayDraft.of(PlaySetup("noughts:4x4x4", "xoxo/oxox/xo../....", (ME, "perfect")))
    exact = "perfect:lost=longest"
    assert exact in {offer.value for offer in late.offers("opponent")}
    assert exact not in {offer.value for offer in start.offers("opponent")}
    assert late.setup().seats == (ME, "perfect")
    with pytest.raises(InputError, match="perfect cannot play"):
        PlaySetup("noughts:4x4x4", None, (ME, "perfect")).validate()
