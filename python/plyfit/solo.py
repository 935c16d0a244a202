"""A game as a Gymnasium environment with one learner in one seat.

    env = plyfit.solo.Environment("2048")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

If Gymnasium is not installed, the class has the same methods and uses its own spaces.
"""

from typing import Any, Iterable, Optional

from .actions import Actions
from .arrays import np
from .rewards import Rewards
from .server import Server, State
from .spaces import Box, Discrete

try:
    from gymnasium import Env as _Base
except ImportError:
    _Base = object

__all__ = ["Environment"]


class Environment(_Base):
    """One seat of a game.

    game: spec, as in every command: "connect4", "2048:size=3", "connect4+slip=0.1"
    seat: player that the learner controls
    opponent: player of the other seats: "random", or an agent such as "alphabeta:depth=2"
    features: feature set of the observations; None for the game's default set
    illegal_reward: reward of a step with an illegal action, which also ends the episode;
        if None, such a step raises ValueError
    actions: names of the moves of the actions 0, 1, ...; if None, see Actions
    server: Server to share; if None, the environment starts one and closes it in ``close``

    Observations are float32 feature vectors in the learner's view, or zeros when the game
    is over. In games with points, rewards are the changes in the learner's score. In other
    games, the reward is the utility at the end. ``info`` contains

    - "action_mask": an int8 array for ``action_space.sample``, with 1 for each legal action
    - "position" and "moves": the position and its legal moves, as text. In a game of
      imperfect information, "position" contains only the learner's information
    - "played": the moves since the last step, including moves of others and of chance. It
      is missing in a game of imperfect information

    The seed of ``reset`` determines all random choices: chance moves, moves of random
    opponents, and the seeds of opponents that search. The same seed and actions produce
    the same episode, unless an opponent has a time limit.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, game: str, seat: int = 0, opponent: str = "random", features: Optional[str] = None,
                 illegal_reward: Optional[float] = None, actions: Optional[Iterable[str]] = None,
                 server: Optional[Server] = None, render_mode: Optional[str] = None) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode {render_mode!r}: want None or 'ansi'")
        self._own = server is None
        self.server = server or Server()
        self.game, self.seat, self.opponent, self.features = game, seat, opponent, features
        self.illegal_reward, self.render_mode = illegal_reward, render_mode
        about = self.server.game(game)
        if not 0 <= seat < about["players"]:
            raise ValueError(f"seat {seat}: want 0 to {about['players'] - 1}")
        self.hidden = about["hidden"]
        self.actions = Actions(self.server, game, actions)
        self.size = self.server.features(game, features)["size"]
        self.action_space = Discrete(self.actions.n)
        self.observation_space = Box(-np.inf, np.inf, (self.size,), np.float32)
        self.state = None

    def reset(self, *, seed: Optional[int] = None,
              options: "Optional[dict[str, Any]]" = None) -> "tuple[np.ndarray, dict[str, Any]]":
        """Start an episode.

        options: {"position": TEXT} sets the starting position.
        """
        options = dict(options or {})
        position = options.pop("position", None)
        if options:
            raise ValueError(f"options {sorted(options)}: want position or nothing")
        state = self.server.new(self.game, position)  # first, because the position may be refused
        if _Base is not object:
            super().reset(seed=seed)
            self._rng = self.np_random
        elif seed is not None or not hasattr(self, "_rng"):
            self._rng = np.random.default_rng(seed)
        if self.state is not None:
            self.state.free()
        self.state = state
        self._rewards = Rewards(self.state)
        self._played, self._ended = [], False
        self._follow()
        self._rewards.take(self.state)  # discard points from before the first action
        return self._observation(), self._info()

    def step(self, action: int) -> "tuple[np.ndarray, float, bool, bool, dict[str, Any]]":
        """Make a move, and then all moves until the learner is to move again."""
        if self.state is None or self.state.over or self._ended:
            raise RuntimeError("the episode is over; call reset before step")
        move = self.actions.move(action, self.state.moves)
        if move is None:
            if self.illegal_reward is None:
                raise ValueError(f"action {action} is not legal at {self.state.position}; want an action whose info['action_mask'] is 1")
            self._ended = True
            return self._observation(), float(self.illegal_reward), True, False, self._info()
        self._played = [move]
        self.state.apply(move)
        self._follow()
        reward = self._rewards.take(self.state)[self.seat]
        self._ended = self.state.over or self.state.truncated
        return self._observation(), reward, self.state.over, self.state.truncated, self._info()

    def outcomes(self, action: int) -> "list[tuple[float, str]]":
        """Return the possible results of an action as a list of (probability, position).

        In each position, a player is to move or the game is over. The probabilities are
        exact. In a game of imperfect information, the method raises ValueError, because
        the positions are hidden from the learner.
        """
        if self.hidden:
            raise ValueError(f"{self.game} has hidden information")
        if self.state is None:
            raise RuntimeError("no episode has begun; call reset before outcomes")
        move = self.actions.move(action, self.state.moves)
        if move is None:
            raise ValueError(f"action {action} is not legal at {self.state.position}")
        found = []
        for o in self.state.outcomes(move):
            found.append((o.probability, o.state.position))
            o.state.free()
        return found

    def render(self) -> Optional[str]:
        """Return the position as text if render_mode is "ansi"."""
        if self.render_mode != "ansi":
            return None
        if self.state is None:
            raise RuntimeError("no episode has begun; call reset before render")
        return self._known() if self.hidden else self.state.draw()

    def close(self) -> None:
        """Close the server if the environment started it."""
        if self.state is not None and not self._own:
            self.state.free()
        self.state = None
        if self._own:
            self.server.close()

    def _follow(self):
        """Make the moves of chance and the other players until the learner is to move or play ends."""
        s = self.state
        while not s.over and not s.truncated and s.turn != self.seat:
            if s.turn == "chance":
                self._played += [m for m, _ in s.draw_luck(self._rng)]
                continue
            if self.opponent == "random":
                move = s.moves[int(self._rng.integers(len(s.moves)))]
            else:
                move = s.search(self.opponent, seed=int(self._rng.integers(1 << 63)))["move"]
            self._played.append(move)
            s.apply(move)

    def _observation(self):
        return vector(self.state, self.features, self.seat, self.size)

    def _known(self):
        return self.state.observe(self.features, self.seat)["information"] if not self.state.over else self.state.position

    def _info(self):
        ours = self.state.turn == self.seat and not self._ended
        moves = self.state.moves if ours else []
        info = {"action_mask": self.actions.mask(moves), "moves": list(moves)}
        if self.hidden:
            info["position"] = self._known()
        else:
            info["position"], info["played"] = self.state.position, list(self._played)
        return info


def vector(state: State, features: Optional[str], player: int, size: int) -> np.ndarray:
    """Return the features of a position in a player's view as a dense array.

    The array is all zeros if the game is over.
    """
    x = np.zeros(size, np.float32)
    if not state.over:
        seen = state.observe(features, player)
        x[seen["indices"]] = seen["values"]
    return x
