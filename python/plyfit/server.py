"""A server of games as a process, and the positions that it keeps.

The protocol is docs/engines.md of plyfit.
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
    """What gives random numbers: ``random``, a ``random.Random``, a generator of numpy."""

    def random(self) -> float:
        """A number, uniform in [0, 1)."""


class PlyfitError(Exception):
    """plyfit refused a request; the text says what, where and what was expected."""


def wanted(package: str) -> str:
    """How to install a package that is missing."""
    return (f"want the package {package}: pip install './python[frames]' in a clone of plyfit, "
            f"or a release's wheel with [frames] behind its name (Debian: apt-get install python3-{package})")


def program(command: Optional[str] = None) -> str:
    """The plyfit to run: ``command``, or that in the environment variable PLYFIT, or the
    one that was installed with this package, or ``plyfit`` on the PATH.

    Raises PlyfitError where there is none.
    """
    command = command or os.environ.get("PLYFIT")
    if command:
        found = shutil.which(command)
    else:
        command = "plyfit"
        found = shutil.which("plyfit", path=sysconfig.get_path("scripts")) or shutil.which("plyfit")
    if found is None:
        raise PlyfitError(f"{command}: no such program: want plyfit on the PATH, or its path in PLYFIT")
    return found


class Server:
    """A process of ``plyfit serve --stdio``.

    Threads may share a Server: a request waits for the answers before it. A process that
    was forked, and a copy, cannot use it.

    command: the program, as a path; None: as ``program`` finds it.
    """

    def __init__(self, command: Optional[str] = None) -> None:
        command = program(command)
        self._next, self._lock, self._owner = 0, threading.RLock(), os.getpid()
        # In a session of its own, so that Ctrl-C in a terminal is ours alone.
        self._process = subprocess.Popen(
            [command, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
            start_new_session=True)
        self.hello = self.ask("hello", protocol=PROTOCOL)

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a method; parameters that are None are left out."""
        if os.getpid() != self._owner:
            raise PlyfitError("a Server of the process before the fork: want a new Server in each process")
        with self._lock:
            answer = self._answer(method, params)
        if "error" in answer:
            raise PlyfitError(answer["error"])
        return answer["result"]

    def _answer(self, method, params):
        """Sends a request and reads lines up to its answer."""
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
                    return answer  # those before it are answers that an interrupt kept from being read
        except KeyboardInterrupt:
            self._send("stop", {})
            raise

    def _send(self, method, params):
        """Writes a request, and returns its number."""
        self._next += 1
        request = {"id": self._next, "method": method, "params": {k: v for k, v in params.items() if v is not None}}
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # which reading the answer tells
        return self._next

    def games(self) -> "dict[str, str]":
        """The games, as a dict from names to what they are."""
        return {g["name"]: g["doc"] for g in self.ask("games")}

    def game(self, game: str) -> "dict[str, Any]":
        """What holds for all positions of a game, as a dict."""
        return self.ask("game", game=game)

    def features(self, game: str, set: Optional[str] = None) -> "dict[str, Any]":
        """The size of a feature set, the names of its features and its tables, as a dict."""
        return self.ask("features", game=game, set=set)

    def new(self, game: str, position: Optional[str] = None) -> "State":
        """A State: a position of the game, or its start."""
        return State(self, game, self.ask("new", game=game, position=position))

    def close(self) -> None:
        """Ends the process. A process that was forked leaves it running."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            if self._process is None:
                return
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                pass  # it has ended, with a request unread
            self._process.stdout.close()
            self._process.wait()
            self._process = None

    def __reduce__(self):
        raise TypeError("a Server is a process, which cannot be copied or pickled, nor can its States and environments: "
                        "want a new environment, and reset with a seed")

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self):
        if getattr(self, "_process", None) is not None:
            self.close()


class Outcome(NamedTuple):
    """One of the positions that nature may make of a move."""
    probability: float
    luck: "tuple[str, ...]"  # nature's moves
    state: "State"


class State:
    """A position that the server keeps. It is changed in place.

    position: in the game's notation
    turn: the player to move, from 0, or "chance" or "over"
    moves: the legal moves, or nature's
    probabilities: of nature's moves, at a chance node; else []
    scores: what each player has collected, in games of points; else []
    utility: what each player gets, when the game is over; else []
    plies: moves applied since ``Server.new``
    truncated: the game has reached its limit of plies without an end
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
        """Whether the game has come to its end."""
        return self.turn == "over"

    def apply(self, *moves: str) -> None:
        """Makes moves, nature's among them; none of them where one is not legal."""
        self._tell(self._ask("apply", moves=list(moves)))

    def undo(self, plies: int = 1) -> None:
        """Takes moves back."""
        self._tell(self._ask("undo", plies=plies))

    def clone(self) -> "State":
        """An independent copy, with nothing to undo."""
        return State(self.server, self.game, self._ask("clone"))

    def free(self) -> None:
        """Gives the position back; the State is of no use any more."""
        self._ask("free")

    def draw_luck(self, rng: Uniform = random) -> "list[tuple[str, float]]":  # type: ignore[assignment]
        """Makes nature's moves by their probabilities until a player is to move.

        rng: whose ``random()`` is uniform in [0, 1); what it gives alone decides. The
            result is a list of pairs of a move and its probability.
        """
        luck = []
        while self.turn == "chance":
            k = _drawn(self.probabilities, rng.random())
            luck.append((self.moves[k], self.probabilities[k]))
            self.apply(self.moves[k])
        return luck

    def outcomes(self, *moves: str) -> "list[Outcome]":
        """What nature may make of the moves, exactly: a list of Outcomes.

        Their probabilities sum to 1. The States in them are new; free those that you do
        not keep.
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
        """The position as a player sees it, as a dict: see docs/engines.md."""
        return self._ask("observe", set=set, player=player)

    def evaluate(self, eval: Optional[str] = None, player: Optional[int] = None) -> "dict[str, Any]":
        """The static evaluation, as a dict of value, bias, terms, sum, link and leaf.

        ``sum`` is ``bias`` and the products of all terms; ``formula`` says what the
        link makes of it, ``value``. ``leaf`` is ``value`` as a search takes it.
        """
        return self._ask("evaluate", eval=eval, player=player)

    def search(self, agent: Optional[str] = None, seed: int = 0) -> "dict[str, Any]":
        """What an agent finds, as a dict of move, value, values, best, pv and more."""
        return self._ask("search", agent=agent, seed=seed)

    def draw(self, svg: bool = False) -> Optional[str]:
        """A drawing of several lines, or an SVG picture; None if the game draws none."""
        return self._ask("draw").get("svg" if svg else "text")


def _drawn(probabilities, u):
    """The index on which u, uniform in [0, 1), falls: as Drawn of package game."""
    for k, p in enumerate(probabilities):
        u -= p
        if u < 0:
            return k
    return len(probabilities) - 1
