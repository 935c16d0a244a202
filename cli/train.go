package cli

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/atomicfile"
	"plyfit/internal/failure"
	"plyfit/internal/progress"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// trainFlags are the flags of plyfit train.
type trainFlags struct {
	out, dir, method, set, init, link, label, leaves, curvePlanner, against, measure string
	games, openings, batch, curveEvery, curvePairs, curveOpenings, workers           int
	alpha, lambda, epsilon, scale, noise, average                                    float64
	tc, offline, onPolicy, asJSON, quiet                                             bool
	frozen                                                                           []string
	seed                                                                             uint64
	limit, checkpointEvery                                                           time.Duration
	searchingFlags
	policyFlags
}

// trainMethods make learners, by name.
var trainMethods = map[string]func(p *trainPlan) (online.Learner, error){
	"td":        trainTD,
	"policy":    trainPolicy,
	"tdleaf":    trainSearching(online.TDLeaf),
	"rootstrap": trainSearching(online.RootStrap),
	"treestrap": trainSearching(online.TreeStrap),
}

func (a *app) trainCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train GAME -o MODEL",
		Short: "Learning while playing: temporal differences, bootstrapping from searches",
		Long: `Learn an evaluation while playing: after each game (or batch of games) against
itself the weights move, and the next game is played with them.

td moves the value of each position after a move toward those of the positions
that followed and toward the outcome (lambda: 0 only the next one, 1 only the
outcome). The searching methods learn from what --agent finds as it plays:
tdleaf moves the leaf that the root's value comes from toward the values of the
searches that followed, rootstrap each root toward its search's value, treestrap
every searched position toward the value, or between the bounds, that it was
found to have. policy learns which moves to choose rather than what positions
are worth, against its earlier selves; it wants a model to begin with, as td
makes one, or a large number of games.

MODEL.train beside the model (or --run) holds the checkpoint, the log with the
learning curve, and a report. A run that was stopped, killed even, goes on from its
last checkpoint by the same command, and ends with the same weights.`,
		Example: `  plyfit train othello -o othello.json --features othello/2-tuples --games 80000 --lambda 0.7
  plyfit train 2048 -o 2048.json --features 2048/4x6 --games 100000
  plyfit train chess -o chess.json --method treestrap --init random --games 2000`,
		Args: exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.catalog.World(args[0])
			if err != nil {
				return err
			}
			return a.train(cmd, w, &f)
		},
	}
	f.add(cmd)
	f.searchingFlags.add(cmd)
	f.policyFlags.add(cmd)
	return cmd
}

