"""Numbers for moves, as learning programs need them."""

import operator
from typing import Iterable, Optional, Sequence

from .arrays import np
from .server import Server

__all__ = ["Actions"]

# Number of actions of a game without a list of all moves. In random games, positions of
# backgammon had up to 541 legal moves, and positions of dou dizhu up to 251.
_MOST = 2048


class Actions:
    """The actions 0 to n-1 of a game.

    If the game has few moves, each action is always the same move, such as a column, a
    square or a direction. ``names`` lists the moves. Backgammon, checkers, dou dizhu and
    typed trees have no such list. ``names`` is then None, and action i is the legal move
    at index i of ``State.moves``.
    """

    def __init__(self, server: Server, game: str, names: Optional[Iterable[str]] = None, most: int = _MOST) -> None:
        self.names = list(names) if names is not None else _names(server, game)
        self.n = most if self.names is None else len(self.names)
        self._number = None if self.names is None else {m: i for i, m in enumerate(self.names)}

    def mask(self, moves: Sequence[str]) -> np.ndarray:
        """Return an array of n numbers: 1 for each legal action, 0 for the others."""
        mask = np.zeros(self.n, np.int8)
        if self._number is None:
            if len(moves) > self.n:
                raise ValueError(f"{len(moves)} legal moves, but only {self.n} actions; increase most=")
            mask[:len(moves)] = 1
        else:
            for m in moves:
                if m not in self._number:
                    raise ValueError(f"the legal move {m!r} is none of the actions; pass another list in names=")
                mask[self._number[m]] = 1
        return mask

    def move(self, action: int, moves: Sequence[str]) -> Optional[str]:
        """Return the move of an action, or None if the move is not legal."""
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
        """Return the action of a legal move."""
        return moves.index(move) if self._number is None else self._number[move]


def _names(server, game):
    """Return all moves that can occur in a game, or None if there is no list of them."""
    name = server.game(game)["name"]
    if name in _LISTS:
        return _LISTS[name]()
    if name in ("connect4", "tictactoe", "minesweeper"):  # all moves are legal at the start
        state = server.new(game)
        state.draw_luck()
        names = state.moves
        state.free()
        return names
    return None


def _squares(size):
    return [f"{file}{rank}" for rank in range(1, size + 1) for file in "abcdefgh"[:size]]


def _chess():
    """Return all moves of a queen and a knight on an empty board, and promotions: 1,968."""
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
