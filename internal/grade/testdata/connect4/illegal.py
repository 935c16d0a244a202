from plyfit import agent

agent.run(move=lambda question: "9")