func (f *trainFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "model file to write")
	cmd.MarkFlagRequired("out")
	flags.StringVar(&f.dir, "run", "", "the run's folder; without it MODEL.train beside the model")
	flags.StringVar(&f.method, "method", "td", strings.Join(slices.Sorted(maps.Keys(trainMethods)), ", "))
	flags.StringVar(&f.set, "features", "", "feature set; without it the game's default")
	flags.StringVar(&f.init, "init", "zero", "weights to begin with: zero, random or a model file")
	flags.Float64Var(&f.noise, "noise", 0.01, "of --init random: the weights' standard deviation")
	wholeFlag(cmd, &f.games, "games", "", 10000, 1, "games to learn from")
	flags.DurationVar(&f.limit, "time", 0, "of playing and learning, after which the run ends early; the result then depends on the machine")
	flags.Float64Var(&f.alpha, "alpha", 0.1, "step size: of td the share of its error that an update takes from a position; of the searching methods by --step, without it 0.02")
	flags.Float64Var(&f.lambda, "lambda", 0, "how far an outcome reaches back at once, 0 to 1")
	flags.BoolVar(&f.tc, "tc", false, "temporal coherence: a step size of its own for each weight")
	flags.Float64Var(&f.average, "average", 0.5, "share of the games, the last ones, over which the weights are averaged, 0 to 1; without it 0 for pattern tables")
	flags.Float64Var(&f.epsilon, "epsilon", 0, "probability of a random move; without it 0.1 in games without chance")
	wholeFlag(cmd, &f.openings, "openings", "", 0, 0, "at most so many random decisions at a game's beginning; without it the game's own choice")
	flags.StringVar(&f.link, "link", "", "identity, tanh or logistic; without it tanh in games of two whose utilities have bounds, else identity")
	flags.Float64Var(&f.scale, "scale", 1, "of the link")
	flags.StringVar(&f.label, "label", "outcome", "what is learned: outcome, wins (who wins in place of by how much), or wins:SHARE of that, the rest of the outcome")
	flags.StringVar(&f.leaves, "leaves", "", "which positions the model is to judge, decision or afterstate, where nature moves between; td learns afterstates")
	flags.StringArrayVar(&f.frozen, "freeze", nil, "TERM=WEIGHT: a term that keeps its weight; without it the game's own choice")
	wholeFlag(cmd, &f.batch, "batch", "", 1, 1, "games played with the same weights, as many as can be played at once; without it 1, of the searching methods 16")
	flags.BoolVar(&f.offline, "offline", false, "td: all values of a game by the weights that it was played with")
	flags.BoolVar(&f.onPolicy, "on-policy", false, "td: random moves teach like any others")
	flags.DurationVar(&f.checkpointEvery, "checkpoint-every", time.Minute, "least time between checkpoints")
	wholeFlag(cmd, &f.curveEvery, "curve-every", "", 0, 0, "games between points of the learning curve; 0: a tenth of the games")
	wholeFlag(cmd, &f.curvePairs, "curve-pairs", "", 100, 0, "pairs of games at each point, 0 for none")
	wholeFlag(cmd, &f.curveOpenings, "curve-openings", "", 0, 0, "random decisions at the beginning of a pair; without it none where there is chance, else 6 or --openings if that is more")
	flags.StringVar(&f.against, "against", "", "the learning curve's opponent; without it the planner with the hand-written evaluation, else random")
	flags.StringVar(&f.curvePlanner, "planner", "", "who plays by the learned evaluation for the curve; without it one decision ahead")
	flags.StringVar(&f.measure, "measure", "", "of the learning curve: wins or utility")
	flags.BoolVar(&f.asJSON, "json", false, "the report as one JSON object")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress")
	seedFlag(cmd, &f.seed)
	workersFlag(cmd, &f.workers)
}

