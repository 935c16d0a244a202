"""Plays recorded games again, and says where rules and records disagree.

    python3 -m plyfit.replay games.jsonl

The file is what ``plyfit match --records`` writes. Each game is replayed by a Server: each
move must be legal where it was made, the game must end where its record does, and the
utilities and the last position must be the same. The exit code is 1 where one disagrees.
"""

import sys
from typing import Any, Callable, Optional

from .server import PlyfitError, Server, State

__all__ = ["disagreement"]


def disagreement(server: Server, game: "dict[str, Any]", visit: "Optional[Callable[[State], Any]]" = None) -> Optional[str]:
    """What is wrong with a recorded game, a dict as ``plyfit.data.games`` has it; None: nothing.

    visit: called with the State before each move and at the end; None: no one is.
    """
    state = server.new(game["game"], game["start"])
    try:
        for ply, move in enumerate(game["moves"]):
            if visit:
                visit(state)
            if state.over:
                return f"over after {ply} plies, and the record goes on with {move}"
            if move not in state.moves:
                return f"ply {ply}: {move} is not legal at {state.position}"
            state.apply(move)
        if visit:
            visit(state)
        if state.position != game["last"]:
            return f"ends at {state.position}, and in the record at {game['last']}"
        if game["end"] == "played" and (not state.over or state.utility != game["utility"]):
            return f"{state.position} is worth {state.utility}, and in the record {game['utility']}"
        if game["end"] == "truncated" and state.over:
            return f"over at {state.position}, and truncated in the record"
        return None
    finally:
        state.free()


def main(paths: "list[str]") -> int:
    """Replays the files and returns the exit code."""
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
