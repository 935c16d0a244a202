from plyfit import agent

# It takes min for max everywhere.


def value(tree):
    if isinstance(tree, float):
        return tree
    return max(value(t) for t in tree[1])


agent.run(value=lambda question: value(agent.tree(question["position"])), move=lambda question: question["moves"][-1])
