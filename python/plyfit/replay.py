"""Replay recorded games and report where the rules and the records disagree.

    python3 -m plyfit.replay games.jsonl

``plyfit match --records`` writes such a file. Each game is replayed on a Server. Every move
must be legal, the game must end where its record ends, and the utilities and the last
position must be equal. The exit code is 1 if a game disagrees or if there are no games.
"""

import sys
from typing import Any, Callable, Optional

from .server import PlyfitError, Server, State

__all__ = ["disagreement"]


def disagreement(server: Server, game: "dict[str, Any]", visit: "Optional[Callable[[State], Any]]" = None) -> Optional[str]:
    """Return the first error in a recorded game, or None if there is none.

    game: a dict, as ``plyfit.data.games`` yields it
    visit: called with the State before each move and at the end, unless it is None
    """
    state = server.new(game["game"], game["start"])
    try:
        for ply, move in enumerate(game["moves"]):
            if visit:
                visit(state)
            if state.over:
                return f"over after {ply} plies, but the record continues with {move}"
            if move not in state.moves:
                return f"ply {ply}: {move} is not legal at {state.position}"
            state.apply(move)
        if visit:
            visit(state)
        if state.position != game["last"]:
            return f"ends at {state.position}, but the record ends at {game['last']}"
        if game["end"] == "played" and (not state.over or state.utility != game["utility"]):
            return f"{state.position} has the utility {state.utility}, but the record has {game['utility']}"
        if game["end"] == "truncated" and state.over:
            return f"over at {state.position}, but truncated in the record"
        return None
    finally:
        state.free()


def main(paths: "list[str]") -> int:
    """Replay the files and return the exit code."""
    import json
    count = plies = wrong = 0
    with Server() as server:
        for path in paths:
            with open(path, encoding="utf-8") as f:
                for number, line in enumerate(f, 1):
                    game = json.loads(line)
                    count, plies = count + 1, plies + len(game["moves"])
                    try:
                        reason = disagreement(server, game)
                    except PlyfitError as e:
                        reason = str(e)
                    if reason:
                        wrong += 1
                        print(f"{path}, line {number}: {reason}")
    print(f"{count} games, {plies} plies, {wrong} disagree")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
