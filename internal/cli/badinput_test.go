package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/cli"
	"plyfit/internal/vectors"
)

var run, must = cli.Try, cli.Must

// tree lists the files in the working directory, with their modification times.
func tree(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		b.WriteString(path)
		if !e.IsDir() {
			b.WriteString(" " + info.ModTime().String())
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// changed returns the lines that occur in only one of the two lists of files.
func changed(before, after string) string {
	var b strings.Builder
	for _, way := range [][2]string{{before, after}, {after, before}} {
		for _, line := range strings.Split(way[0], "\n") {
			if !strings.Contains(way[1], line+"\n") {
				b.WriteString("\n  " + line)
			}
		}
	}
	return b.String()
}

const leastModel = `{"format": "plyfit-model/1", "game": "2048", "features": "2048/basic", "link": "identity", "bias": 0,
 "terms": [{"name": "score", "weight": 1}, {"name": "empty", "weight": 1}]}`

// badFiles fills the working directory with files that are invalid, either in themselves or for
// their use below.
func badFiles(t *testing.T) {
	t.Helper()
	must(t, "selfplay", "tictactoe", "-o", "data", "--games", "40", "--games-per-shard", "16", "--agent", "random", "--quiet")
	write := func(name, text string) {
		vectors.Check(os.WriteFile(name, []byte(text), 0o644))
	}
	write("ok.json", leastModel)
	write("racing", "XGID=-BBBC-----------------cbb-:0:0:1:00:0:0:0:0:10\n")
	write("nan.json", strings.Replace(leastModel, `"weight": 1}]`, `"weight": NaN}]`, 1))
	write("huge.json", strings.Replace(leastModel, `"weight": 1}]`, `"weight": 1e999}]`, 1))
	write("term.json", strings.Replace(leastModel, `"empty"`, `"emtpy"`, 1))
	write("twice.json", strings.Replace(leastModel, `"empty"`, `"score"`, 1))
	write("cut.json", leastModel[:100])
	write("set.json", strings.Replace(leastModel, "2048/basic", "2048/bassic", 1))
	write("format.json", strings.Replace(leastModel, "model/1", "model/9", 1))
	write("positions", "start\n9\n")
	write("one.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n")
	write("illegal.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf4 1-0\n")
	write("nothing", "")
	write("bad.csv", "stones,label\n1,x\n")
	write("own.csv", "stones,result\n1,1\n")
	for _, dir := range []string{"empty", "broken", "half", "folder.csv"} {
		vectors.Check(os.Mkdir(dir, 0o755))
	}
	write("half/dataset.json", `{"format": "plyfit-dataset/1", "game": "tictactoe"`)
	vectors.Check(os.CopyFS("broken", os.DirFS("data")))
	vectors.Check(os.Truncate("broken/shard-00001.parquet", 200))
}

// TestBadInput checks that bad input leads to exit code 2 and a one-line description of the fault,
// and that no file is written.
func TestBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	badFiles(t)
	before := tree(t)
	for _, c := range []struct {
		args string // arguments, split at spaces outside '...'
		want string // substring of standard error
	}{
		// Commands and flags.
		{"nonsense", `unknown command "nonsense" for plyfit; see plyfit --help`},
		{"leran tictactoe", `unknown command "leran" for plyfit; did you mean "learn"?`},
		{"tourney", `unknown command "tourney" for plyfit; did you mean "tournament"?`},
		{"tourney --help", `unknown command "tourney" for plyfit; did you mean "tournament"?`},
		{"model shwo --help", `unknown command "shwo" for plyfit model; did you mean "show"?`},
		{"-h model shwo", `unknown command "shwo" for plyfit model; did you mean "show"?`},
		{"-h nonsense", `unknown command "nonsense" for plyfit`},
		{"games connect5", `unknown game "connect5": want one of`},
		{"games connect4 chess", "2 arguments given, want [GAME]"},
		{"grade tree-minimax", `did you mean "trees-minimax"?`},
		{"search tree '(max 1 2)'", "search: 2 arguments given, want GAME; to pass a position, use plyfit search tree --position '(max 1 2)'"},
		{"eval connect4 44 53", "plyfit eval connect4 --position '44 53'"},
		{"match connect4 alphabeta depth=4", "match: unexpected argument depth=4; want alphabeta:depth=4"},
		{"match connect4 alphabeta:eval=zero depth=4 random", "match: unexpected argument depth=4; want alphabeta:eval=zero,depth=4"},
		{"tournament connect4 columns=5 random greedy", "tournament: unexpected argument columns=5; want connect4:columns=5"},
		{"exploit kuhn softmax eval=zero", "want softmax:eval=zero"},
		{"serve --port 8700", "unknown flag: --port; use --listen ADDRESS:PORT, such as --listen 127.0.0.1:8700"},
		{"grade", "0 arguments given, want ASSIGNMENT [SUBMISSION]"},
		{"grade trees-minimax missing.py", "missing.py: no such file"},
		{"grade trees-minimax missing.py --class data", "missing.py and --class data: use only one of the two"},
		{"grade trees-minimax --class missing", "missing: no such file"},
		{"grade trees-minimax cut.json --workers 0", "--workers 0: want a whole number of at least 1"},
		{"model shwo", `unknown command "shwo" for plyfit model; did you mean "show"?`},
		{"completion bsh", `unknown command "bsh" for plyfit completion; did you mean "bash"?`},
		{"completion bash connect4", "1 argument given, want none"},
		{"study confirm missing.json", "missing.json: want a protocol file: no such file"},
		{"exploit kuhn strategy:file=missing.json", "file=missing.json: want a strategy file: no such file"},
		{"opponent chess one.pgn", "want --out"},
		{"opponent chess missing.pgn -o new.json", "missing.pgn: no such file"},
		{"opponent chess missing -o new.json", "missing: no such file"},
		{"opponent chess nothing -o new.json", "nothing: want a file name that ends in"},
		{"opponent chess one.pgn -o new.json", "games or events with moves: 1; want at least 5"},
		{"opponent chess one.pgn ./one.pgn -o new.json", "one.pgn: the same path was given for two files"},
		{"opponent chess one.pgn -o one.pgn", "one.pgn: want a name that ends in .json"},
		{"opponent chess one.pgn -o new.json --split event", "games or events with moves: 0; want at least 5"},
		{"opponent chess one.pgn -o new.json --split round", "--split round: want game or event"},
		{"opponent chess one.pgn -o new.json --eval zero", "eval=zero has no weights"},
		{"opponent chess illegal.pgn -o new.json", "illegal.pgn:1: want legal moves; at ply 2"},
		{"opponent othello one.pgn -o new.json", "one.pgn: pgn files contain chess games, not games of othello"},
		{"opponent connect4 data -o new.json", "data: is a data set for tictactoe; want a data set for connect4"},
		{"opponent kuhn data -o new.json", "kuhn: want a two-player constant-sum game without hidden information"},
		{"exploit kuhn strategy:file=cut.json", "cut.json: want a strategy as JSON"},
		{"dataset import chess data -o new --format epd", "open data: is a folder; want a file or a pipe"},
		{"fit data -o new.xyz", "new.xyz: want a name that ends in .json"},
		{"train connect4 -o new", "new: want a name that ends in .json"},
		{"model copy ok.json -o new.weights", "new.weights: want a name that ends in .json"},
		{"fit own.csv -o new.csv", `own.csv:1: no column "label": the columns are stones, result; use --label-column to name the label column`},
		{"eval tictactoe --model own.csv", `own.csv:1:1: want a model in JSON, such as the output of plyfit fit DATA -o FILE.json, found "stones,result"`},
		{"fit folder.csv -o new.json", "open folder.csv: is a folder; want a file or a pipe"},
		{"model show data", "data: want a model file: is a folder; want a regular file"},
		{"match tictactoe random random --openings @data", "open data: is a folder; want a regular file"},
		{"fit cut.json -o new.json", "cut.json: not a data set; want a folder that contains dataset.json"},
		{"diagnose handwritten", "game"},
		{"diagnose nothing.json --game pig", "nothing.json"},
		{"diagnose zero --game kuhn", "diagnose"},
		{"diagnose zero --game 2048+adversary", "want the world with chance"},
		{"diagnose zero --game pig:players=3", "pig:players=3: want a single-player game, or a two-player constant-sum game"},
		{"exploit", "0 arguments given, want GAME [AGENT]"},
		{"exploit kuhn random random", "3 arguments given, want GAME [AGENT]"},
		{"agents random greedy", "2 arguments given, want [KIND]"},
		{"learn tictactoe --seed", "--seed needs a value (seed for random numbers); see plyfit learn --help"},
		{"learn tictactoe --seed -3", "--seed -3: want a whole number of at least 0; see plyfit learn --help"},
		{"learn tictactoe --quiet=maybe", "--quiet maybe: want true or false; see plyfit learn --help"},
		{"learn tictactoe -Z", "unknown flag: -Z; see plyfit learn --help"},
		{"play tictactoe --as x", "--as x: want a whole number; see plyfit play --help"},
		{"selfplay tictactoe --games 0", "--games 0: want a whole number of at least 1; see plyfit selfplay --help"},
		{"help watch", "plyfit: watch was removed; use plyfit serve"},
		{"help nonsense", `plyfit: help: "nonsense" is not a command; see plyfit --help`},
		{"help model nonsense", `"model nonsense" is not a command; see plyfit model --help`},
		{"perft connect4", `want --depth: `},
		{"perft connect4 --depth x", "--help"},
		{"perft connect4 tictactoe --depth 1", "want GAME"},
		{"train tictactoe -o m.json --replicas 2", "--replicas was removed; use "},
		{"train tictactoe -o m.json --round-games 2", "--round-games was removed; use "},
		{"perft connect4 --dept 1", `unknown flag: --dept; did you mean "--depth"?`},
		{"selfplay connect4", `want --out: `},
		{"selfplay tictactoe -o many --games 99999999999 --agent random --quiet", "want at most 1000000 shards"},
		{"selfplay tictactoe -o many --games 99999999999 --games-per-shard 99999999999 --agent random --quiet", "shards of 99999999999 episodes: want at most 1000000"},
		{"match tictactoe random random --workers 99999999999", "want a whole number from 1 to 1024"},
		{"train connect4 -o new.json --batch 99999999999", "from 1 to 4096"},
		{"train connect4 -o new.json --method evolution --population 99999999999", "from 4 to 1048576"},
		{"dataset nonsense", "nonsense"},
		{"model nonsense", "nonsense"},
		// Games.
		{"moves conect4", `unknown game "conect4": want one of`},
		{"moves connect4:diagonals=7", `unknown key "diagonals": want`},
		{"moves connect4:colums=7", `want columns, dice, rows, score; did you mean "columns"?`},
		{"moves connect4:score=distnace", `want one of win, distance; did you mean "distance"?`},
		{"moves connect4+advresary", `unknown wrapper +advresary: want +slip=P or +adversary; did you mean "adversary"?`},
		{"search connect4 --agent alphabeta:deptth=3", `unknown key "deptth": want assume, depth, eval, leaf, nodes, order, prune, quiescence, table, threads, ties, time; did you mean "depth"?`},
		{"moves 2048:size=9", "size=9: want a whole number from"},
		{"moves connect4+slip=0", "slip=0"},
		{"moves connect4+slip", "slip"},
		{"moves connect4+fog", "unknown wrapper +fog: want +slip=P or +adversary"},
		{"moves connect4+adversary+slip=0.1", "adversary"},
		{"learn chees -o new", `unknown game "chees"`},
		{"moves go:size=9", "game go was removed; use rules:cmd=(PROGRAM), where"},
		{"eval pig:players=3 --model learned", `unknown feature set "pig/tiles" for pig; want one of pig/race, `},
		// Positions.
		{"moves connect4 --position 8", "column 1: want"},
		{"eval connect4 --position 4444444", "position"},
		{"moves chess --position 'rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1'", "want one white king; found 0"},
		{"moves checkers --position 'W:W17-32:B1-12'", "column 4: want at most 12 pieces of each colour; this is piece 16"},
		{"moves othello --position '--------------------------OX------XO--------------------------- X'", "column 64: want 64 squares (X, O or -) and the side to move; found 63 squares"},
		{"moves backgammon --position XGID=-b----E-C---eE---c-e----B-:0:0:1:70:0:0:0:0:10", "column 39: want two dice from 1 to 6, or 00"},
		{"moves backgammon --position XGID=-b----E-C---eE---c-f----B-:0:0:1:52:0:0:0:0:10", "at most 15 checkers for player 1"},
		{"eval tictactoe --position 'XXXOO.... -'", "the game is over"},
		{"search 2048 --position '0012/0000' --agent random", "2048 position"},
		{"match connect4 random random --openings @racing --pairs 2", "--openings: racing, line 1: connect4 position"},
		{"match connect4 random random --openings @nothing --pairs 2", "no positions; want one position per line"},
		{"match connect4 random random --openings @missing --pairs 2", "missing: no such file"},
		{"match connect4 random random --openings -3 --pairs 2", "want a number of decisions"},
		// Agents.
		{"search connect4 --agent alfabeta", `unknown kind "alfabeta": want one of`},
		{"search connect4 --agent alphabeta:depht=3", `unknown key "depht": want`},
		{"search connect4 --agent alphabeta:depth=-3", "depth=-3: want"},
		{"search connect4 --agent alphabeta:table=big", "table=big: want off, or megabytes from 1 to 65536"},
		{"search connect4 --agent 'alphabeta:depth=(3'", "closing parenthesis"},
		{"search connect4 --agent 'mix(0.5*random)'", "sum to 0.5; want 1"},
		{"search connect4 --agent 'mix()'", "PROBABILITY*AGENT"},
		{"search connect4 --agent ''", "agent"},
		{"search pig:players=3 --agent alphabeta", "players"},
		{"selfplay connect4 -o new --agent alphabeta:time=10ms", "time limits and several threads"},
		{"selfplay connect4 -o new --agent random --agent random --agent random", "agents"},
		{"match connect4 random random --pairs 0", "--pairs 0: want a whole number of at least 1"},
		{"match connect4 random random --sprt 5", "LOW,HIGH"},
		{"match connect4 random random --sprt 5,0", "want the first bound below the second"},
		{"match connect4 random random --sprt 0,5 --sprt-scale furlongs", "want normalised or logistic"},
		{"match connect4 random random --sprt 0,5 --sprt-errors 0.05", "ALPHA,BETA"},
		{"match connect4 random random --sprt 0,5 --sprt-errors 0,1", "above 0 and below 0.5"},
		{"match othello random random --sprt 0,5 --sprt-scale logistic", "want measure wins"},
		{"match connect4 random random --adjudicate moves=3", "never ends a game"},
		{"match connect4 random random --adjudicate win=2", "win=2"},
		{"match connect4 random random --adjudicate soon", "--adjudicate soon"},
		{"match 2048 random random --adjudicate win=0.5", "want measure wins"},
		{"match connect4 random random --move-time -5ms", "want times of at least 0"},
		{"match connect4 random random --move-time 1s --margin 0s", "--margin 0s: want a time above 0"},
		{"match connect4 random random -o new.jsonl --records ./new.jsonl", "give each file its own name"},
		{"match connect4 random random --records games.pgn", "use .jsonl"},
		{"match connect4 random random --records missing/games.txt", "missing"},
		{"tournament backgammon random greedy expectimax:depth=1 --pairs 1 --records g.mat", "g.mat: mat: the format supports only two players"},
		{"match backgammon random greedy --pairs 1 --openings @racing --records g.mat", "g.mat: mat: the game does not begin with the initial position"},
		{"tournament connect4 random", "plyfit: tournament: 2 arguments given, want GAME A B [C...]"},
		{"tournament connect4 random random", "entered twice"},
		{"tournament connect4 random nonsense", "unknown kind"},
		{"tournament connect4 random greedy --records games.mat", "use .jsonl"},
		{"match connect4 random random --measure luck", "luck"},
		// Numbers.
		{"selfplay connect4 -o new --explore 2", "explore"},
		{"selfplay connect4 -o new --openings -2", "openings"},
		{"selfplay connect4 -o new --games-per-shard -2", "games-per-shard"},
		{"selfplay connect4 -o new --workers -1", "workers"},
		{"learn connect4 -o new --features connect4/none", "unknown feature set"},
		// Models.
		{"search 2048 --agent expectimax:eval=missing.json", "missing.json: no such file"},
		{"search 2048 --agent expectimax:eval=nan.json", "nan.json"},
		{"search 2048 --agent expectimax:eval=huge.json", "huge.json"},
		{"search 2048 --agent expectimax:eval=term.json", `emtpy`},
		{"search 2048 --agent expectimax:eval=twice.json", "twice.json"},
		{"search 2048 --agent expectimax:eval=cut.json", "cut.json"},
		{"search 2048 --agent expectimax:eval=set.json", "unknown feature set"},
		{"search 2048 --agent expectimax:eval=format.json", "plyfit-model/1"},
		{"search 2048 --agent expectimax:eval=data", "data"},
		{"search connect4 --agent alphabeta:eval=ok.json", `made for the game "2048"; want a model for "connect4"`},
		{"eval connect4 --model ok.json", `made for the game "2048"; want a model for "connect4"`},
		{"model show missing.json", "missing.json: want a model file: no such file"},
		{"model show connect4/lerned", "want a model file or a shipped model (GAME/handwritten, GAME/learned or GAME/NAME)"},
		{"match connect4 lerned random", "or an evaluation: handwritten, learned, best, zero or a model file"},
		{"match connect4 alphabeta:depht=3 random", "threads, ties"},
		{"model diff ok.json cut.json", "cut.json"},
		{"model export ok.json --format xml", `want json, csv, go, c, py or js`},
		{"model export 2048/tables --format py", "want -o FILE"},
		{"model export term.json --format go -o new.go", "emtpy"},
		// Data sets.
		{"dataset info missing", "missing"},
		{"dataset info empty", "empty"},
		{"dataset info half", "half"},
		{"dataset verify broken", "broken/shard-00001.parquet: the file is truncated or damaged"},
		{"dataset info broken", "broken/shard-00001.parquet: the file is truncated or damaged"},
		{"dataset relabel broken -o new --agent alphabeta:depth=1,eval=zero", "broken/shard-00001.parquet: the file is truncated or damaged"},
		{"dataset relabel data -o new --agent nonsense", "unknown kind"},
		{"fit empty -o new.json", "empty"},
		{"fit nothing -o new.json", "nothing"},
		{"fit broken -o new.json", "broken/shard-00001.parquet: the file is truncated or damaged"},
		{"fit data -o new.json --method guess", `method "guess": want ridge, elastic, logistic, newton, lbfgs or lstd`},
		{"fit data -o new.json --label luck", "luck"},
		{"fit data -o new.json --label mix:2", "mix:2"},
		{"fit data -o new.json --label search", "data"}, // records of random have no values
		{"fit data -o new.json --penalty -1", "penalty"},
		{"fit data -o new.json --lambda 2 --method lstd", "lambda"},
		{"fit data -o new.json --freeze luck=1", `"luck"`},
		{"fit data -o new.json --freeze luck", "want TERM=WEIGHT"},
		{"fit data -o new.json --leaves both", "want decision or afterstate"},
		{"fit data -o new.json --prior ok.json", `made for the game "2048"`},
		{"fit data -o new.json --features tictactoe/none", "unknown feature set"},
		// Learning while playing.
		{"train connect4", `want --out: `},
		{"train connect4 -o missing/new.json", "missing"},
		{"train connect4 -o new.json --method guess", `method "guess": want`},
		{"train connect4 -o new.json --alpha 0", "--alpha 0: want a number above 0"},
		{"train connect4 -o new.json --lambda 1.5", "--lambda 1.5: want a number from 0 to 1"},
		{"train connect4 -o new.json --epsilon -1", "--epsilon -1: want a number from 0 to 1"},
		{"train connect4 -o new.json --average 2", "--average 2: want a number from 0 to 1"},
		{"train connect4 -o new.json --label luck", `--label luck: want outcome, wins`},
		{"train connect4 -o new.json --link probit", `--link probit: want identity, tanh or logistic`},
		{"train connect4 -o new.json --scale 0", "--scale 0: want a number above 0"},
		{"train connect4 -o new.json --link identity --label wins", "want a model with link logistic or tanh"},
		{"train connect4 -o new.json --leaves decision", "td learns afterstates"},
		{"train connect4 -o new.json --freeze luck=1", `"luck"`},
		{"train connect4 -o new.json --init missing.json", "missing.json: no such file"},
		{"train connect4 -o new.json --init ok.json", `made for the game "2048"; want a model for "connect4"`},
		{"train connect4 -o new.json --optimism 1", "optimism=1: want pattern tables"},
		{"train connect4 -o new.json --features tuples --init random --optimism 1", "optimism=1, init=random: want init zero"},
		{"train connect4 -o new.json --alpha x", "--alpha x: want a number above 0;"},
		{"train connect4 -o new.json --method treestrap --agent random", "agent random: want a search with node values"},
		{"train connect4 -o new.json --method treestrap --agent alphabeta:time=1s", "time limits and threads"},
		{"train connect4 -o new.json --method treestrap --agent alphabeta:depth=0", "depth"},
		{"train connect4 -o new.json --method treestrap --decay -1", "--decay -1: want"},
		{"train connect4 -o new.json --method treestrap --loss absolute", "--loss absolute: want logistic or squared"},
		{"train connect4 -o new.json --method treestrap --root 0", "--root 0: want a number above 0"},
		{"train connect4 -o new.json --method rootstrap --root 2", "--root: applies only to method treestrap, not to rootstrap"},
		{"train connect4 -o new.json --method treestrap --label wins", "--label: applies only to method td, evolution, not to treestrap"},
		{"train connect4 -o new.json --method treestrap --bounded", "--bounded: applies only to method td, not to treestrap"},
		{"train connect4 -o new.json --method evolution --lambda 0.5", "--lambda: applies only to method td, tdleaf, rootstrap, treestrap, not to evolution"},
		{"train connect4 -o new.json --method evolution --tc", "--tc: applies only to method td, tdleaf, rootstrap, treestrap, not to evolution"},
		{"train connect4 -o new.json --method evolution --decay 9", "--decay: applies only to method td, tdleaf, rootstrap, treestrap, not to evolution"},
		{"train connect4 -o new.json --method evolution --alpha 0", "--alpha 0: want a number above 0"},
		{"train connect4 -o new.json --method evolution --population 3", `--population 3: want a whole number from 4 to 1048576`},
		{"train connect4 -o new.json --method evolution --batch 5", "batch=5: want an even number"},
		{"train connect4 -o new.json --method evolution --agent mcts", "agent mcts: want a search with node values"},
		{"train connect4 -o new.json --population 20", "--population: applies only to method evolution, not to td"},
		{"train othello -o new.json --method evolution --features othello/patterns", "at most 100000 weights and no tables"},
		{"train connect4 -o new.json --method treestrap --leaves afterstate", "connect4 has no chance moves"},
		{"train pig -o new.json --method tdleaf", "with chance nodes"},
		{"train pig:players=3 -o new.json --method treestrap", "want at most 2"},
		{"train connect4 -o new.json --against nonsense", "unknown kind"},
		{"train connect4 -o new.json --planner nonsense", "unknown kind"},
		{"train connect4 -o new.json --measure luck", "want wins or utility"},
		{"train 2048 -o new.json --link tanh --features 2048/basic --against random --games 10 --measure wins", "want measure utility"},
		{"train 2048+adversary -o new.json", "without an adversary"},
		{"train tictactoe -o new.json --run nothing/new", "nothing"},
		// Tables.
		{"fit bad.csv -o new.json --freeze stones=1/2/3", "--freeze stones=1/2/3: want COLUMN, COLUMN=WEIGHT or COLUMN=MG/EG"},
		{"fit bad.csv -o new.json --prior-width -3", "--prior-width -3: want auto, none or a number above 0"},
		{"fit bad.csv -o new.json --rows-per-game -1", "--rows-per-game -1: want a whole number of at least 0"},
		{"fit bad.csv -o new.json --penalty much", "--penalty much: want a number of at least 0, or auto"},
		{"fit data -o new.json --prior-width 3", "--prior-width: applies only to tables without a game"},
		{"fit bad.csv -o new.json", "bad.csv:2: column 2, label: want a label from 0 to 1"},
		{"fit bad.csv -o new.json --game tictactoe", `bad.csv:2: column 2, label: want a finite number, found "x"`},
		{"fit bad.csv -o new.json --game chees", "unknown game"},
		{"fit missing.tsv -o new.json --game tictactoe", "missing.tsv"},
		{"dataset export data -o new.txt", "want a name that ends in .csv or .epd"},
		{"dataset export broken -o new.csv", "broken/shard-00001.parquet: the file is truncated or damaged"},
		{"dataset export data -o new.csv --features connect4/lines", "unknown feature set"},
		// Output paths.
		{"fit data -o missing/new.json", "missing"},
		{"fit data -o empty", "empty"},
		{"fit data -o nothing/new.json", "nothing"},
		{"selfplay connect4 -o nothing --games 2 --agent random", "nothing"},
		{"selfplay connect4 -o half --games 2 --agent random", "half"},
		{"selfplay connect4 -o data --games 40 --games-per-shard 16 --agent random", "contains a different data set"},
		{"selfplay tictactoe -o data --games 40 --games-per-shard 16 --agent random --seed 2", "contains a different data set"},
		{"selfplay tictactoe -o data --games 20 --games-per-shard 16 --agent random", "40 episodes"},
		{"learn tictactoe -o data", "no config.json"},
		{"learn tictactoe -o nothing/new", "nothing"},
		{"match connect4 random random --pairs 2 -o empty", "empty"},
		{"match connect4 random random --pairs 2 -o ok.json", "ok.json"},
		{"model export ok.json --format go -o missing/new.go", "missing"},
		// Studies and diagnoses.
		{"study nonsense --quiet -o new", "unknown experiment"},
		{"study all --depth 3 --quiet -o new", "one experiment"},
		{"study crossed --assume 0.3 --quiet -o new", "the flag --assume is not supported"},
		{"study crossed --warp square --quiet -o new", "warp"},
		{"study crossed --slip 2 --quiet -o new", "--slip 2"},
		{"study crossed --depth 0 --quiet -o new", "--depth 0"},
		{"study crossed --game connect4+slip=0.1 --quiet -o new", "without wrappers"},
		{"study crossed --game connect4:columns=5,rows=4,dice=on --slip 0.1 --quiet -o new", "already has chance moves; omit --slip"},
		{"study crossed --game connect4 --slip 0 --quiet -o new", "want slips above 0"},
		{"study crossed --game 2048 --quiet -o new", "want a two-player"},
		{"study crossed --error 0.99 --pairs 1 --quiet -o new", "--error"},
		{"study pacman --game connect4 --quiet -o new", "Pacman"},
		{"study exact --game othello:columns=3 --quiet -o new", "unknown key"},
		{"study truth --quiet -o new", "use plyfit study crossed or exact"},
		{"study warp --quiet -o new", "use plyfit study crossed or exact"},
		{"study caution --quiet -o new", "was removed; "},
		{"diagnose zero --game pig --budget 0.5", "a budget of 0.5 CPU seconds: want at least 1"},
		{"diagnose zero --game pig --budget NaN", "a budget of NaN CPU seconds: want at least 1"},
		// Flags of serve. Most of them would allow others to use the page.
		{"serve --token 123456789012345", "15 characters; want at least 16"},
		{"serve --token new", "3 characters; want at least 16"},
		{"serve --token '123456 789012345678'", "use letters, digits"},
		{"serve --token müssliriegel-müssli", "use letters, digits"},
		{"serve --listen 0.0.0.0:0 --token 1234567890123456;x=y", "use letters, digits"},
		{"serve --no-token --token 1234567890123456", "use only one of the two"},
		{"serve --no-token --listen 0.0.0.0:0", "use a token"},
		{"serve --no-token --listen [::]:0", "use a token"},
		{"serve --no-token --listen :0", "use a token"},
		{"serve --no-token --listen example.org:0", "use a token"},
		{"serve --listen 0.0.0.0", "want ADDRESS:PORT"},
		{"serve --stdio --no-token", "use --stdio without other flags"},
	} {
		t.Run(c.args, func(t *testing.T) {
			code, stdout, stderr := run("", cli.Words(c.args)...)
			if code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			if !strings.HasPrefix(stderr, "plyfit: ") || strings.HasPrefix(stderr, "plyfit: plyfit") || strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, "\n") {
				t.Errorf("standard error is not one line: %q", stderr)
			}
			if !strings.Contains(stderr, c.want) {
				t.Errorf("standard error %q, want %q in it", stderr, c.want)
			}
			if stdout != "" {
				t.Errorf("standard output %q", stdout)
			}
			if after := tree(t); after != before {
				t.Errorf("files changed:%s", changed(before, after))
				before = after
			}
		})
	}
}
