"""Breakthrough for plyfit: rules:cmd=(python3 breakthrough.py)

A man moves one square forward, straight or diagonally, and captures only
diagonally. The first player to reach the opposite row or to capture all men
wins. Player 0 is x, starts at the bottom and moves up. A position consists of
the 64 cells, row by row from the top, and the side to move.
"""

import json
import sys

START = "o" * 16 + "." * 32 + "x" * 16 + " x"

GAME = {
    "protocol": 1,
    "name": "breakthrough",
    "version": "1",
    "players": 2,
    "min": -1,
    "max": 1,
    "sum": "zero",
    "max_plies": 200,  # more than any game can have: men never move back
    "noisy": True,
    "board": {
        "rows": 8,
        "columns": 8,
        "symbols": ".xo",
        "swap": ".ox",
        "flip": "rows",
        "symmetries": ["columns"],
    },
    "terms": ["men", "advance"],
}


def square(cell):
    return "abcdefgh"[cell % 8] + str(8 - cell // 8)


def steps(cell, forward):
    """Returns a man's steps: target, diagonal?, name of the move."""
    row, column = cell // 8 + forward, cell % 8
    if not 0 <= row < 8:
        return []
    targets = [row * 8 + c for c in (column - 1, column, column + 1) if 0 <= c < 8]
    return [(to, to % 8 != column, square(cell) + square(to)) for to in targets]


STEPS = {
    "x": [steps(cell, -1) for cell in range(64)],
    "o": [steps(cell, +1) for cell in range(64)],
}


def advance(cells):
    """Adds the squares of the rows that each man of x has advanced, minus o's."""
    total = 0
    for row in range(8):
        total += (7 - row) ** 2 * cells.count("x", 8 * row, 8 * row + 8)
        total -= row**2 * cells.count("o", 8 * row, 8 * row + 8)
    return total


def record(cells, side):
    """Returns a position without its moves."""
    xs, os = cells.count("x"), cells.count("o")
    about = {
        "position": f"{cells} {side}",
        "cells": cells,
        "terms": [xs - os, advance(cells)],
    }
    if "x" in cells[:8] or os == 0:
        about |= {"turn": "over", "utility": [1, -1]}
    elif "o" in cells[56:] or xs == 0:
        about |= {"turn": "over", "utility": [-1, 1]}
    else:
        about["turn"] = "xo".index(side)
    return about


def describe(position):
    cells, _, side = (position or START).partition(" ")
    if len(cells) != 64 or cells.strip(".xo") or side not in ("x", "o"):
        return {"error": "want 64 cells (. x o), a space and the side to move (x or o)"}
    answer = record(cells, side)
    if answer["turn"] == "over":
        return answer
    enemy = "o" if side == "x" else "x"
    moves, noisy, after = [], [], []
    for cell, table in enumerate(STEPS[side]):
        if cells[cell] != side:
            continue
        rest = cells[:cell] + "." + cells[cell + 1 :]
        for to, diagonal, move in table:
            if cells[to] == side or cells[to] == enemy and not diagonal:
                continue
            moves.append(move)
            if cells[to] == enemy:
                noisy.append(move)
            after.append(record(rest[:to] + side + rest[to + 1 :], enemy))
    return answer | {"moves": moves, "noisy": noisy, "after": after}


for line in sys.stdin:
    question = json.loads(line)
    answer = {"id": question["id"]}
    if "positions" in question:
        answer["answers"] = [describe(position) for position in question["positions"]]
    else:
        answer |= GAME
    # One write, because a second one for the end of the line would cost time.
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
