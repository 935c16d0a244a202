import random

from plyfit import agent

agent.run(move=lambda question: random.choice(question["moves"]))
