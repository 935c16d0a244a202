"""A game as an AEC environment of PettingZoo, with a learner in every seat.

    env = plyfit.aec.Environment("othello")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

If PettingZoo is not installed, the class has the same methods and uses its own spaces.
"""

from typing import Any, Iterable, Iterator, Optional

from .actions import Actions
from .arrays import np
from .rewards import Rewards
from .server import Server
from .solo import vector
from .spaces import Box, Dict, Discrete

try:
    from pettingzoo import AECEnv as _Base
except ImportError:
    _Base = object

__all__ = ["Environment"]


class Environment(_Base):
    """All seats of a game. The agents are called "player_0", "player_1" and so on.

    game, features, actions, server: as in ``plyfit.solo.Environment``

    An observation is a dict. "observation" is the feature vector in the agent's view.
    "action_mask" is all zeros while another agent is to move. In a game of imperfect
    information, an agent that is not to move gets the features of its own information.
    The rewards of each agent are as in ``plyfit.solo.Environment``. ``infos`` contains
    the "position" unless the game has hidden information. An illegal action raises
    ValueError.
    """

    def __init__(self, game: str, features: Optional[str] = None, actions: Optional[Iterable[str]] = None,
                 server: Optional[Server] = None, render_mode: Optional[str] = None) -> None:
        if _Base is not object:
            super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode {render_mode!r}: want None or 'ansi'")
        self.metadata = {"name": f"plyfit/{game}", "render_modes": ["ansi"], "is_parallelizable": False, "render_fps": 4}
        self._own = server is None
        self.server = server or Server()
        self.game, self.features, self.render_mode = game, features, render_mode
        about = self.server.game(game)
        self.hidden = about["hidden"]
        self.possible_agents = [f"player_{p}" for p in range(about["players"])]
        self.actions = Actions(self.server, game, actions)
        self.size = self.server.features(game, features)["size"]
        self.agents, self.play = [], None
        self.observation_spaces = {a: Dict({
            "observation": Box(-np.inf, np.inf, (self.size,), np.float32),
            "action_mask": Box(0, 1, (self.actions.n,), np.int8),
        }) for a in self.possible_agents}
        self.action_spaces = {a: Discrete(self.actions.n) for a in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: "Optional[dict[str, Any]]" = None) -> None:
        """Start an episode.

        options: {"position": TEXT} sets the starting position. Other options are ignored,
            because they are meant for wrappers.
        """
        play = self.server.new(self.game, (options or {}).get("position"))  # first, because the position may be refused
        if seed is not None or not hasattr(self, "_rng"):
            self._rng = np.random.default_rng(seed)
        if self.play is not None:
            self.play.free()
        self.play = play
        self.play.draw_luck(self._rng)
        self._collect = Rewards(self.play)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._settle()

    def step(self, action: Optional[int]) -> None:
        """Make the selected agent's move and the chance moves after it.

        An agent that is done must pass None.
        """
        self._begun("step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError(f"{agent} is done; want None")
            self._leave(agent)
            return
        move = self.actions.move(action, self.play.moves)
        if move is None:
            raise ValueError(f"action {action} is not legal at {self.play.position}; want an action whose action_mask is 1")
        self._cumulative_rewards[agent] = 0.0
        self.play.apply(move)
        self.play.draw_luck(self._rng)
        self.rewards = dict(zip(self.possible_agents, self._collect.take(self.play)))
        for a, r in self.rewards.items():
            self._cumulative_rewards[a] += r
        self._settle()

    def _begun(self, method):
        if self.play is None:
            raise RuntimeError(f"no episode has begun; call reset before {method}")

    def _settle(self):
        """Update the selected agent, the infos and the flags for the end of the episode."""
        s = self.play
        self.terminations = dict.fromkeys(self.agents, s.over)
        self.truncations = dict.fromkeys(self.agents, s.truncated)
        self.infos = {a: {} if self.hidden else {"position": s.position} for a in self.agents}
        if s.over or s.truncated:
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[s.turn]

    def _leave(self, agent):
        """Remove an agent that is done, and select the next remaining agent."""
        self.agents.remove(agent)
        for of in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del of[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> "dict[str, np.ndarray]":
        """Return an agent's observation. Any agent may be to move."""
        self._begun("observe")
        player = self.possible_agents.index(agent)
        ours = self.play.turn == player and not self.play.truncated
        return {"observation": vector(self.play, self.features, player, self.size),
                "action_mask": self.actions.mask(self.play.moves if ours else [])}

    def last(self, observe: bool = True) -> "tuple[Optional[dict[str, np.ndarray]], float, bool, bool, dict[str, Any]]":
        """Return the selected agent's observation, reward since its last step, flags and info."""
        self._begun("last")
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent],
                self.terminations[agent], self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter: int = 1 << 63) -> Iterator[str]:
        """Yield the selected agent repeatedly until all agents are done."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    @property
    def num_agents(self) -> int:
        """Number of agents that are not done yet."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """Number of seats in the game."""
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> "Environment":
        """The environment itself, because it does not wrap another one."""
        return self

    def render(self) -> Optional[str]:
        """Return the position as text if render_mode is "ansi". It shows all players' cards."""
        if self.render_mode != "ansi":
            return None
        self._begun("render")
        return self.play.draw()

    def close(self) -> None:
        """Close the server if the environment started it."""
        if self.play is not None and not self._own:
            self.play.free()
        self.play = None
        if self._own:
            self.server.close()
