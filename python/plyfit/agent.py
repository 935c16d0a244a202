"""Agents made of functions, for ``plyfit grade`` and ``lines:cmd=...``.

The protocol is described in plyfit's docs/grade.md.

    from plyfit import agent

    def choose(question):
        return question["moves"][0]

    agent.run(move=choose)

Each function takes a question, which is a dict, and returns the answer. Do not print to
standard output, because it carries the answers. Use ``print(..., file=sys.stderr)`` instead.
"""

import json
import random
import sys
from typing import Any, Callable, Union

__all__ = ["best_after", "run", "tree"]

Tree = Union[float, "tuple[str, list[Any]]"]


def run(**functions: "Callable[[dict[str, Any]], Any]") -> None:
    """Answer questions until the input ends.

    functions: one per kind of question: move, value, visited, table. Before each
        question, Python's ``random`` module is seeded with the question's seed.
    """
    for line in sys.stdin:
        question = json.loads(line)
        random.seed(question["seed"])
        answer = functions[question["ask"]](question)
        print(json.dumps({"id": question["id"], "answer": answer}), flush=True)


def best_after(evaluate: "Callable[[dict[str, Any]], float]") -> "Callable[[dict[str, Any]], str]":
    """Return a function for ``move`` that plays the move with the highest evaluation after it.

    evaluate: takes an item of ``after`` in a question, which is a dict of position and
        terms, and returns a number. If the game is over, its utility is used instead.
    """
    def choose(question):
        def value(pair):
            return pair[1]["utility"] if "utility" in pair[1] else evaluate(pair[1])
        return max(zip(question["moves"], question["after"]), key=value)[0]
    return choose


def tree(position: str) -> Tree:
    """Parse a position of the game ``tree``.

    A tree is a number, or a tuple of its kind ("max", "min" or "chance") and the list of
    its children. The children of "chance" are pairs of a probability and a tree.
    """
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
