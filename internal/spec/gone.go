package spec

import (
	"fmt"
	"strings"
)

const oneHub = "plyfit hub on one machine, plyfit worker on the others, and the command with --cluster (by the program of the folder cluster: docs/cluster.md)"

// instead maps what earlier releases had to what to use now. A key is a command, a command with a
// flag, a flag's value or a file extension, an experiment, an agent's kind with or without a key,
// or a feature set.
var instead = map[string]string{
	"agent mcts:prior":                            "want mcts:exploration=C, the constant of UCT",
	"agent nboard":                                "want gtp:cmd=PROGRAM, which Edax speaks, too",
	"features 2048/8x6":                           "want 2048/4x6, four tables of six cells",
	"plyfit bench --vectors":                      "want go test -bench SolveConnect4 ./search, which solves the same sets",
	"plyfit bench":                                "want go test -bench . ./search, in plyfit's source",
	"plyfit cluster permissions":                  "want one credential: anyone who holds it controls the hub",
	"plyfit dataset export .arff":                 "want .csv, which Weka reads, too",
	"plyfit dataset import --format bullet":       "want text, .epd or .csv, which the trainer's own tools write",
	"plyfit dataset import --format marlinformat": "want text, .epd or .csv, which the trainer's own tools write",
	"plyfit dataset import .bullet":               "want text, .epd or .csv, which the trainer's own tools write",
	"plyfit dataset import .marlinformat":         "want text, .epd or .csv, which the trainer's own tools write",
	"plyfit dataset merge":                        "want " + oneHub,
	"plyfit dataset relabel --slice":              "want " + oneHub,
	"plyfit diagnose --data":                      "want plyfit fit to fewer of the games, and plyfit match of the two models",
	"plyfit doctor":                               "want go test with gametest.Law and featuretest.Law, which check rules and features",
	"plyfit fit --method adagrad":                 "want --method lbfgs --steps 5",
	"plyfit fit --method qr":                      "want --method ridge, with --penalty 1e-6 where features nearly repeat each other",
	"plyfit fit --patience":                       "want --penalty auto, which guards against overfitting, or --steps N",
	"plyfit fit --rate":                           "want --method lbfgs, which chooses the length of its steps",
	"plyfit fit --weigh":                          "want plyfit dataset export and a column weight in the table, which fit reads",
	"plyfit fit .arff":                            "want .csv, which Weka writes, too",
	"plyfit hub --metrics":                        "want plyfit cluster status --json",
	"plyfit hub --worker-nkey":                    "want --nkey: one credential opens the hub",
	"plyfit hub --worker-token-file":              "want --token-file: one credential opens the hub",
	"plyfit learn --register":                     "want cp RUN/model.json learned/GAME.json, with the .weights beside it",
	"plyfit match --slice":                        "want " + oneHub,
	"plyfit match --plot":                         "want --json: its trace holds the running estimate, and its interval, for any plotter",
	"plyfit match merge":                          "want " + oneHub,
	"plyfit model export --format onnx":           "want .json: the value is link(bias + sum of weight*x), one linear layer in any framework",
	"plyfit model export .onnx":                   "want .json: the value is link(bias + sum of weight*x), one linear layer in any framework",
	"plyfit model set":                            "want the file edited, a term a line, or eval=(MODEL,TERM=WEIGHT) for an agent",
	"plyfit nboard":                               "want plyfit gtp othello",
	"plyfit play --model":                         "want plyfit eval GAME --position P --model MODEL, or plyfit serve",
	"plyfit selfplay --slice":                     "want " + oneHub,
	"plyfit study calibration":                    "want plyfit diagnose, or plyfit study confirm study/protocols/2026-12.json",
	"plyfit study caution":                        "want docs/results/study.md, which has its figures",
	"plyfit study depth":                          "want plyfit study crossed with several --depth, or plyfit diagnose",
	"plyfit study effort":                         "want plyfit match GAME expectimax:nodes=1000 alphabeta:nodes=1000,assume=base",
	"plyfit study linearity":                      "want plyfit fit with --report, which compares a sum with bagged trees",
	"plyfit study training":                       "want docs/results/study.md, which says why its slopes were withdrawn",
	"plyfit study truth":                          "want plyfit study exact on the same board with --warp or --eval, or plyfit diagnose",
	"plyfit study warp":                           "want plyfit study crossed with --warp",
	"plyfit study --slice":                        "want " + oneHub,
	"plyfit study confirm --dry-run":              "want the run, whose progress says the time left; the same command goes on with it",
	"plyfit study confirm --permute":              "want --rows FILE and the table of batches, which any program can permute",
	"plyfit study merge":                          "want " + oneHub,
	"plyfit tournament --slice":                   "want " + oneHub,
	"plyfit train --coherence":                    "want --tc alone, which cuts steps by the coherence itself",
	"plyfit train --epsilon-fade":                 "want two runs, the second with --init FILE and a smaller --epsilon",
	"plyfit train --jitter":                       "want --method td, or --method evolution",
	"plyfit train --method policy":                "want --method td, or --method evolution",
	"plyfit train --noise":                        "want --init random, whose weights have a standard deviation of 0.01, or --init FILE",
	"plyfit train --offline":                      "want the default, which takes values afresh and learns faster",
	"plyfit train --optimism":                     "want --epsilon, the probability of a random move",
	"plyfit train --replicas":                     "want --batch N, games played at once by the same weights, or --threads N over pattern tables",
	"plyfit train --restart":                      "want more --games",
	"plyfit train --round-games":                  "want --batch N, games played at once by the same weights",
	"plyfit train --step":                         "want --tc, or neither: the default is Adam",
	"plyfit train --sharp":                        "want --method td, or --method evolution",
	"plyfit uci bench":                            "want plyfit search GAME --json, which prints nodes and seconds",
	"plyfit uci genfens":                          "want plyfit book, which writes openings",
	"plyfit watch":                                "want plyfit serve, whose page plays and watches games, or match --records FILE",
}

// Gone returns the line for the named thing; nil: it is not gone. A command's flags and a kind's
// keys are gone with it.
func Gone(words ...string) error {
	for name := strings.Join(words, " "); name != ""; name = name[:max(strings.LastIndexAny(name, " :"), 0)] {
		if want, ok := instead[name]; ok {
			return fmt.Errorf("%s is gone: %s", strings.TrimPrefix(name, "agent "), want)
		}
	}
	return nil
}
