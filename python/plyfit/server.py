"""A game server that runs as a process, and the positions that it keeps.

The protocol is described in plyfit's docs/engines.md.
"""

import json
import os
import random
import shutil
import subprocess
import sysconfig
import threading
from typing import Any, NamedTuple, Optional, Protocol, Union

__all__ = ["Outcome", "PlyfitError", "Server", "State"]

PROTOCOL = 1


class Uniform(Protocol):
    """A source of random numbers: ``random``, a ``random.Random`` or a numpy generator."""

    def random(self) -> float:
        """Return a number from the uniform distribution on [0, 1)."""


class PlyfitError(Exception):
    """An error that plyfit reported for a request."""


def wanted(package: str) -> str:
    """Return a message that explains how to install a missing package."""
    return (f"package {package} is missing; run pip install './python[frames]' in a clone of plyfit, "
            f"or install a release's wheel with [frames] after its name (Debian: apt-get install python3-{package})")


def program(command: Optional[str] = None) -> str:
    """Return the path of the plyfit program.

    The candidates are ``command``, the environment variable PLYFIT, the program installed
    with this package, and ``plyfit`` on the PATH, in this order. Raises PlyfitError if no
    program is found.
    """
    command = command or os.environ.get("PLYFIT")
    if command:
        found = shutil.which(command)
    else:
        command = "plyfit"
        found = shutil.which("plyfit", path=sysconfig.get_path("scripts")) or shutil.which("plyfit")
    if found is None:
        raise PlyfitError(f"{command}: no such program; add plyfit to the PATH, or set PLYFIT to its path")
    return found


