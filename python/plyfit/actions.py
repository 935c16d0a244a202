"""Moves as numbers, which is what learning programs choose."""

import operator
from typing import Iterable, Optional, Sequence

from .arrays import np
from .server import Server

__all__ = ["Actions"]

# How many actions there are where no list of all moves exists. Random games of backgammon
# had up to 541 legal moves in a position, those of dou dizhu up to 251.
_MOST = 2048


class Actions:
    """The actions 0 to n-1 of a game.

    Where the game's moves are few, an action is always the same move: a column, a square,
    a direction. ``names`` lists them. In backgammon, checkers, dou dizhu and explicit
    trees there is no such list, ``names`` is None, and action i is the i-th of the legal
    moves, in the order of ``State.moves``.
    """

    def __init__(self, server: Server, game: str, names: Optional[Iterable[str]] = None, most: int = _MOST) -> None:
        self.names = list(names) if names is not None else _names(server, game)
        self.n = most if self.names is None else len(self.names)
        self._number = None if self.names is None else {m: i for i, m in enumerate(self.names)}

    def mask(self, moves: Sequence[str]) -> np.ndarray:
        """An array of n numbers: 1 where the action is one of the legal moves."""
        mask = np.zeros(self.n, np.int8)
        if self._number is None:
            if len(moves) > self.n:
                raise ValueError(f"{len(moves)} legal moves, and only {self.n} actions: want more by most=")
            mask[:len(moves)] = 1
        else:
            for m in moves:
                if m not in self._number:
                    raise ValueError(f"the legal move {m!r} is none of the actions: want another list by names=")
                mask[self._number[m]] = 1
        return mask

    def move(self, action: int, moves: Sequence[str]) -> Optional[str]:
        """The move of an action, or None if it is not legal."""
        try:
            number = -1 if isinstance(action, (bool, np.bool_)) else operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.n:
            raise ValueError(f"action {action!r}: want a whole number, 0 to {self.n - 1}")
        action = number
        if self._number is None:
            return moves[action] if action < len(moves) else None
        name = self.names[action]
        return name if name in moves else None

    def action(self, move: str, moves: Sequence[str]) -> int:
        """The action of a legal move."""
        return moves.index(move) if self._number is None else self._number[move]


def _names(server, game):
    """All moves that players may ever have in a game, or None."""
    name = server.game(game)["name"]
    if name in _LISTS:
        return _LISTS[name]()
    if name in ("connect4", "tictactoe", "minesweeper", "go"):  # all of them are legal at first
        state = server.new(game)
        state.draw_luck()
        names = state.moves
        state.free()
        return names
    return None


def _squares(size):
    return [f"{file}{rank}" for rank in range(1, size + 1) for file in "abcdefgh"[:size]]


def _chess():
    """All moves of a queen and a knight on an empty board, and promotions: 1,968."""
    names = []
    for square in _squares(8):
        file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
        for df in range(-7, 8):
            for dr in range(-7, 8):
                queen = (df, dr) != (0, 0) and (df == 0 or dr == 0 or abs(df) == abs(dr))
                knight = sorted((abs(df), abs(dr))) == [1, 2]
                if not (queen or knight) or not (0 <= file + df < 8 and 0 <= rank + dr < 8):
                    continue
                move = square + "abcdefgh"[file + df] + str(rank + dr + 1)
                names.append(move)
                if abs(df) <= 1 and (rank, dr) in ((6, 1), (1, -1)):
                    names += [move + piece for piece in "nbrq"]
    return names


_LISTS = {
    "2048": lambda: ["L", "R", "U", "D"],
    "pig": lambda: ["roll", "hold"],
    "kuhn": lambda: ["pass", "bet"],
    "leduc": lambda: ["fold", "call", "raise"],
    "pacman": lambda: ["North", "South", "East", "West", "Stop"],
    "othello": lambda: _squares(8) + ["pass"],
    "chess": _chess,
}
