package study

import (
	"plyfit/internal/report"
)

// effortSays tells a reader what to think of the intervals.
var effortSays = map[Effort]string{
	Quick:   "This is the quick setting, which decides little: its intervals are wide.",
	Default: "This is the default setting.",
	Full:    "This is the full setting.",
}

// exploratory is true of all experiments but those of a protocol.
const exploratory = "Unless a chapter names a protocol, all of this explores: hypotheses and signs came first, sizes and levels after pilots."

// words are those that the first page cannot do without.
var words = report.List{
	"Slip, p: with probability p a move is replaced by a random legal one. That is the chance in a game that has none of its own; expectimax reckons with it, minimax ignores it.",
	"Warp, an error of scale: every value passes through the same strictly increasing function, so which of two positions is better stays as it was, and how much better does not. A link that is too steep is one.",
	"Noise: a random number is added to the value of each position, always the same one for the same position. Learned weights gone wrong err alike in positions that are alike, which noise does not.",
}

// tryIt is two commands that take seconds.
const tryIt = `plyfit study exact --quick
plyfit study crossed --quick --game othello`

// howToRead says how to read the table of claims.
const howToRead = "A verdict follows from the 95% interval, by Holm's correction over the claims of its experiment; figures without sampling error need none. Supported, contradicted: the whole interval lies on the side that the claim names, or on the other. Negligible: it lies within a twentieth of what no evaluation at all loses. Not decided: none of these. Refused: an instrument check failed. E/M: expectimax's loss over minimax's."

// rowTerms defines the words of the tables of [Finding.Row].
const rowTerms = "expectimax, minimax: what the planner loses by the error, in percent of the points, with its 95% interval. E > 0: the error costs expectimax points. E = M: it costs both the same, E/M from 1/1.25 to 1.25. E/M is - if minimax's loss is not clearly above 0.\n\n" +
	"Errors of scale, which change every value by one increasing function: exp, tanh, power, cube, square root, ranks; steep link (a link with c times its scale); log odds (no link). Others: noise, white noise (a random number added to each position); shared noise (in part the same for all moves of a decision); wrong weights (each times 1 plus a random number); underweighted (one feature has part of its weight). The report has their strengths."

// novelty says what is believed to be new, and no more.
const novelty = "We know of no earlier experiment that crosses planner and kind of error within one world of chance, none that gives the ratio of both planners' losses, and none that asks what calibrating an evaluation gains under either planner. That rests on a search of the literature, not on a systematic review. All else here has forerunners:"

// related is earlier work, each with what is different here.
var related = report.List{
	"Ballard (1983), The *-minimax search procedure for trees containing chance nodes, Artificial Intelligence 21: shows how to prune trees with chance nodes. It takes the evaluation as given; here the search is given and the evaluation changes.",
	"Hauk, Buro and Schaeffer (2004), Rediscovering *-minimax search; and *-minimax performance in backgammon, Computers and Games: make Star1 and Star2 work for backgammon, and find that with an evaluation as good as today's, good play there needs no deep search. Their evaluation is strong throughout; here its quality is what varies.",
	"Doerr and Lorenz (2006), Error propagation in game trees, Mathematical Methods of Operations Research 64: prove how errors at the leaves of a tree reach its root, random nodes included. Here errors of other kinds than random ones are measured, in real games.",
	"Luštrek, Gams and Bratko (2006), Is real-valued minimax pathological?, Artificial Intelligence 170: show in model trees with real values that looking deeper mostly cures random errors. Here there are chance nodes, a second planner, and errors of scale.",
	"Nau, Luštrek, Parker, Bratko and Gams (2010), When is it better not to look ahead?, Artificial Intelligence 174: find in model trees, chess endgames, kalah and the 8-puzzle that looking ahead harms where values are coarse, branching is high and neighbours are unlike. Here the likeness of neighbours is one of the kinds of error, and chance is added.",
	"Lanctot, Saffidine, Veness, Archibald and Winands (2013), Monte Carlo *-minimax search, IJCAI: join sparse sampling of chance nodes with pruning, and say of exact searches that their play hangs on the evaluation, since they look ahead but little. The search varies there, the evaluation here.",
	"Takeuchi, Kaneko, Yamaguchi and Kawai (2007), Visualization and adjustment of evaluation functions based on evaluation values and win probability, AAAI: plot how often positions of one value were won, and mend weights until the curves of all kinds of positions agree. Here the one curve is mended and no weight, and both planners play with the result.",
}
