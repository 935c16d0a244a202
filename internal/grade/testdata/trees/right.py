from plyfit import agent


def value(tree):
    if isinstance(tree, float):
        return tree
    kind, children = tree
    if kind == "chance":
        return sum(p * value(t) for p, t in children)
    return (max if kind == "max" else min)(value(t) for t in children)


def move(question):
    kind, children = agent.tree(question["position"])
    values = [value(t) for t in children]
    return question["moves"][values.index((max if kind == "max" else min)(values))]


agent.run(value=lambda question: value(agent.tree(question["position"])), move=move)
