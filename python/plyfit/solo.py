"""A game as an environment of Gymnasium: one learner, who holds one seat.

    env = plyfit.solo.Environment("2048")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

Without Gymnasium the class has the same methods, and spaces of its own.
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

    game: as in every command of plyfit: "connect4", "2048:size=3", "connect4+slip=0.1"
    seat: the player who learns
    opponent: who holds the other seats: "random", or an agent as "alphabeta:depth=2"
    features: the feature set of observations; None: the game's usual one
    illegal_reward: what a step gets whose action is not legal, which also ends the
        episode; None: such a step raises ValueError
    actions: the names of the moves of the actions 0, 1, ...; None: see Actions
    server: a Server to share; else the environment runs one, and ends it in ``close``

    Observations are feature vectors in the learner's view, float32; when the game is over,
    zeros. Rewards are differences of the learner's score in games of points; in others the
    utility, at the end. ``info`` has

    - "action_mask": 1 for each legal action, an int8 array as ``action_space.sample``
      takes it
    - "position" and "moves": the position and its legal moves, as text. In a game of
      imperfect information "position" is what the learner knows
    - "played": the moves since the last step, others' and nature's among them. In a game
      of imperfect information it is missing

    All chance follows from the seed of ``reset``: nature's moves, random opponents' and
    the seeds of opponents that search. Equal seeds and actions give equal episodes,
    unless an opponent is limited by time.
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
        """Begins an episode.

        options: {"position": TEXT} begins at a position in place of the game's start.
        """
        options = dict(options or {})
        position = options.pop("position", None)
        if options:
            raise ValueError(f"options {sorted(options)}: want position, or none")
        state = self.server.new(self.game, position)  # before anything changes: it may be refused
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
        self._rewards.take(self.state)  # what came before the first action is no one's merit
        return self._observation(), self._info()

    def step(self, action: int) -> "tuple[np.ndarray, float, bool, bool, dict[str, Any]]":
        """Makes a move, and then all moves until the learner is to move again."""
        if self.state is None or self.state.over or self._ended:
            raise RuntimeError("the episode is over: want reset before step")
        move = self.actions.move(action, self.state.moves)
        if move is None:
            if self.illegal_reward is None:
                raise ValueError(f"action {action} is not legal at {self.state.position}: want one where info['action_mask'] is 1")
            self._ended = True
            return self._observation(), float(self.illegal_reward), True, False, self._info()
        self._played = [move]
        self.state.apply(move)
        self._follow()
        reward = self._rewards.take(self.state)[self.seat]
        self._ended = self.state.over or self.state.truncated
        return self._observation(), reward, self.state.over, self.state.truncated, self._info()

    def outcomes(self, action: int) -> "list[tuple[float, str]]":
        """What nature may make of an action, exactly: a list of (probability, position).

        The positions are those in which a player is to move next, or the game is over.
        In a game of imperfect information they are not the learner's to see: ValueError.
        """
        if self.hidden:
            raise ValueError(f"{self.game} hides some of its positions")
        if self.state is None:
            raise RuntimeError("no episode has begun: want reset before outcomes")
        move = self.actions.move(action, self.state.moves)
        if move is None:
            raise ValueError(f"action {action} is not legal at {self.state.position}")
        found = []
        for o in self.state.outcomes(move):
            found.append((o.probability, o.state.position))
            o.state.free()
        return found

    def render(self) -> Optional[str]:
        """The position as text, if render_mode is "ansi"."""
        if self.render_mode != "ansi":
            return None
        if self.state is None:
            raise RuntimeError("no episode has begun: want reset before render")
        return self._known() if self.hidden else self.state.draw()

    def close(self) -> None:
        """Ends the server, if the environment runs one of its own."""
        if self.state is not None and not self._own:
            self.state.free()
        self.state = None
        if self._own:
            self.server.close()

    def _follow(self):
        """Nature and the other players move until the learner does, or play ends."""
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
    """The features of a position in a player's view as a dense array; zeros at its end."""
    x = np.zeros(size, np.float32)
    if not state.over:
        seen = state.observe(features, player)
        x[seen["indices"]] = seen["values"]
    return x
