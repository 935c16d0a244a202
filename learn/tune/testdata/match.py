#!/usr/bin/env python3
"""Breakthrough on 5 x 5: reads lines "A B SEED", files of weights and a number, and answers each
with A's points in two games of one opening, in which A and B change seats."""
import csv
import random
import sys

SIZE, OPENING, LONGEST = 5, 4, 80


def read(path):
    with open(path, newline="") as file:
        return {row["name"]: float(row["weight"]) for row in csv.DictReader(file)}


def moves(me, you, up):
    """Pairs of squares (row, column): one step ahead, straight to an empty square only."""
    return [((r, c), (r + up, c + d)) for r, c in sorted(me) for d in (-1, 0, 1)
            if 0 <= c + d < SIZE and (r + up, c + d) not in me and not (d == 0 and (r + up, c) in you)]


def value(w, me, you, up):
    """What the weights count, of me less of the other."""
    total = 0.0
    for sign, own, other, ahead in ((1, me, you, up), (-1, you, me, -up)):
        for r, c in own:
            row = r if ahead > 0 else SIZE - 1 - r
            total += sign * (w["piece"] + w["row"] * row + w["home"] * (row == 0) + w["centre"] * (c == SIZE // 2)
                             + w["guarded"] * ((r - ahead, c - 1) in own or (r - ahead, c + 1) in own)
                             + w["attacked"] * ((r + ahead, c - 1) in other or (r + ahead, c + 1) in other))
    return total


def game(first, second, seed):
    """Points of first, who moves first: 1 or 0."""
    rng = random.Random(seed)
    sides = [{(r, c) for r in rows for c in range(SIZE)} for rows in ((0, 1), (SIZE - 2, SIZE - 1))]
    for ply in range(LONGEST):
        who, up = ply % 2, 1 - ply % 2 * 2
        me, you = sides[who], sides[1 - who]
        options = [(me - {a} | {b}, you - {b}, b) for a, b in moves(me, you, up)]
        luck = [rng.random() for _ in options]  # the same for all weights, and of no weight but in ties
        if not options:
            return who
        if ply < OPENING:
            best = max(zip(luck, options))[1]
        else:
            w = (first, second)[who]
            best = max(zip((value(w, m, y, up) + 1e-6 * x for (m, y, _), x in zip(options, luck)), luck, options))[2]
        sides[who], sides[1 - who] = best[0], best[1]
        if best[2][0] in (0, SIZE - 1) or not best[1]:
            return 1 - who
    return 0.5


for line in sys.stdin:
    a, b, seed = line.split()
    a, b = read(a), read(b)
    print(game(a, b, seed), 1 - game(b, a, seed), flush=True)
