"""Rewards of the players during a game."""

from .server import State

__all__ = ["Rewards"]


class Rewards:
    """The rewards of each player: the changes in the player's score.

    In a game with points, the score is the number of points. In other games it is 0 until
    the end. At the end it is the utility. The rewards of an episode that begins at the
    start of the game therefore add up to the utility.
    """

    def __init__(self, state: State) -> None:
        self._players = state.server.game(state.game)["players"]
        self._had = self._has(state)

    def _has(self, state):
        return state.utility or state.scores or [0.0] * self._players

    def take(self, state: State) -> "list[float]":
        """Return the rewards since the last call, one float per player."""
        has = self._has(state)
        rewards = [float(now - before) for now, before in zip(has, self._had)]
        self._had = has
        return rewards
