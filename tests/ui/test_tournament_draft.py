"""Asking for a tournament: what is said of each field while it is typed, what is offered, what comes out."""

from __future__ import annotations

import pytest

from nimtui.arena.play.plan import MOST_AGENTS
from nimtui.errors import InputError
from nimtui.ui.tournament.draft import LOOKING, TournamentDraft, look
from nimtui.ui.tournament.setup import PRESETS, Preset, TournamentSetup

USUAL = TournamentDraft.of(PRESETS[1].setup)  # easy, medium, hard and perfect on the tower of 16


def filled(**texts: str) -> TournamentDraft:
    draft = USUAL
    for name, text in texts.items():
        draft = draft.with_text(name, text)
    return draft


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.title)
def test_every_preset_can_be_begun_and_is_the_same_after_the_form(preset: Preset) -> None:
    draft = TournamentDraft.of(preset.setup)
    assert all(finding.right for finding in draft.check().values())
    assert draft.setup() == preset.setup
    plan = preset.setup.plan()
    assert draft.plan == plan
    assert TournamentSetup.of(plan, 2, "a").plan() == plan
    assert preset.setup.command.text.startswith(f"nimtui tournament {' '.join(preset.setup.games)} --agent ")
    kept = TournamentSetup.from_document(preset.setup.document())
    assert kept == preset.setup


def test_the_second_originals_tournament_has_36_pairings_of_100_games() -> None:
    draft = TournamentDraft.of(PRESETS[0].setup)
    assert draft.size.startswith("36 pairings × 100 games: 3,600 in all")
    assert [agent.partition(":")[0] for agent in draft.agents] == ["random", "perfect", "value", "mc", "mc", "mcts"]


@pytest.mark.parametrize(
    ("field", "text", "right", "said"),
    [
        ("games", "tower:16 nim:7,5,3", True, "Tower of 16"), ("games", "", False, "enter a game"),
        ("games", "towr:16", False, "did you mean tower"), ("games", "tower:16 nim:1,3,5,7", False, "given twice"),
        ("agent1", "hrad", False, "did you mean hard"), ("agent1", "mc:playouts=0", False, "playouts"),
        ("agent1", "mc:playouts=0500", True, "500 playouts"), ("agent4", "easy", False, "the same as agent 1"),
        ("agent5", "mc:playouts=1000", True, "Flat Monte Carlo"), ("agent5", "", True, ""),
        ("agent2", "", True, "nobody"), ("pairs", "gauntlet", True, "the first against all others"),
        ("pairs", "gantlet", False, "did you mean gauntlet"), ("number", "1,000", True, "games per pairing"),
        ("number", "7", True, "last opening only once"), ("number", "0", False, "from 1 to 10,000,000"),
        ("openings", "start", True, "from the start"), ("openings", "randm:2", False, "did you mean random"),
        ("openings", "random:0", False, "random moves"), ("seed", "-1", False, "the seed"),
        ("sprt", "off", True, "all its games"), ("sprt", "elo0=0,elo1=50", True, "first agent: 0 or +50 Elo ahead?"),
        ("sprt", "elo2=0", False, "elo1"), ("workers", "all", True, "one process per core"),
        ("workers", "0", False, "workers"), ("name", "my first", True, "its name in the Library"),
        ("name", "x" * 61, False, "at most 60"), ("name", "a\x1bb", False, "one line of printable"),
    ],
)  # fmt: skip
def test_each_field_is_checked_as_it_is_typed(field: str, text: str, right: bool, said: str) -> None:
    findings = USUAL.with_text(field, text).check()
    assert findings[field].right is right
    assert said in findings[field].text and "\n" not in findings[field].text
    assert all(findings[other].right for other in findings if other != field)


def test_an_agent_that_cannot_play_one_of_the_games_is_said_to_be_so() -> None:
    findings = filled(games="tower:16 connect4:8x6").check()
    assert [name for name, finding in findings.items() if not finding.right] == [
        "agent4",  # perfect: nobody knows the truth about 48 empty cells
        "openings",  # balanced: by the same truth
    ]
    assert all("too large to solve" in findings[name].text for name in ("agent4", "openings"))
    assert "too large for a table" in filled(games="connect4:8x6", agent4="reward").check()["agent4"].text