class Server:
    """A process of ``plyfit serve --stdio``.

    Threads may share a Server. A request waits until earlier requests have been answered.
    A forked process cannot use the Server of its parent, and a Server cannot be copied.

    command: path of the program; if None, the result of ``program``
    """

    def __init__(self, command: Optional[str] = None) -> None:
        command = program(command)
        self._next, self._lock, self._owner = 0, threading.RLock(), os.getpid()
        # A separate session, so that Ctrl-C in a terminal does not reach the server.
        self._process = subprocess.Popen(
            [command, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
            start_new_session=True)
        self.hello = self.ask("hello", protocol=PROTOCOL)

    def ask(self, method: str, **params: Any) -> Any:
        """Call a method and return its result. Parameters that are None are omitted."""
        if os.getpid() != self._owner:
            raise PlyfitError("this Server was created before the fork; create a new Server in each process")
        with self._lock:
            answer = self._answer(method, params)
        if "error" in answer:
            raise PlyfitError(answer["error"])
        return answer["result"]

    def _answer(self, method, params):
        """Send a request and read lines up to its answer."""
        if self._process is None:
            raise PlyfitError("the server was closed")
        try:
            number = self._send(method, params)
            while True:
                line = self._process.stdout.readline()
                if not line:
                    raise PlyfitError(f"{method}: the server has ended with status {self._process.wait()}")
                answer = json.loads(line)
                if answer["id"] in (number, None):
                    return answer  # earlier lines are answers left unread after an interrupt
        except KeyboardInterrupt:
            self._send("stop", {})
            raise

    def _send(self, method, params):
        """Write a request and return its number."""
        self._next += 1
        request = {"id": self._next, "method": method, "params": {k: v for k, v in params.items() if v is not None}}
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # reading the answer reports the error
        return self._next

    def games(self) -> "dict[str, str]":
        """Return a dict from the names of the games to their descriptions."""
        return {g["name"]: g["doc"] for g in self.ask("games")}

    def game(self, game: str) -> "dict[str, Any]":
        """Return the properties of a game as a dict."""
        return self.ask("game", game=game)

    def features(self, game: str, set: Optional[str] = None) -> "dict[str, Any]":
        """Return the size of a feature set, the names of its features and its tables as a dict."""
        return self.ask("features", game=game, set=set)

    def new(self, game: str, position: Optional[str] = None) -> "State":
        """Return a State at the given position, or at the start of the game."""
        return State(self, game, self.ask("new", game=game, position=position))

    def close(self) -> None:
        """Stop the process. In a forked process, this has no effect."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            if self._process is None:
                return
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                pass  # the process has ended without reading the last request
            self._process.stdout.close()
            self._process.wait()
            self._process = None

    def __reduce__(self):
        raise TypeError("a Server is a process and cannot be copied or pickled, nor can its States and environments; "
                        "create a new environment and reset it with a seed")

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self):
        if getattr(self, "_process", None) is not None:
            self.close()


class Outcome(NamedTuple):
    """A possible position after a move and the chance moves that follow it."""
    probability: float
    luck: "tuple[str, ...]"  # chance moves
    state: "State"


class State:
    """A position that the server keeps. Methods change it in place.

    position: position in the game's notation
    turn: player to move, from 0, or "chance" or "over"
    moves: legal moves, or the chance moves at a chance node
    probabilities: probability of each chance move at a chance node; otherwise []
    scores: points of each player, in games with points; otherwise []
    utility: utility of each player once the game is over; before that, []
    plies: number of moves applied since ``Server.new``
    truncated: whether the game has reached its limit of plies without an end
    """

    def __init__(self, server: Server, game: str, told: "dict[str, Any]") -> None:
        self.server, self.game, self._number = server, game, told["state"]
        self._tell(told)

    def _tell(self, told):
        self.position: str = told["position"]
        self.turn: Union[int, str] = told["turn"]
        self.moves: "list[str]" = told["moves"]
        self.plies: int = told["plies"]
        self.truncated: bool = told["truncated"]
        self.probabilities: "list[float]" = told.get("probabilities", [])
        self.scores: "list[float]" = told.get("scores", [])
        self.utility: "list[float]" = told.get("utility", [])

    def __repr__(self):
        return f"<{self.game}: {self.position}>"

    def _ask(self, method, **params):
        return self.server.ask(method, state=self._number, **params)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.turn == "over"

    def apply(self, *moves: str) -> None:
        """Make moves, which may include chance moves. If one is illegal, none is made."""
        self._tell(self._ask("apply", moves=list(moves)))

    def undo(self, plies: int = 1) -> None:
        """Undo moves."""
        self._tell(self._ask("undo", plies=plies))

    def clone(self) -> "State":
        """Return an independent copy without the history of moves."""
        return State(self.server, self.game, self._ask("clone"))

    def free(self) -> None:
        """Release the position on the server. The State must not be used afterwards."""
        self._ask("free")

    def draw_luck(self, rng: Uniform = random) -> "list[tuple[str, float]]":  # type: ignore[assignment]
        """Make random chance moves until a player is to move or the game is over.

        rng: source of random numbers, which alone determines the moves

        Returns a list of pairs of a move and its probability.
        """
        luck = []
        while self.turn == "chance":
            k = _drawn(self.probabilities, rng.random())
            luck.append((self.moves[k], self.probabilities[k]))
            self.apply(self.moves[k])
        return luck

    def outcomes(self, *moves: str) -> "list[Outcome]":
        """Return the possible positions after the moves as a list of Outcomes.

        The probabilities are exact and sum to 1. The States are new. Free those that you
        do not need.
        """
        root = self.clone()
        root.apply(*moves)
        found, open_ = [], [Outcome(1.0, (), root)]
        while open_:
            o = open_.pop()
            if o.state.turn != "chance":
                found.append(o)
                continue
            for m, p in reversed(list(zip(o.state.moves, o.state.probabilities))):
                child = o.state.clone()
                child.apply(m)
                open_.append(Outcome(o.probability * p, o.luck + (m,), child))
            o.state.free()
        return found

    def observe(self, set: Optional[str] = None, player: Optional[int] = None) -> "dict[str, Any]":
        """Return the position from a player's point of view as a dict; see docs/engines.md."""
        return self._ask("observe", set=set, player=player)

    def evaluate(self, eval: Optional[str] = None, player: Optional[int] = None) -> "dict[str, Any]":
        """Return the static evaluation as a dict of value, bias, terms, sum, link and leaf.

        ``sum`` is the bias plus the products of all terms. ``formula`` describes how the
        link converts it to ``value``. ``leaf`` is the value that a search uses.
        """
        return self._ask("evaluate", eval=eval, player=player)

    def search(self, agent: Optional[str] = None, seed: int = 0) -> "dict[str, Any]":
        """Run an agent's search. Returns a dict of move, value, values, best, pv and more."""
        return self._ask("search", agent=agent, seed=seed)

    def draw(self, svg: bool = False) -> Optional[str]:
        """Return a drawing as text or as SVG, or None if the game has no such drawing."""
        return self._ask("draw").get("svg" if svg else "text")


def _drawn(probabilities, u):
    """Return the index drawn by u, uniform in [0, 1), as Drawn of package game does."""
    for k, p in enumerate(probabilities):
        u -= p
        if u < 0:
            return k
    return len(probabilities) - 1
