"""Games of OpenSpiel, PettingZoo and python-chess for plyfit. NOT TESTED.

    rules:cmd=(python3 python_adapters.py OpenSpiel breakthrough)
    rules:cmd=(python3 python_adapters.py PettingZoo connect_four_v3)
    rules:cmd=(python3 python_adapters.py Chess antichess)

Games of OpenSpiel and PettingZoo must have two players, no chance and no
secrets. Their observations must have one plane for each kind of piece. Their
positions list the actions since the start, so transpositions do not meet. Run
plyfit games --check first.
"""

import copy
import importlib
import json
import sys

SYMBOLS = ".abcdefghijklmnopqrstuvwxyz"  # no plane, first plane, second plane, ...


class OpenSpiel:
    def __init__(self, name):
        self.game = importlib.import_module("pyspiel").load_game(name)
        kind, shape = self.game.get_type(), self.game.observation_tensor_shape()
        assert kind.information == kind.Information.PERFECT_INFORMATION
        assert kind.chance_mode == kind.ChanceMode.DETERMINISTIC
        self.planes, self.rows, self.columns = shape

    def parse(self, text):
        state = self.game.new_initial_state()
        for action in text.split()[1:]:  # the first word is "actions"
            state.apply_action(int(action))
        return state

    def view(self, state):
        tensor, size = state.observation_tensor(0), self.rows * self.columns
        cells = [tensor[cell::size] for cell in range(size)]
        turn = "over" if state.is_terminal() else state.current_player()
        position = " ".join(["actions", *map(str, state.history())])
        symbols = "".join(SYMBOLS[1 + c.index(1) if 1 in c else 0] for c in cells)
        return position, turn, symbols, state.returns()

    def moves(self, state):
        return [(str(action), state.child(action)) for action in state.legal_actions()]


class PettingZoo:
    def __init__(self, name):
        self.module = importlib.import_module("pettingzoo.classic." + name)
        self.rows, self.columns, self.planes = self.observe(self.parse("")).shape

    def observe(self, env, player=0, key="observation"):
        return env.observe(env.possible_agents[player])[key]

    def parse(self, text):
        env = self.module.raw_env()
        env.reset()
        env.path = text or "actions"
        for action in env.path.split()[1:]:
            env.step(int(action))
        return env

    def view(self, env):
        cells = self.observe(env).reshape(-1, self.planes)
        turn = env.possible_agents.index(env.agent_selection)
        rewards = [float(env.rewards[agent]) for agent in env.possible_agents]
        symbols = "".join(SYMBOLS[1 + c.argmax() if c.any() else 0] for c in cells)
        return env.path, "over" if all(env.terminations.values()) else turn, symbols, rewards

    def moves(self, env):
        turn = env.possible_agents.index(env.agent_selection)
        for action in self.observe(env, turn, "action_mask").nonzero()[0]:
            after = copy.deepcopy(env)
            after.step(int(action))
            after.path += f" {action}"
            yield str(action), after


class Chess:
    rows = columns = 8
    planes = 12

    def __init__(self, name):
        self.board = importlib.import_module("chess.variant").find_variant(name)
        assert name != "crazyhouse", "FENs of crazyhouse contain ~"

    def parse(self, text):
        return self.board(text) if text else self.board()

    def view(self, state):
        state.fullmove_number = 1  # it does not affect the future
        outcome = state.outcome()
        over = outcome or state.halfmove_clock >= 100
        white = {None: 0, True: 1, False: -1}[outcome.winner if outcome else None]
        pieces = [state.piece_at(8 * rank + file) for rank in range(7, -1, -1) for file in range(8)]
        symbols = "".join(SYMBOLS[1 + "PNBRQKpnbrqk".index(str(p)) if p else 0] for p in pieces)
        turn = "over" if over else 0 if state.turn else 1
        return state.fen(), turn, symbols, [white, -white]

    def moves(self, state):
        for move in list(state.legal_moves):
            after = state.copy(stack=False)
            after.push(move)
            yield move.uci(), after


def view(state):
    position, turn, cells, utility = adapter.view(state)
    answer = {"position": position, "turn": turn, "cells": cells}
    return {**answer, "utility": utility} if turn == "over" else answer


def describe(text):
    state = adapter.parse(text)
    answer = view(state)
    if answer["turn"] != "over":
        moves, after = zip(*adapter.moves(state))
        answer.update(moves=moves, after=[view(state) for state in after])
    return answer


library, name = sys.argv[1:]
adapter = {"OpenSpiel": OpenSpiel, "PettingZoo": PettingZoo, "Chess": Chess}[library](name)
board = {"rows": adapter.rows, "columns": adapter.columns, "symbols": SYMBOLS[: adapter.planes + 1]}
game = {"protocol": 1, "name": name.replace("_", "-"), "version": "1", "players": 2}
game.update({"min": -1, "max": 1, "sum": "zero", "max_plies": 1000, "board": board})
for line in sys.stdin:
    question = json.loads(line)
    positions = question.get("positions")
    answer = {"answers": list(map(describe, positions))} if positions else game
    print(json.dumps({"id": question["id"], **answer}), flush=True)
