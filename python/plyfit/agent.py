"""An agent of functions, for ``plyfit grade`` and ``lines:cmd=...``: docs/grade.md of plyfit.

    from plyfit import agent

    def choose(question):
        return question["moves"][0]

    agent.run(move=choose)

Each function is given a question, a dict, and returns the answer. Print nothing: standard
output is for answers. ``print(..., file=sys.stderr)`` is free.
"""

import json
import random
import sys
from typing import Any, Callable, Union

__all__ = ["best_after", "run", "tree"]

Tree = Union[float, "tuple[str, list[Any]]"]


def run(**functions: "Callable[[dict[str, Any]], Any]") -> None:
    """Answers questions until there are none left.

    functions: by what is asked: move, value, visited, table. Before each question
        Python's own random numbers follow from the question's seed.
    """
    for line in sys.stdin:
        question = json.loads(line)
        random.seed(question["seed"])
        answer = functions[question["ask"]](question)
        print(json.dumps({"id": question["id"], "answer": answer}), flush=True)


def best_after(evaluate: "Callable[[dict[str, Any]], float]") -> "Callable[[dict[str, Any]], str]":
    """A function for ``move``: the move after which the evaluation is highest.

    evaluate: given what stands in ``after`` of a question, a dict of position and
        terms, returns a number. Where the game is over, its utility counts instead.
    """
    def choose(question):
        def value(pair):
            return pair[1]["utility"] if "utility" in pair[1] else evaluate(pair[1])
        return max(zip(question["moves"], question["after"]), key=value)[0]
    return choose


def tree(position: str) -> Tree:
    """The tree that a position of the game ``tree`` writes: a number, or a tuple of its
    kind ("max", "min" or "chance") and the list of its children. Those of chance are
    pairs of a probability and a tree."""
    words = position.replace("(", " ( ").replace(")", " ) ").split()
    words.reverse()

    def number(word):
        over, _, under = word.partition("/")
        return float(over) / float(under or 1)

    def read():
        word = words.pop()
        if word != "(":
            return number(word)
        kind, children = words.pop(), []
        while words[-1] != ")":
            children.append((number(words.pop()), read()) if kind == "chance" else read())
        words.pop()
        return kind, children

    return read()
