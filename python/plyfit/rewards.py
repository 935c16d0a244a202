"""What players get on the way."""

from .server import State

__all__ = ["Rewards"]


class Rewards:
    """The rewards of a game, by player: what they have now less what they had before.

    In a game of points players have their scores, in others nothing until the end; at the
    end everybody has the utility. So the rewards of an episode that began at the game's
    start add up to the utility.
    """

    def __init__(self, state: State) -> None:
        self._players = state.server.game(state.game)["players"]
        self._had = self._has(state)

    def _has(self, state):
        return state.utility or state.scores or [0.0] * self._players

    def take(self, state: State) -> "list[float]":
        """The rewards since the last call, a float for each player."""
        has = self._has(state)
        rewards = [float(now - before) for now, before in zip(has, self._had)]
        self._had = has
        return rewards
