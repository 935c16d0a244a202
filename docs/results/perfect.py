"""Plays evaluations of connect four, one decision deep and first, against perfect play.

    python3 perfect.py CACHE EVAL...     # CACHE keeps the solved positions

The second player never makes a move that is worth less than another, and loses as late
as possible. Up to the eighth stone, all its best moves are followed with equal
probability; later, only the first. Solving the first positions takes minutes each.
"""

import json
import os
import subprocess
import sys

PLYFIT = os.environ.get("PLYFIT", "plyfit")


def search(game, agent, positions):
    """Answers for positions; "" is the start. A finished game has no move."""
    start = [] if "" in positions else ["--position", "-"]
    command = [PLYFIT, "search", game, "--agent", agent, "--json", *start]
    text = "".join(f"{p}\n" for p in positions)
    done = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, check=True)
    return dict(zip(positions, map(json.loads, done.stdout.splitlines())))


def replies(cache, position):
    """Returns the best moves of the second player."""
    if os.path.exists(cache):
        with open(cache) as file:
            for line in file:
                if line.startswith(position + " ") and line.endswith("\n"):
                    return line.split()[1]
    early = len(position) < 9
    agent = "alphabeta:depth=42,eval=zero" + (",ties=random" if early else "")
    r = search("connect4:score=distance", agent, [position])[position]
    moves = "".join(r["best"]) if early else r["move"]
    with open(cache, "a") as file:
        file.write(f"{position} {moves}\n")
    return moves


def result(cache, evaluation):
    """Returns the probabilities that the first player loses, draws and wins."""
    ends = {-1: 0.0, 0: 0.0, 1: 0.0}
    positions = {"": 1.0}  # and their probabilities
    while positions:
        found = search("connect4", f"alphabeta:depth=1,eval={evaluation}", positions)
        after = {}
        for p, probability in positions.items():
            if found[p]["move"] is None:
                ends[found[p]["values"][0]] += probability
                continue
            p += found[p]["move"]
            end = search("connect4", "alphabeta:depth=1", [p])[p]
            if end["move"] is None:
                ends[end["values"][0]] += probability
                continue
            moves = replies(cache, p)
            for move in moves:
                after[p + move] = after.get(p + move, 0) + probability / len(moves)
        positions = after
    return ends[-1], ends[0], ends[1]


if __name__ == "__main__":
    for name in sys.argv[2:]:
        lost, drawn, won = result(sys.argv[1], name)
        print(f"{name}: mean {won - lost:.3f}: {won:.1%} won, {drawn:.1%} drawn, {lost:.1%} lost", flush=True)
