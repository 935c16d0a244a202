"""Print the values of the positions in positions.json by the module evaluation.py: of their cells
if there are any, otherwise of their features. The sum of the players' values is 0."""
import array
import base64
import json
import sys

sys.path.insert(0, ".")
import evaluation


def value(p):
    indices = [t["Index"] for t in p["x"]]
    x = list(zip(indices, array.array("f", [t["Value"] for t in p["x"]])))
    if p["cells"]:
        terms = [sum(v for i, v in x if i == k) for k in range(len(evaluation.TERMS))]
        turn = p["turn"] if p["turn"] >= 0 else "chance"
        return evaluation.evaluate_board(base64.b64decode(p["cells"]), turn, p["player"], terms)
    sign = 1 - 2 * p["player"]
    return sign * evaluation.evaluate_sparse((i, sign * v) for i, v in x)


with open("positions.json") as file:
    print([value(p) for p in json.load(file)])
