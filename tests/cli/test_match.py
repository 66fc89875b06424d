from __future__ import annotations

import json
import math
import re
import signal
import sys
from pathlib import Path

import pytest

from nimtui.games import Record, parse_game
from tests import forks
from tests.cli.conftest import Nimtui, Signalled


def test_one_game_is_written_down_move_by_move(nimtui: Nimtui) -> None:
    keys = nimtui("match tower:16 --first random --second perfect --json").document
    assert {"first_wins", "second_wins", "draws", "agents", "seconds", "plies"} <= set(keys)
    game = parse_game(keys["game"])
    record = Record(game)
    for move in keys["transcript"]:
        record.push(game.parse_move(move, record.state))
    assert record.over and record.winner == 1, "the tower is lost for who begins"
    assert (keys["first_wins"], keys["second_wins"], keys["draws"]) == (0, 1, 0)
    assert keys["plies"] == len(keys["transcript"])


def test_text_of_one_game_shows_every_position(nimtui: Nimtui) -> None:
    answer = nimtui("match subtraction:21,3:misere --first random --second perfect")
    assert answer.status == 0
    assert "perfect won, moving " in answer.out
    lines = answer.out[: answer.out.index("\n\n")].splitlines()[2:]
    positions = [int(line.split()[3]) for line in lines]
    assert positions == sorted(positions, reverse=True) and positions[-1] == 0
    assert "made no mistake." in answer.out or "was the turning point" in answer.out


@pytest.mark.parametrize(("matches", "first_wins"), [(21, 0), (22, 40)])
def test_perfect_players_decide_by_who_begins(nimtui: Nimtui, matches: int, first_wins: int) -> None:
    # source: the subtraction tournament: 0-100 from 21 matches, 100-0 from 22
    keys = nimtui(f"match subtraction:{matches},3:misere --first perfect --second perfect -n 40 --json").document
    assert (keys["first_wins"], keys["second_wins"]) == (first_wins, 40 - first_wins)
    assert "transcript" not in keys


@pytest.mark.parametrize("first", ["random", "easy", "mc:playouts=50", "value"])
def test_perfect_moving_second_beats_everybody(nimtui: Nimtui, first: str) -> None:
    keys = nimtui(f"match subtraction:21,3:misere --first {first} --second perfect -n 30 --json").document
    assert (keys["first_wins"], keys["second_wins"]) == (0, 30)


def test_where_the_seat_decides_every_game_no_strength_is_claimed(nimtui: Nimtui) -> None:
    words = "match tower:16 --first perfect --second hard -n 40 --alternate"
    said = nimtui(words).out
    nothing = "The player who moved second won all 40 games. These games say nothing about strength."
    assert nothing in " ".join(said.split())
    assert "±" not in said and "LOS" not in said and "Too few" not in said
    keys = nimtui(f"{words} --json").document["agents"]
    assert [agent["decided_by_seat"] for agent in keys] == [agent["too_few_games"] for agent in keys] == [True, True]
    assert all(isinstance(agent["elo"], float) for agent in keys)
    field = nimtui("tournament tower:16 -a perfect -a hard -n 40 --no-save").out
    assert "±" not in field and nothing in " ".join(field.split())


def test_an_agent_ahead_of_itself_is_ahead_by_its_seat(nimtui: Nimtui) -> None:
    said = nimtui("match nim:21:max=3 --first perfect --second perfect -n 20").out
    assert "at least" not in said and "The player who moved first won all 20 games." in said


@pytest.mark.parametrize(
    "words",
    [
        "nim:21:max=3 --first perfect --second random -n 20",
        "tower:16 --first perfect --second hard -n 99",
        "tower:16 --first easy --second random -n 99",
    ],
)
def test_games_without_swapped_seats_say_nothing_about_strength(nimtui: Nimtui, words: str) -> None:
    keys = nimtui(f"match {words} --json").document
    assert keys["los"] is None and all(agent["decided_by_seat"] for agent in keys["agents"])
    text = " ".join(nimtui(f"match {words}").out.split())
    assert "These games say nothing about strength." in text and "--alternate swaps seats." in text
    assert not any(word in text for word in ("LOS", "±", "at least", "at most", "Too few"))


def test_two_random_players_are_about_even(nimtui: Nimtui) -> None:
    # source: the subtraction tournament; exactly 1/2. 2,000 games have a standard deviation of 22.4
    words = "match subtraction:21,3:misere --first random --second random -n 2000 --json"
    keys = nimtui(words).document
    assert keys["first_wins"] + keys["second_wins"] == 2000
    assert abs(keys["first_wins"] - 1000) < 112
    assert keys["first_wins"] == nimtui(words).document["first_wins"], "same seed"


def test_alternating_seats_are_told_apart_from_agents(nimtui: Nimtui) -> None:
    keys = nimtui("match subtraction:22,3:misere --first perfect --second random -n 20 --alternate --json").document
    perfect, random = keys["agents"]
    assert (perfect["agent"], random["agent"]) == ("perfect", "random")
    assert perfect["wins"] == random["losses"] and perfect["wins"] + perfect["losses"] == 20
    assert keys["first_wins"] + keys["second_wins"] == 20
    assert perfect["wins"] > 15


