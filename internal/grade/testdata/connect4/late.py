import time

from plyfit import agent


def move(question):
    if len(question["position"]) > 6:  # from the fourth stone of its own
        time.sleep(600)
    return question["moves"][0]


agent.run(move=move)
