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

# Answers are built by formatting text, which is much faster than json.dumps.
PLAY = (
    '{"position":"%s","turn":%d,"cells":"%s","terms":[%d,%d],'
    '"moves":[%s],"noisy":[%s],"after":[%s]}'
)
OVER = '{"position":"%s %s","turn":"over","cells":"%s","terms":[%d,%d],"utility":%s}'


def square(cell):
    return "abcdefgh"[cell % 8] + str(8 - cell // 8)


def steps(cell, forward):
    """Returns a man's steps: target, diagonal?, wins?, quoted move."""
    row, column = cell // 8 + forward, cell % 8
    if not 0 <= row < 8:
        return []
    return [
        (to, to % 8 != column, row in (0, 7), f'"{square(cell)}{square(to)}"')
        for to in (row * 8 + c for c in (column - 1, column, column + 1) if 0 <= c < 8)
    ]


STEPS = [[steps(cell, forward) for cell in range(64)] for forward in (-1, 1)]


def advance(cells):
    """Adds the squares of the rows that the men of x have advanced, minus those of o."""
    return sum(
        (7 - row) ** 2 * cells.count("x", row * 8, row * 8 + 8)
        - row**2 * cells.count("o", row * 8, row * 8 + 8)
        for row in range(8)
    )


def over(cells, side, winner):
    men, utility = cells.count("x") - cells.count("o"), ["[1,-1]", "[-1,1]"][winner]
    return OVER % (cells, side, cells, men, advance(cells), utility)


def describe(position):
    cells, _, side = (position or START).partition(" ")
    if len(cells) != 64 or cells.strip(".xo") or side not in ("x", "o"):
        return '{"error":"want 64 cells (. x o), a space and the side to move (x or o)"}'
    xs, os = cells.count("x"), cells.count("o")
    men, rows = xs - os, advance(cells)
    if "x" in cells[:8] or not os:
        return over(cells, side, 0)
    if "o" in cells[56:] or not xs:
        return over(cells, side, 1)

    turn, enemy, enemies, sign = (0, "o", os, 1) if side == "x" else (1, "x", xs, -1)
    moves, noisy, after = [], [], []
    middle = f' {enemy}","turn":{1 - turn},"cells":"'
    for cell, table in enumerate(STEPS[turn]):
        if cells[cell] != side:
            continue
        rest = cells[:cell] + "." + cells[cell + 1 :]
        gone = cell // 8 if side == "o" else 7 - cell // 8  # rows so far
        moved = rows + sign * (2 * gone + 1)  # (gone + 1)**2 - gone**2
        quiet = f'","terms":[{men},{moved}]}}'
        for to, diagonal, wins, move in table:
            there = cells[to]
            if there == side or there == enemy and not diagonal:
                continue
            moves.append(move)
            new = rest[:to] + side + rest[to + 1 :]
            if there == enemy:
                noisy.append(move)
            if wins or there == enemy and enemies == 1:
                after.append(over(new, enemy, turn))
            elif there == enemy:
                taken = f'","terms":[{men + sign},{advance(new)}]}}'
                after.append('{"position":"' + new + middle + new + taken)
            else:
                after.append('{"position":"' + new + middle + new + quiet)
    lists = (",".join(moves), ",".join(noisy), ",".join(after))
    return PLAY % (f"{cells} {side}", turn, cells, men, rows, *lists)


for line in sys.stdin:
    question = json.loads(line)
    if "positions" in question:
        answers = ",".join(map(describe, question["positions"]))
        print('{"id":%d,"answers":[%s]}' % (question["id"], answers), flush=True)
    else:
        print(json.dumps({"id": question["id"], **GAME}), flush=True)