def test_how_sure_it_is(nimtui: Nimtui) -> None:
    # source: E. B. Wilson, 1927: 80 of 100 lie between 0.7112 and 0.8666; 400 log10(0.8/0.2) = 240.8 Elo
    words = "match subtraction:21,3:misere --first mc:playouts=100 --second random -n 100 --alternate"
    keys = nimtui(f"{words} --json").document
    strong, weak = keys["agents"]
    wins, share = strong["wins"], strong["wins"] / 100
    assert (strong["score"], weak["score"]) == (share, weak["wins"] / 100) and 0.6 < share < 1
    for bound in (strong["score_low"], strong["score_high"]):  # where the share is 1.96 deviations away
        assert abs(share - bound) == pytest.approx(1.959964 * (bound * (1 - bound) / 100) ** 0.5, rel=0.02)
    assert strong["elo"] == -weak["elo"] == pytest.approx(400 * math.log10(wins / (100 - wins)), rel=0.05)
    assert strong["elo_low"] < strong["elo"] < strong["elo_high"] and strong["at_least"] is None
    assert (strong["elo_low"], strong["elo_high"]) == (-weak["elo_high"], -weak["elo_low"])
    text = nimtui(words).out
    assert f"{share:.1%}".replace("%", " %") in text and f"+{strong['elo']:.0f}" in text


@pytest.mark.slow
def test_it_is_as_far_ahead_as_in_a_tournament_of_the_two(nimtui: Nimtui) -> None:
    """With draws as well: in the same games, twice what either is rated from the middle, the intervals too."""
    words = "-n 60 --seed 5 --json"
    two = "mcts:simulations=60", "mc:playouts=20"
    match = nimtui(f"match connect4:4x4 --first {two[0]} --second {two[1]} --alternate {words}").document
    whole = nimtui(f"tournament connect4:4x4 -a {two[0]} -a {two[1]} --no-save {words}").document
    assert match["draws"] > 10
    rows = {row["agent"]: row for row in whole["standings"]}
    for agent in match["agents"]:
        rated = rows[agent["agent"]]
        assert agent["elo"] == pytest.approx(2 * rated["elo"], abs=1e-6)
        reach = agent["elo_high"] - agent["elo_low"]
        assert reach == pytest.approx(2 * (rated["elo_high"] - rated["elo_low"]), rel=0.05)
    assert "Elo ahead" in nimtui(f"match nim:3,5 --first random --second perfect {words[:-7]} --alternate").out
    once = nimtui("match nim:3,5 --first random --second easy -n 60 --alternate").out
    assert re.search(r"Moving (first|second): \+\d+ ± \d+ Elo\.", once)


def test_a_perfect_score_has_a_bound(nimtui: Nimtui) -> None:
    words = "match subtraction:21,3:misere --first random --second perfect -n 40 --alternate"
    loser, winner = nimtui(f"{words} --json").document["agents"]
    bound = 400 * math.log10(1 / (0.025 ** (-1 / 40) - 1))  # where all 40 games are won once in 40 times
    assert winner["elo_low"] == winner["at_least"] == pytest.approx(bound) and winner["at_most"] is None
    assert loser["elo_high"] == loser["at_most"] == pytest.approx(-bound) and loser["at_least"] is None
    assert winner["elo"] == pytest.approx(400 * math.log10(40.25 / 0.25), abs=1)  # the prior is half a draw
    text = nimtui(words).out
    assert f"at least +{bound:.0f}" in text and f"at most −{bound:.0f}" in text


def test_balanced_openings_are_won_by_turns(nimtui: Nimtui) -> None:
    words = "match nim:7,5,3 --first perfect --second perfect --openings balanced:2 --alternate"
    keys = nimtui(f"{words} -n 40 --json").document
    assert (keys["first_wins"], keys["second_wins"]) == (20, 20)
    assert [score["wins"] for score in keys["agents"]] == [20, 20], "each opening is played from both seats"
    one = nimtui(f"{words} --json").document
    assert one["opening"] == 2 and len(one["transcript"]) == one["plies"] > 2
    assert nimtui(words).out.splitlines()[2].split()[:2] == ["1", "opening"]


def test_a_match_is_kept_where_that_is_asked_for(nimtui: Nimtui) -> None:
    words = "match nim:7,5,3 --first random --second mc:playouts=20 -n 6 --alternate"
    assert nimtui(f"{words} --json").document["id"] is None
    keys = nimtui(f"{words} --save --json").document
    kept = nimtui("games list --json").document["games"]
    assert (keys["id"], len(kept)) == (1, 6)
    assert sum(game["winner"] == "random" for game in kept) == keys["agents"][0]["wins"]
    assert [game["first"] for game in kept[::-1]] == ["random", "mc:playouts=20"] * 3
    assert any(game["first_mistakes"] + game["second_mistakes"] for game in kept), "judged as it is kept"
    assert "saved as match 2: nimtui games list --tournament 2" in nimtui(f"{words} --save").out