def test_one_agent_under_two_names_is_the_same_agent() -> None:
    draft = filled(agent5="mc", agent6="mc:playouts=1000")
    assert draft.check()["agent6"].text.startswith("the same as agent 5")
    assert draft.check()["agent5"].right
    with pytest.raises(InputError, match="entered twice"):
        draft.setup().plan()


def test_what_is_seen_in_an_empty_field_is_what_it_means() -> None:
    draft = TournamentDraft.of(PRESETS[1].setup).with_text("pairs", "").with_text("openings", " ")
    draft = draft.with_text("sprt", "").with_text("workers", "")
    assert all(found.right for found in draft.check().values())
    setup = draft.setup()
    assert (setup.pairs, setup.openings, setup.sprt, setup.workers) == ("round-robin", "start", None, None)


def test_the_list_grows_and_shrinks_with_an_empty_line_at_its_end() -> None:
    assert USUAL.fields[1:6] == ("agent1", "agent2", "agent3", "agent4", "agent5")
    longer = filled(agent5="mc")
    assert longer.agents[-1] == "mc" and "agent6" in longer.fields
    assert longer.with_text("agent5", "").agents == USUAL.agents
    assert longer.without("agent2").agents == ("easy", "hard", "perfect", "mc")
    assert longer.first("agent5").agents == ("mc", *USUAL.agents)
    assert longer.first("agent6") == longer and longer.without("seed") == longer
    assert "ctrl+t" in longer.with_text("pairs", "gauntlet").hint("pairs") and "ctrl+t" not in longer.hint("pairs")
    many = filled(**{f"agent{place}": f"mc:playouts={place}" for place in range(1, MOST_AGENTS + 2)})
    wrong = [name for name, found in many.check().items() if "too many agents" in found.text]
    assert wrong == [f"agent{MOST_AGENTS + 1}"]
    between = longer.with_text("agent2", " ")
    assert between.setup().agents == ("easy", "hard", "perfect", "mc")


JOINED = TournamentSetup(("tower:16",), ("easy", "medium", "hard", "perfect"), joined=2)


def test_agents_that_joined_later_stay_so_in_a_new_set_up() -> None:
    plan = JOINED.plan()
    assert plan.joined and plan.pairings != TournamentSetup(JOINED.games, JOINED.agents).plan().pairings
    again = TournamentSetup.of(plan)
    assert again.plan() == plan and TournamentSetup.from_document(again.document()) == again
    draft = TournamentDraft.of(again)
    assert draft.setup() == again and draft.plan == plan
    assert draft.finding("agent4").text.endswith("joined later") and "joined" not in draft.finding("agent1").text


def test_who_joined_later_follows_the_agents() -> None:
    draft = TournamentDraft.of(JOINED)
    joined = lambda draft: draft.setup().joined  # noqa: E731
    assert joined(draft.with_text("agent5", "random")) == 3, "an agent after them joins, too"
    assert joined(draft.with_text("agent4", "")) == 1 and joined(draft.without("agent3")) == 1
    assert joined(draft.without("agent1")) == 1, "a round-robin starts with two"
    assert joined(draft.first("agent4")) == 1 and joined(draft.first("agent2")) == 2
    assert joined(draft.with_text("agent1", " ")) == 1 and joined(draft.with_text("agent3", " ")) == 1
    assert joined(USUAL.with_text("agent5", "random")) == 0


def test_somebody_has_to_play() -> None:
    draft = filled(agent4="", agent3="", agent2="")
    assert draft.agents == ("easy",)
    assert draft.check()["agent2"].text == "name at least two agents"
    assert draft.with_text("pairs", "ordered").check()["agent2"].right  # it plays itself
    nobody = draft.with_text("agent1", "")
    assert not nobody.check()["agent1"].right and nobody.size == ""


def test_a_sequential_test_needs_seats_that_alternate() -> None:
    findings = filled(sprt="elo0=0,elo1=50", pairs="ordered").check()
    assert not findings["sprt"].right and "alternating" in findings["sprt"].text
    assert "at most 600 in all" in filled(sprt="elo0=0,elo1=50").size


