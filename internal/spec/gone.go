package spec

import (
	"fmt"
	"strings"
)

// instead lists features of earlier releases. Each entry is a command, agent kind, feature set or
// game, its removed flags, values, file extensions and experiments, and the replacement. Among the
// names, "" stands for the command itself.
var instead = []struct{ of, names, want string }{
	{"agent mcts:prior", "", "use mcts:exploration=C, where C is the UCT constant"},
	{"agent nboard", "", "use gtp:cmd=PROGRAM, which Edax also supports"},
	{"features 2048/8x6", "", "use 2048/4x6, which has four six-cell tables"},
	{"game go", "", "use rules:cmd=(PROGRAM), where the program contains the rules (docs/rules.md)"},
	{"plyfit bench", "", "run go test -bench . ./search in plyfit's source"},
	{"plyfit book", "", "use plyfit match --openings @FILE, where the file has one position per line"},
	{"plyfit cluster permissions", "", "use a single credential; everyone with this credential controls the hub"},
	{"plyfit dataset export", ".arff", "use .csv, which Weka also reads"},
	{"plyfit dataset import", "--format bullet,--format marlinformat,.bullet,.marlinformat", "use text, .epd or .csv, which the trainer's own tools write"},
	{"plyfit diagnose", "--data", "run plyfit fit on part of the games, and compare the two models with plyfit match"},
	{"plyfit doctor", "", "run go test with gametest.Law and featuretest.Law, which check rules and features"},
	{"plyfit fit", "--method adagrad,--method qr,--patience,--rate,--weigh,.arff", "use --method lbfgs or ridge, --penalty auto or --steps N, and a .csv with a column weight"},
	{"plyfit hub", "--metrics", "use plyfit cluster status --json"},
	{"plyfit hub", "--worker-nkey,--worker-token-file", "use --nkey or --token-file, which gives full access to the hub"},
	{"plyfit learn", "--register", "run cp RUN/model.json learned/GAME.json, and copy the .weights file to the same folder"},
	{"plyfit match", "--plot", "use --json; its trace contains the running estimate and its interval for any plotting program"},
	{"plyfit model mean", "", "use the model that is best in plyfit match; the mean of three runs was no better (docs/results/history.md)"},
	{"plyfit model", "set", "edit the file, which has one term per line, or use eval=(MODEL,TERM=WEIGHT) in an agent"},
	{"plyfit model export", "--format onnx,.onnx", "use .json; the value is link(bias + sum of weight*x), which is one linear layer in any framework"},
	{"plyfit nboard", "", "use plyfit gtp othello"},
	{"plyfit new-game", "", "write the rules in any language (docs/rules.md), or begin from docs/tutorial/nim in Go"},
	{"plyfit play", "--model", "use plyfit eval GAME --position P --model MODEL, or plyfit serve"},
	{"plyfit study", "calibration,caution,depth,effort,linearity,training,truth,warp", "use plyfit study crossed or exact, plyfit diagnose, or the figures in docs/results/study.md"},
	{"plyfit study confirm", "--dry-run,--permute", "run the same command again to resume, or use --rows FILE to decide from a table"},
	{"plyfit train", "--jitter,--method policy,--noise,--offline,--replicas,--restart,--round-games,--step,--sharp", "use --method td or evolution with --tc, --epsilon, --init FILE, --batch N, --threads N and --games N"},
	{"plyfit uci", "bench,genfens", "use plyfit search GAME --json"},
	{"plyfit watch", "", "use plyfit serve to play and watch games in a browser, or match --records FILE"},
	{"plyfit", "dataset merge,dataset relabel --slice,match --slice,match merge,selfplay --slice,study --slice,study merge,tournament --slice",
		"run plyfit hub on one machine, plyfit worker on the others, and the command with --cluster (docs/cluster.md describes the program in the folder cluster)"},
}

// Gone returns an error that names the replacement for a removed feature, or nil if the named
// feature was not removed. If a command or an agent kind was removed, so were its flags or keys.
func Gone(words ...string) error {
	for name := strings.Join(words, " "); name != ""; name = name[:max(strings.LastIndexAny(name, " :"), 0)] {
		for _, line := range instead {
			for one := range strings.SplitSeq(line.names, ",") {
				if name == strings.TrimSuffix(line.of+" "+one, " ") {
					return fmt.Errorf("%s was removed; %s", strings.TrimPrefix(name, "agent "), line.want)
				}
			}
		}
	}
	return nil
}