@pytest.mark.slow
@pytest.mark.parametrize("alternate", ["", "--alternate"])
def test_a_match_that_was_stopped_is_gone_on_with(nimtui: Nimtui, signalled: Signalled, alternate: str) -> None:
    words = f"match nim:7,5,3 --first random --second mc:playouts=20 -n 400 {alternate} --seed 3 --json"
    whole = nimtui(words).document
    stopped = signalled(f"{words} --save", "nimtui.cli.saving.Saving.keep", signal.SIGINT)
    assert stopped.status == 130 and 0 < stopped.document["games"] < 400
    assert "Resume: nimtui tournament --resume 1\n" in stopped.err
    resumed = nimtui("tournament --resume 1 --json").document
    assert (resumed["games"], resumed["id"]) == (400, 1)
    cells = [cell for row in resumed["crosstable"] for cell in row if cell is not None]
    assert sum(cell["first_wins"] for cell in cells) == whole["first_wins"]
    assert sum(cell["second_wins"] for cell in cells) == whole["second_wins"]
    points = {row["agent"]: row["points"] for row in resumed["standings"]}
    assert points == {score["agent"]: score["wins"] for score in whole["agents"]}


def test_an_agent_has_no_lead_over_itself(nimtui: Nimtui) -> None:
    keys = nimtui("match nim:7,5,3 --first easy --second easy -n 30 --json").document
    assert keys["los"] is None and keys["first_wins"] + keys["second_wins"] == 30
    for agent in keys["agents"]:
        assert agent["decided_by_seat"]
    text = nimtui("match nim:7,5,3 --first easy --second easy -n 30").out
    assert "The agents are the same: there is no Elo lead." in text
    assert not any(word in text for word in ("LOS", "Too few", " Elo lead:"))
    assert all(line.split()[-1] == "–" for line in text.splitlines() if line.startswith("easy"))


def test_an_agent_against_itself_is_kept_as_well(nimtui: Nimtui) -> None:
    assert nimtui("match nim:7,5,3 --first perfect --second perfect -n 6 --save --json").document["first_wins"] == 6
    keys = nimtui("tournament --resume 1 --json").document
    assert keys["crosstable"] == [[{"first_wins": 6, "second_wins": 0, "draws": 0}]]


@pytest.mark.slow
@pytest.mark.parametrize("learned", ["hard", "reward:games=1000000,seed=7"])
def test_a_million_games_make_a_second_player_that_beats_perfect_play(nimtui: Nimtui, learned: str) -> None:
    # source: an independent re-run of the tower of 16: 1.0 of the games after 1,000,000, 0.003 after 10
    words = f"match tower:16 --first perfect --second {learned} -n 100 --json"
    assert nimtui(words).document["second_wins"] == 100
    beginner = nimtui("match tower:16 --first perfect --second easy -n 100 --json").document
    assert beginner["second_wins"] <= 5


def test_an_agent_against_itself_goes_on_with_seats_alternating(nimtui: Nimtui) -> None:
    whole = nimtui("match nim:7,5,3 --first random --second random -n 30 --alternate --save --json").document
    [pairing] = nimtui("tournament --resume 1 --json").document["pairings"]
    assert (pairing["wins"], pairing["losses"]) == (whole["agents"][0]["wins"], whole["agents"][0]["losses"])
    assert pairing["first"] == pairing["second"] == "random" and pairing["played"] == 30


def test_more_games_than_can_be_kept_are_refused_at_once(nimtui: Nimtui) -> None:
    answer = nimtui("match nim:7,5,3 --first perfect --second perfect -n 10000001 --save")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "at most 10,000,000 games of a match" in answer.err


@pytest.mark.slow
def test_what_agents_print_is_not_in_the_document(nimtui: Nimtui, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "agents"
    folder.mkdir(parents=True)
    (folder / "chatterbox.py").write_text(CHATTERBOX)
    run = "from nimtui.cli.app import run; import sys; sys.exit(run(sys.argv[1:]))"
    for words in (
        "match nim:3 --first chatterbox --second random -n 2 --json",
        "tournament nim:3 -a chatterbox -a random -n 2 --json --no-save",
    ):
        done = forks.run([sys.executable, "-c", run, *words.split()], capture_output=True, text=True, check=True)
        assert "chatterbox" in str(json.loads(done.stdout)["agents"]) and done.stderr == ""


CHATTERBOX = """
from nimtui.agents.agent import AlwaysReady, Decision, moves_of

NAMES, FORMS = ("chatterbox",), ()
print("loaded")


class Chatterbox(AlwaysReady):
    name = title = "chatterbox"

    def decide(self, state, stream, progress=None):
        print("well, let me see")
        return Decision(moves_of(state)[0], ())


def parse(word, text, game):
    return Chatterbox()
"""