func (a *app) train(cmd *cobra.Command, w *catalog.World, f *trainFlags) error {
	if err := atomicfile.Check(f.out); err != nil {
		return err
	}
	p, err := a.trainPlan(cmd, w, f)
	if err != nil {
		return err
	}
	make, ok := trainMethods[f.method]
	if !ok {
		return fmt.Errorf("method %q: want %s", f.method, strings.Join(slices.Sorted(maps.Keys(trainMethods)), ", "))
	}
	if err := f.unheeded(cmd, p); err != nil {
		return err
	}
	learner, err := make(p)
	if err != nil {
		return fmt.Errorf("train %s: %w", w.Spec, err)
	}
	curve, err := p.curve(a)
	if err != nil {
		return err
	}
	bar := progress.New(a.stderr, "games of "+w.Spec, int64(f.games), f.quiet)
	if f.dir == "" {
		f.dir = strings.TrimSuffix(f.out, filepath.Ext(f.out)) + ".train"
	}
	command := p.command(cmd)
	a.resumable = true
	r, err := online.Run(cmd.Context(), online.Config{
		Learner: learner, Game: w.Game, Goal: p.task.Goal != nil, Recipe: p.recipe, Episodes: f.games, Time: f.limit, Chunk: p.chunk,
		Dir: f.dir, CheckpointEvery: f.checkpointEvery, Curve: curve, Command: command,
		Progress: func(n int) { bar.Set(int64(n)) },
		Measured: func(point online.Point) {
			if f.quiet {
				return
			}
			table := online.CurveTable([]online.Point{point}, true)
			fmt.Fprintf(a.stderr, "%s\n", pointLine(table.Head, table.Rows[0]))
		},
	})
	bar.Finish()
	if err != nil {
		return runFailure(err)
	}
	if !f.quiet {
		fmt.Fprintf(a.stderr, "%d games in %.1f s, %.3g moves/s, weights of %.3g MB\n", r.Episodes, r.Seconds, r.Rate, float64(r.Bytes)/1e6)
	}
	m := *r.Model
	m.Provenance = &models.Provenance{
		Command: command, Episodes: r.Episodes, Label: f.label, Method: f.method, Seed: f.seed,
	}
	if r.Early {
		m.Provenance.Notes = append(m.Provenance.Notes, fmt.Sprintf("ended by its limit of time after %d games: the command with --games %d in place of --time makes it again", r.Episodes, r.Episodes))
	}
	if err := m.File().Save(f.out); err != nil {
		return runFailure(err)
	}
	if f.asJSON {
		return writeJSON(a.stdout, trainAnswer{w.Spec, p.set.Name(), f.method, f.seed, f.out, p.recipe, r})
	}
	if err := online.CurveTable(r.Points, false).Print(a.stdout); err != nil {
		return failure.Of(err)
	}
	_, err = fmt.Fprintf(a.stdout, "\n%s by %s: %d games, %d moves\nModel: %s\nReport: %s\n",
		w.Spec, f.method, r.Episodes, r.Tally.Moves, f.out, filepath.Join(f.dir, online.PageFile))
	return failure.Of(err)
}

// flagsOf are the flags of some methods alone.
var flagsOf = map[string][]string{
	"agent": {"tdleaf", "rootstrap", "treestrap"}, "step": {"tdleaf", "rootstrap", "treestrap"}, "loss": {"tdleaf", "rootstrap", "treestrap"},
	"root": {"treestrap"}, "sharp": {"policy"}, "jitter": {"policy"}, "offline": {"td"}, "on-policy": {"td"},
}

// unheeded names a flag that was given and would change nothing.
func (f *trainFlags) unheeded(cmd *cobra.Command, p *trainPlan) error {
	changed := cmd.Flags().Changed
	for _, flag := range slices.Sorted(maps.Keys(flagsOf)) {
		if changed(flag) && !slices.Contains(flagsOf[flag], f.method) {
			return fmt.Errorf("--%s: of method %s, not of %s", flag, strings.Join(flagsOf[flag], ", "), f.method)
		}
	}
	switch {
	case changed("noise") && f.init != "random":
		return fmt.Errorf("--noise %v: of --init random, not of %s", f.noise, f.init)
	case changed("scale") && p.task.Model.Link.Kind == models.Identity:
		return fmt.Errorf("--scale %v: link identity has no scale", f.scale)
	case changed("scale") && p.task.Model.Link.Scale != f.scale:
		return fmt.Errorf("--scale %v: the model to begin with has %v", f.scale, p.task.Model.Link.Scale)
	case f.limit < 0 || f.checkpointEvery < 0:
		return fmt.Errorf("--time %v --checkpoint-every %v: want no negative times", f.limit, f.checkpointEvery)
	}
	return nil
}

type trainAnswer struct {
	Game     string           `json:"game"`
	Features string           `json:"features"`
	Method   string           `json:"method"`
	Seed     uint64           `json:"seed"`
	Model    string           `json:"model"`
	Recipe   []online.Setting `json:"recipe"`
	*online.Report
}

// pointLine is a point of the curve as one line.
func pointLine(head, row []string) string {
	var parts []string
	for i, name := range head {
		if row[i] != "" {
			parts = append(parts, name+" "+row[i])
		}
	}
	return strings.Join(parts, ", ")
}