def test_too_many_games_in_all_are_refused() -> None:
    draft = filled(number="10,000,000", agent5="mc", agent6="random", agent7="value")
    assert "too many games: 210,000,000 in all" in draft.check()["number"].text


def test_what_is_typed_in_part_is_completed_and_found_first() -> None:
    draft = filled(agent5="alph")
    completed = draft.completed("agent5")
    assert draft.offers("agent5")[0].value == "alphabeta:depth=4"
    assert completed is not None and completed.agents[-1] == "alphabeta:depth=4"
    assert filled(agent5="mc").completed("agent5") is None  # right as it is
    assert filled(agent5="zzz").completed("agent5") is None


def test_whether_there_are_such_openings_is_a_question_of_its_own() -> None:
    draft = filled(openings="random:16")  # every game of the tower is over by then
    assert draft.check()["openings"].text == LOOKING and draft.check()["openings"].right
    assert draft.question == ("nim:1,3,5,7", "random:16")
    fault = look(draft.question)
    assert "no position that is not over after 16 moves" in fault
    draft = draft.answered(draft.question, fault)
    assert draft.question is None and draft.check()["openings"].text == fault
    good = USUAL.answered(("nim:1,3,5,7", "balanced:2"), look(("nim:1,3,5,7", "balanced:2")))
    assert good.check()["openings"].text == "balanced, after 2 random moves"
    assert filled(openings="start").question is None and filled(games="x").question is None


def test_what_is_offered_is_right() -> None:
    for preset in PRESETS:
        draft = TournamentDraft.of(preset.setup)
        for field in draft.fields:
            offers = draft.offers(field)
            assert offers or field in ("name", "folder")
            if field == "games":
                continue
            for offer in offers:
                taken = draft.with_text(field, offer.value).check()[field]
                assert taken.right or "alternating" in taken.text, (preset.title, field, offer)


def test_games_are_offered_in_the_place_of_the_last_one_or_after_it() -> None:
    assert "connect4" in [offer.value for offer in USUAL.offers("games")]
    assert "tower:16 connect4" in [offer.value for offer in filled(games="tower:16 ").offers("games")]
    assert all(filled(games=offer.value).check()["games"].right for offer in USUAL.offers("games"))


@pytest.mark.parametrize(
    "changed",
    [{"agents": "easy"}, {"number": "many"}, {"games": 3}, {"name": "x" * 99}, {"sprt": None, "seed": None}],
)
def test_a_document_that_is_no_set_up_is_refused_in_one_line(changed: dict[str, object]) -> None:
    document = {**PRESETS[0].setup.document(), **changed}
    with pytest.raises(InputError) as fault:
        TournamentSetup.from_document(document)
    assert "\n" not in str(fault.value)
    with pytest.raises(InputError):
        TournamentSetup.from_document({"games": []})


def test_how_long_it_takes_is_guessed_where_that_can_be_told() -> None:
    thinking = filled(number="1,000", agent5="mc:playouts=100000", workers="1")
    assert thinking.size.endswith("min") or thinking.size.endswith(" h")
    assert USUAL.size.endswith("a few seconds")  # whole games in the engine
    assert filled(agent5="alphabeta:depth=4").size.endswith("1,000 in all")  # who knows how much it cuts


def test_the_form_asks_whether_thoughts_are_saved() -> None:
    draft = TournamentDraft.of(TournamentSetup(("nim:3,2,1",), ("random", "perfect"), number=10))
    assert not draft.setup().thoughts and draft.finding("thoughts").text == "not saved"
    asked = draft.with_text("thoughts", "saved").setup()
    assert asked.plan().thoughts and TournamentSetup.from_document(asked.document()) == asked
    assert TournamentSetup.of(asked.plan()).thoughts and not TournamentSetup.of(draft.setup().plan()).thoughts
    wrong = draft.with_text("thoughts", "maybe").finding("thoughts")
    assert not wrong.right and wrong.text == "thoughts are saved or off, not 'maybe'"
