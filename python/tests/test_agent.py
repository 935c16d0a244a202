"""Tests of plyfit.agent."""

import json
import subprocess
import sys
import unittest

from plyfit import agent, server

PROGRAM = """
import random
from plyfit import agent
agent.run(move=agent.best_after(lambda after: after["terms"].get("centre", 0)), value=lambda q: [q["seed"], random.random()])
"""


class Agent(unittest.TestCase):
    def answers(self, *questions):
        text = "".join(json.dumps(q) + "\n" for q in questions)
        said = subprocess.run([sys.executable, "-c", PROGRAM], input=text, capture_output=True, text=True, check=True).stdout
        return [json.loads(line) for line in said.splitlines()]

    def test_run(self):
        question = {"id": 4, "ask": "value", "seed": 7}
        first, second, third = self.answers(question, dict(question, id=5), dict(question, seed=8))
        self.assertEqual((first["id"], second["id"]), (4, 5))
        self.assertEqual(first["answer"], second["answer"])  # the same seed produces the same random numbers
        self.assertNotEqual(first["answer"], third["answer"])

    def test_best_after(self):
        after = [{"position": "1", "terms": {}}, {"position": "4", "terms": {"centre": 1.0}}, {"position": "7", "utility": 0.5}]
        question = {"id": 1, "ask": "move", "seed": 7, "moves": ["1", "4", "7"], "after": after}
        self.assertEqual([a["answer"] for a in self.answers(question, dict(question, after=after[:1] * 2 + after[2:]))], ["4", "7"])

    def test_tree(self):
        self.assertEqual(agent.tree("(max (chance 1/2 10 .5 -1) 4)"), ("max", [("chance", [(0.5, 10), (0.5, -1)]), 4]))

    def test_match(self):
        command = server.os.environ["PLYFIT"]
        spec = f"lines:cmd=({sys.executable} -c 'from plyfit import agent; agent.run(move=lambda q: q[\"moves\"][-1])')"
        said = subprocess.run([command, "match", "tictactoe", spec, "random", "--pairs", "2", "--quiet", "--json"], capture_output=True, text=True, check=True).stdout
        result = json.loads(said)
        self.assertEqual((result["games"], result["faults_a"]["crash"]), (4, 0))
