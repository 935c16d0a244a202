// Prints the values of the positions in positions.json by the module evaluation.mjs: of their cells
// if there are any, otherwise of their features. The sum of the players' values is 0.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const evaluation = await import(pathToFileURL("evaluation.mjs"));
if (evaluation.load) evaluation.load(readFileSync("evaluation.weights"));

function value(p) {
  const x = p.x.map((t) => [t.Index, Math.fround(t.Value)]);
  if (p.cells) {
    const terms = evaluation.terms.map(() => 0);
    for (const [i, v] of x) if (i < terms.length) terms[i] += v;
    return evaluation.evaluateBoard(Buffer.from(p.cells, "base64"), p.turn >= 0 ? p.turn : "chance", p.player, terms);
  }
  const sign = 1 - 2 * p.player;
  return sign * evaluation.evaluateSparse(x.map(([i, v]) => [i, sign * v]));
}

console.log(JSON.stringify(JSON.parse(readFileSync("positions.json")).map(value)));
