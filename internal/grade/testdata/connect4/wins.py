from plyfit import agent

agent.run(move=agent.best_after(lambda after: after["terms"].get("threes", 0)))
