package spec

import (
	"fmt"
	"strings"
)

// instead lists features of earlier releases. Each entry is a command, agent kind or feature set,
// its removed flags, values, file extensions and experiments, and the replacement. Among the names,
// "" stands for the command itself.
var instead = []struct{ of, names, want string }{
	{"agent mcts:prior", "", "want mcts:exploration=C, the constant of UCT"},
	{"agent nboard", "", "want gtp:cmd=PROGRAM, which Edax speaks, too"},
	{"features 2048/8x6", "", "want 2048/4x6, four tables of six cells"},
	{"plyfit bench", "", "want go test -bench . ./search, in plyfit's source"},
	{"plyfit cluster permissions", "", "want one credential: anyone who holds it controls the hub"},
	{"plyfit dataset export", ".arff", "want .csv, which Weka reads, too"},
	{"plyfit dataset import", "--format bullet,--format marlinformat,.bullet,.marlinformat", "want text, .epd or .csv, which the trainer's own tools write"},
	{"plyfit diagnose", "--data", "want plyfit fit to fewer of the games, and plyfit match of the two models"},
	{"plyfit doctor", "", "want go test with gametest.Law and featuretest.Law, which check rules and features"},
	{"plyfit fit", "--method adagrad,--method qr,--patience,--rate,--weigh,.arff", "want --method lbfgs or ridge, --penalty auto or --steps N, and a .csv with a column weight"},
	{"plyfit hub", "--metrics", "want plyfit cluster status --json"},
	{"plyfit hub", "--worker-nkey,--worker-token-file", "want --nkey or --token-file: one credential opens the hub"},
	{"plyfit learn", "--register", "want cp RUN/model.json learned/GAME.json, with the .weights beside it"},
	{"plyfit match", "--plot", "want --json: its trace holds the running estimate, and its interval, for any plotter"},
	{"plyfit model", "set", "want the file edited, a term a line, or eval=(MODEL,TERM=WEIGHT) for an agent"},
	{"plyfit model export", "--format onnx,.onnx", "want .json: the value is link(bias + sum of weight*x), one linear layer in any framework"},
	{"plyfit nboard", "", "want plyfit gtp othello"},
	{"plyfit play", "--model", "want plyfit eval GAME --position P --model MODEL, or plyfit serve"},
	{"plyfit study", "calibration,caution,depth,effort,linearity,training,truth,warp", "want plyfit study crossed or exact, plyfit diagnose, or docs/results/study.md, which has its figures"},
	{"plyfit study confirm", "--dry-run,--permute", "want the run, which the same command resumes, and --rows FILE for its table"},
	{"plyfit train", "--coherence,--epsilon-fade,--jitter,--method policy,--noise,--offline,--optimism,--replicas,--restart,--round-games,--step,--sharp", "want --method td or evolution with --tc, --epsilon, --init FILE, --batch N, --threads N and --games N"},
	{"plyfit uci", "bench,genfens", "want plyfit search GAME --json, or plyfit book, which writes openings"},
	{"plyfit watch", "", "want plyfit serve, whose page plays and watches games, or match --records FILE"},
	{"plyfit", "dataset merge,dataset relabel --slice,match --slice,match merge,selfplay --slice,study --slice,study merge,tournament --slice",
		"want plyfit hub on one machine, plyfit worker on the others, and the command with --cluster (by the program of the folder cluster: docs/cluster.md)"},
}

// Gone returns an error with the replacement for a removed feature, or nil if the named feature was
// not removed. If a command or an agent kind was removed, so were its flags or keys.
func Gone(words ...string) error {
	for name := strings.Join(words, " "); name != ""; name = name[:max(strings.LastIndexAny(name, " :"), 0)] {
		for _, line := range instead {
			for one := range strings.SplitSeq(line.names, ",") {
				if name == strings.TrimSuffix(line.of+" "+one, " ") {
					return fmt.Errorf("%s is gone: %s", strings.TrimPrefix(name, "agent "), line.want)
				}
			}
		}
	}
	return nil
}
