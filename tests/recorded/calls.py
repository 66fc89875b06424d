"""The calls, in the order in which they run: later ones read what earlier ones saved in the same home."""

from __future__ import annotations

from itertools import product

GAMES = (
    "tower:16",
    "nim:3,4,5",
    "nim:3,4,5:misere",
    "nim:7,5:max=3",
    "subtraction:21,3",
    "subtraction:21,3:misere",
    "kayles:1,3,5",
    "adjacent:1,3,4:misere",
    "noughts:3x3x3",
    "chomp:3x4",
    "connect:4x4x4",
)
LATER = {
    "tower:16": "1,3,0,7",
    "nim:3,4,5": "1,2,3",
    "nim:3,4,5:misere": "1,1,1",
    "nim:7,5:max=3": "4,4",
    "subtraction:21,3": "17",
    "subtraction:21,3:misere": "9",
    "kayles:1,3,5": "1/101/11011",
    "adjacent:1,3,4:misere": "0/101/1101",
    "noughts:3x3x3": "xo./.x./..o",
    "connect:4x4x4": "11223",
    "connect4": "444444",
    "nim:1,1": "0,0",
}
AGENTS = (
    "random",
    "perfect",
    "value",
    "mc:playouts=200",
    "mcts:simulations=300",
    "minimax:depth=3",
    "alphabeta:depth=4",
    "easy",
)
SEARCHES = (
    "--algorithm minimax --depth 3",
    "--algorithm alphabeta --depth 4 --order killer",
    "--algorithm mcts --simulations 300 --seed 3",
    "--algorithm minimax --algorithm alphabeta --algorithm mcts --depth 3 --simulations 200",
)
LEARNERS = ("reward", "quality", "q", "average", "proof")


def _at(game: str) -> str:
    return f" -p {LATER[game]}" if game in LATER else ""


CALLS: tuple[str, ...] = (
    *(f"solve {game}" for game in GAMES),
    *(f"solve {game}{_at(game)}" for game in LATER if game in GAMES or game in ("connect4", "nim:1,1")),
    "solve connect4",
    "solve noughts:4x4x4 -p xoxo/oxox/xo../....",
    *(f"sequence {game} --to 30" for game in ("subtraction:21,3", "kayles:9", "nim:9:misere", "adjacent:9")),
    *(f"moves {game}{_at(game)} --agent {agent} --seed 5" for game, agent in product(GAMES[::2], AGENTS)),
    *(f"search {game}{_at(game)} {options}" for game, options in product(GAMES[::2], SEARCHES)),
    *(f"moves connect4 -p 444444 --agent {agent}" for agent in ("mcts:simulations=100", "perfect")),
    "moves nim:1,1 -p 0,0 --agent random",
    "solve nim:0",
    *(f"search {game} --algorithm alphabeta --depth 5 --table --deepening" for game in GAMES[1::2]),
    "search nim:1,2,3,4 --algorithm minimax --algorithm alphabeta --depth 4 --heuristic original",
    *(f"compare {game}{_at(game)} -a mc:playouts=100 -a mcts:simulations=200 -a perfect" for game in GAMES),
    "compare connect:4x4x4 -p 11223 -a mcts:simulations=100 -a mc:playouts=50 --curve",
    "compare tower:16 -a easy -a perfect --positions",
    *(f"match {game} --first random --second perfect -n 20 --seed 2" for game in GAMES),
    *(f"match {game} --first easy --second mc:playouts=20 -n 30 --alternate --save" for game in GAMES[::2]),
    "match tower:16 --first perfect --second random",
    "match tower:16 --first random --second random -n 4 --openings random:2 --save-thoughts",
    "match noughts:3x3x3 --first mcts:simulations=50 --second mc:playouts=20 --save-thoughts",
    "tournament tower:16 -a random -a easy -a medium -a perfect -n 40 --seed 3 -w 1 --name ladder",
    "tournament nim:3,4,5 connect:4x4x4 -a random -a mc:playouts=10 -a perfect -n 10 -w 1 --openings random:2",
    "tournament tower:16 -a perfect -a random -a easy --pairs gauntlet -n 20 -w 1",
    "tournament subtraction:21,3 -a random -a perfect --pairs ordered -n 10 -w 1",
    "tournament tower:16 -a random -a easy -n 400 --sprt elo0=0,elo1=200 -w 1",
    "tournaments list",
    "tournaments show 2",
    "tournaments show 1",
    "tournaments show 3",
    "tournaments extend 1 -n 60 -w 1",
    "ratings --game tower:16",
    "ratings --game tower:16 --anchor perfect=0",
    "ratings 1 3",
    *(f"train {game} --learner {learner} -n 3000 --seed 1" for game, learner in product(GAMES[:3], LEARNERS)),
    "train noughts:3x3x3 -n 5000",
    "train connect:4x4x4 --learner q -n 2000",
    "train tower:16 -l reward -n 20000 --save {home}/tower.npz",
    "train --resume {home}/tower.npz -n 20000",
    "train nim:3,4,5 -l proof --until-perfect",
    "table {home}/tower.npz",
    "table {home}/tower.npz -p 1,3,5,6",
    "sweep nim:3,4,5 -l quality --grid margin=50,90 -r 2 -n 3000 -w 1",
    "sweep tower:16 -l q --grid alpha=0.1,0.5 --grid epsilon=0.1,0.3 -r 2 -n 2000 -w 1",
    "table {home}/tower.npz --versions",
    "games list",
    "games list --limit 3",
    "games show 1:1",
    "games show 2:3",
    "games show 7:1 --estimate mc:playouts=50",
    "games show 9:2",
    "games check",
    "words",
    "words unbeaten",
    "keys",
    "check mc",
)
