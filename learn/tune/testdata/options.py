#!/usr/bin/env python3
"""A UCI engine for connect four. Its score is a sum over discs that its options weigh by column."""
import sys

values = {"Centre": 30, "Inner": 10, "Edge": 5}
columns, height = "abcdefg", 6
discs = []


def weights():
    """The weight of each column."""
    return dict(zip(columns, (values[n] for n in ("Edge", "Edge", "Inner", "Centre", "Inner", "Edge", "Edge"))))


def score():
    """What the first player's discs count, less the second's."""
    return sum((1 - 2 * (k % 2)) * weights()[c] for k, c in enumerate(discs))


for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name options\noption name UCI_Variant type combo default cfour var cfour")
        for name, value in values.items():
            print(f"option name {name} type spin default {value} min 0 max 100")
        print("uciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:1] == ["setoption"] and words[2] in values:
        values[words[2]] = int(words[4])
    elif words[:1] == ["position"]:
        discs = [w[2] for w in words if w.startswith("P@")]
    elif words[:1] == ["go"]:
        best = max((c for c in columns if discs.count(c) < height), key=lambda c: weights()[c] + (31 * ord(c) + 17 * len(discs)) % 23)
        print(f"info depth 1 score cp {(1 - 2 * (len(discs) % 2)) * score()}")
        print(f"bestmove P@{best}{discs.count(best) + 1}")
    elif words[:1] == ["quit"]:
        break
    sys.stdout.flush()