// curve is how the learning curve is measured.
func (p *trainPlan) curve(a *app) (online.Curve, error) {
	f, w := p.trainFlags, p.world
	c := online.Curve{Every: f.curveEvery, Pairs: f.curvePairs, Seed: game.Seed(f.seed, game.StreamCurve), Workers: f.workers, Measure: arena.Measure(f.measure)}
	if c.Every == 0 {
		c.Every = max(1, f.games/10)
	}
	c.Every += (p.chunk - c.Every%p.chunk) % p.chunk
	if c.Measure != "" && c.Measure != arena.Wins && c.Measure != arena.Utility {
		return c, fmt.Errorf("measure %q: want wins or utility", f.measure)
	}
	if c.Measure == arena.Wins && w.Players == 1 {
		return c, fmt.Errorf("measure wins: want measure utility in %s, a game of one", w.Spec)
	}
	if c.Pairs == 0 {
		return c, nil
	}
	planner := f.curvePlanner
	if planner == "" {
		planner = "alphabeta:depth=1"
		if w.Chancy() {
			planner = "expectimax:depth=1"
		}
	}
	against := f.against
	switch {
	case against == "" && w.Entry.Ships("handwritten"):
		against = catalog.WithEval(planner, "handwritten")
	case against == "":
		against = "random"
	}
	c.Openings = f.curveOpenings
	var err error
	if c.Against, err = a.entrant(w, against, planner); err != nil {
		return c, err
	}
	c.Player = func(m *models.Linear) (search.Factory, error) {
		// By Extract and a sum: to compile a model at each point may cost more.
		evaluation := &catalog.Evaluation{Name: "learned", Leaves: m.Leaves, Set: p.set, Model: m, New: func() search.Evaluator {
			return features.NewReference(w.Game, p.set, m)
		}}
		player, err := w.Agent(planner, catalog.AgentOptions{Evaluation: evaluation})
		if err != nil {
			return search.Factory{}, err
		}
		return search.Factory{Name: "learned", New: player.New}, nil
	}
	_, err = c.Player(p.task.Model)
	return c, err
}

// command is what repeats the run: the flags that were given and matter.
func (p *trainPlan) command(cmd *cobra.Command) string {
	text := "plyfit train " + p.world.Spec + " -o MODEL"
	for _, name := range []string{"method", "features", "init", "noise", "games", "time", "alpha", "lambda", "tc", "average", "epsilon", "openings",
		"link", "scale", "label", "leaves", "freeze", "sharp", "jitter", "agent", "step", "decay", "loss", "root", "batch", "offline", "on-policy"} {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || !flag.Changed {
			continue
		}
		switch {
		case flag.Value.Type() == "bool":
			text += " --" + name
			if v, err := strconv.ParseBool(flag.Value.String()); err == nil && !v {
				text += "=false"
			}
		case name == "freeze":
			for _, v := range p.frozen {
				text += fmt.Sprintf(" --freeze %q", v)
			}
		default:
			text += fmt.Sprintf(" --%s %s", name, flag.Value)
		}
	}
	return text + fmt.Sprintf(" --seed %d", p.seed)
}

func trainTD(p *trainPlan) (online.Learner, error) {
	if p.leaves != "" && p.leaves != string(models.Afterstate) {
		return nil, fmt.Errorf("leaves %s: td learns afterstates", p.leaves)
	}
	p.chunk = p.batch
	if p.steps.Decay = p.decay; p.decay != 0 {
		p.depends("decay", p.decay)
	}
	p.depends("offline", p.offline)
	p.depends("on policy", p.onPolicy)
	p.depends("batch", p.batch)
	return online.NewTD(online.TDConfig{
		Task: p.task, Steps: p.steps, Lambda: p.lambda, Wins: p.wins, Offline: p.offline, OnPolicy: p.onPolicy, Batch: p.batch,
	})
}
