package cli

import (
	"plyfit/cli/shell"

	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/internal/atomicfile"
	"plyfit/internal/failure"
	"plyfit/internal/progress"
	"plyfit/internal/spec"
	"plyfit/learn/online/bootstrap"
	"plyfit/learn/online/optimiser"
	"plyfit/learn/online/runner"
	"plyfit/models"
	"plyfit/train"
)

// trainFlags are the flags of plyfit train.
type trainFlags struct {
	out, dir, method, set, init, link, label, leaves, curvePlanner, against, measure                           string
	games, openings, batch, restart, fade, population, curveEvery, curvePairs, curveOpenings, workers, threads int
	alpha, lambda, epsilon, scale, noise, optimism, average                                                    float64
	agent, step, loss                                                                                          string
	decay, root, sharp, jitter, coherence                                                                      float64
	tc, bounded, offline, onPolicy, asJSON, quiet                                                              bool
	frozen                                                                                                     []string
	seed                                                                                                       uint64
	limit, checkpointEvery                                                                                     time.Duration
}

func (a *app) trainCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train GAME -o MODEL",
		Short: "Learn while playing: temporal differences, bootstrapping from searches, policy gradient, evolution",
		Long: `Learn an evaluation while playing against itself: after each game (or batch of
games) the weights move, and the next game is played with the new ones.

td moves the value of each position after a move toward those of the positions
that followed and toward the outcome (lambda: 0 only the next one, 1 only the
outcome). The searching methods learn from what --agent finds as it plays:
tdleaf moves the leaf that the root's value comes from toward the values of the
searches that followed, rootstrap each root toward its search's value, treestrap
every searched position toward the value, or between the bounds, that it was
found to have. policy learns which moves to choose rather than what positions
are worth, against its earlier selves; it wants a model to begin with, as td
makes one, or a large number of games. evolution draws candidates, has each play
the same games, and moves to where those lie that got most (CMA-ES): it wants few
weights, and suits games of one player.

MODEL.train beside the model (or --run) holds the checkpoint, the log with the
learning curve, and a report. The same command continues a killed run from its last
checkpoint, and ends with the same weights.`,
		Example: `  plyfit train othello -o othello.json --features othello/2-tuples --games 80000 --lambda 0.7
  plyfit train 2048 -o 2048.json --features 2048/4x6 --games 100000
  plyfit train chess -o chess.json --method treestrap --init random --games 2000`,
		Args: shell.Exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.Catalog.World(args[0])
			if err != nil {
				return err
			}
			return a.train(cmd, w, &f)
		},
	}
	f.add(cmd)
	return cmd
}

func (f *trainFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "model file to write")
	cmd.MarkFlagRequired("out")
	flags.StringVar(&f.dir, "run", "", "the run's folder; default: MODEL.train beside the model")
	flags.StringVar(&f.method, "method", "td", strings.Join(train.Names(), ", "))
	flags.StringVar(&f.set, "features", "", "feature set; default: the game's")
	flags.StringVar(&f.init, "init", "zero", "weights to begin with: zero, random or a model file")
	flags.Float64Var(&f.noise, "noise", 0.01, "of --init random: the weights' standard deviation")
	flags.Float64Var(&f.optimism, "optimism", 0, "of --init zero, where there are tables: what they say every position is worth at first, so that what was not tried looks good")
	shell.WholeFlag(cmd, &f.games, "games", "", 10000, 1, "games to learn from")
	flags.DurationVar(&f.limit, "time", 0, "of playing and learning, after which the run ends early; the result then depends on the machine")
	flags.Float64Var(&f.alpha, "alpha", 0.1, "step size: of td the share of its error that an update takes from a position; of the searching methods by --step, without it 0.02; of evolution how far candidates lie from the mean at first")
	flags.Float64Var(&f.lambda, "lambda", 0, "how far an outcome reaches back at once, 0 to 1")
	flags.BoolVar(&f.tc, "tc", false, "temporal coherence: a step size of its own for each weight")
	flags.Float64Var(&f.coherence, "coherence", 0, "of --tc: a weight whose changes agree to the share c keeps exp(COHERENCE (c-1)) of its step; 0: c")
	flags.BoolVar(&f.bounded, "bounded", false, "td: no step overshoots where the vector of a position is longer than others")
	flags.Float64Var(&f.average, "average", 0.5, "share of the games, the last ones, over which the weights are averaged, 0 to 1; default: 0 for pattern tables")
	flags.Float64Var(&f.epsilon, "epsilon", 0, "probability of a random move; default: 0.1 in games without chance")
	shell.WholeFlag(cmd, &f.openings, "openings", "", 0, 0, "at most so many random decisions at a game's beginning; default: chosen by the game")
	flags.StringVar(&f.link, "link", "", "identity, tanh or logistic; default: tanh in games of two whose utilities have bounds, else identity")
	flags.Float64Var(&f.scale, "scale", 1, "of the link")
	flags.StringVar(&f.label, "label", "outcome", "what is learned: outcome, wins (who wins in place of by how much), or wins:SHARE of that, the rest of the outcome")
	flags.StringVar(&f.leaves, "leaves", "", "which positions the model is to judge, decision or afterstate, where nature moves between; td learns afterstates")
	flags.StringArrayVar(&f.frozen, "freeze", nil, "TERM=WEIGHT: a term that keeps its weight; default: chosen by the game")
	shell.WholeFlag(cmd, &f.batch, "batch", "", 1, 1, "games played with the same weights, as many as can be played at once; of evolution by each candidate; default: 1, of the searching methods 16, of policy 400, of evolution 10")
	flags.BoolVar(&f.offline, "offline", false, "td: all values of a game by the weights that it was played with")
	flags.BoolVar(&f.onPolicy, "on-policy", false, "td: random moves teach like any others")
	shell.WholeFlag(cmd, &f.fade, "epsilon-fade", "", 0, 0, "td: games over which epsilon falls to 0, at an even pace; 0: it stays")
	shell.WholeFlag(cmd, &f.restart, "restart", "", 0, 0, "td: an episode of more than so many decisions is played again from its middle, and again from the middle of that; 0: none is")
	shell.WholeFlag(cmd, &f.threads, "threads", "", 1, 1, "td, over pattern tables: so many threads learn at once on the same weights, without locks; the same seed then gives other bytes each time")
	flags.DurationVar(&f.checkpointEvery, "checkpoint-every", time.Minute, "least time between checkpoints")
	shell.WholeFlag(cmd, &f.curveEvery, "curve-every", "", 0, 0, "games between points of the learning curve; 0: a tenth of the games")
	shell.WholeFlag(cmd, &f.curvePairs, "curve-pairs", "", 100, 0, "pairs of games at each point, 0 for none")
	shell.WholeFlag(cmd, &f.curveOpenings, "curve-openings", "", 0, 0, "random decisions at the beginning of a pair; default: none where there is chance, else 6 or --openings if that is more")
	flags.StringVar(&f.against, "against", "", "the learning curve's opponent; default: the planner with the hand-written evaluation, else random")
	flags.StringVar(&f.curvePlanner, "planner", "", "who plays by the learned evaluation for the curve; default: one decision ahead")
	flags.StringVar(&f.measure, "measure", "", "of the learning curve: wins or utility")
	flags.StringVar(&f.agent, "agent", "", "of the searching methods and evolution: who plays and is learned from, without eval; default: chosen by the game, of evolution one decision ahead")
	flags.StringVar(&f.step, "step", "", "of the searching methods: adam, adagrad, tc or plain; default: adam")
	flags.Float64Var(&f.decay, "decay", 0, "games after which alpha is halved, after twice as many a third; 0: it stays")
	flags.Float64Var(&f.root, "root", 1, "of treestrap: how many searched positions the position at hand counts for")
	flags.StringVar(&f.loss, "loss", "", "of the searching methods: logistic or squared; default: logistic where the link has bounds")
	flags.Float64Var(&f.sharp, "sharp", 15, "of policy: how much more the weights decide while learning than as they stand in the model")
	flags.Float64Var(&f.jitter, "jitter", 4, "of policy: the most noise in the other side's weights, in their root mean square; 0 for none")
	shell.WholeFlag(cmd, &f.population, "population", "", 0, 4, "of evolution: candidates a generation, each of which plays --batch games; default: 4 + 3 ln n for n weights")
	flags.BoolVar(&f.asJSON, "json", false, "the report as one JSON object")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress")
	shell.SeedFlag(cmd, &f.seed)
	shell.WorkersFlag(cmd, &f.workers)
}

func (a *app) train(cmd *cobra.Command, w *catalog.World, f *trainFlags) error {
	if err := atomicfile.Check(f.out); err != nil {
		return err
	}
	o, err := a.trainOptions(cmd, w, f)
	if err != nil {
		return err
	}
	bar := progress.New(a.Stderr, "games of "+w.Spec, int64(f.games), f.quiet)
	o.Progress = func(n int) { bar.Set(int64(n)) }
	o.Measured = func(point runner.Point) {
		if f.quiet {
			return
		}
		table := runner.CurveTable([]runner.Point{point}, true)
		fmt.Fprintf(a.Stderr, "%s\n", pointLine(table.Head, table.Rows[0]))
	}
	a.Resumable = true
	found, err := train.Run(cmd.Context(), w, o)
	bar.Finish()
	if err != nil {
		return shell.RunFailure(err)
	}
	r := found.Report
	if !f.quiet {
		fmt.Fprintf(a.Stderr, "%d games in %.1f s, %.3g moves/s, weights of %.3g MB\n", r.Tally.Episodes, r.Seconds, r.Rate, float64(r.Bytes)/1e6)
	}
	if err := found.Model.File().Save(f.out); err != nil {
		return shell.RunFailure(err)
	}
	if f.asJSON {
		return shell.WriteJSON(a.Stdout, trainAnswer{w.Spec, found.Set.Name(), f.method, f.seed, f.out, found.Recipe, r})
	}
	if err := runner.CurveTable(r.Points, false).Print(a.Stdout); err != nil {
		return failure.Of(err)
	}
	_, err = fmt.Fprintf(a.Stdout, "\n%s by %s: %d games, %d moves\nModel: %s\nReport: %s\n",
		w.Spec, f.method, r.Tally.Episodes, r.Tally.Moves, f.out, filepath.Join(o.Dir, runner.PageFile))
	return failure.Of(err)
}

// trainOptions are the options of the flags: the game's own choices but for those that
// were given.
func (a *app) trainOptions(cmd *cobra.Command, w *catalog.World, f *trainFlags) (o train.Options, err error) {
	changed := cmd.Flags().Changed
	method, err := train.MethodNamed(f.method)
	if err != nil {
		return o, err
	}
	if err := f.unheeded(cmd); err != nil {
		return o, err
	}
	if o, err = train.Defaults(w, method, f.set); err != nil {
		return o, err
	}
	given(changed, "alpha", &o.Alpha, f.alpha)
	given(changed, "average", &o.Average, f.average)
	given(changed, "epsilon", &o.Epsilon, f.epsilon)
	given(changed, "openings", &o.Openings, f.openings)
	given(changed, "batch", &o.Batch, f.batch)
	given(changed, "population", &o.Population, f.population)
	given(changed, "curve-openings", &o.Curve.Openings, f.curveOpenings)
	given(changed, "scale", &o.Scale, f.scale)
	o.Episodes, o.Time, o.CheckpointEvery = f.games, f.limit, f.checkpointEvery
	o.Decay, o.Lambda, o.TC, o.Coherence, o.Bounded, o.Offline, o.OnPolicy, o.Threads, o.Restart, o.EpsilonFade = f.decay, f.lambda, f.tc, f.coherence, f.bounded, f.offline, f.onPolicy, f.threads, f.restart, f.fade
	o.Link, o.Leaves = models.LinkKind(f.link), models.Leaves(f.leaves)
	o.Agent, o.Step, o.Loss, o.Root = f.agent, optimiser.StepRule(f.step), bootstrap.LossKind(f.loss), f.root
	o.Sharp, o.Jitter = f.sharp, f.jitter
	o.Seed, o.Workers = f.seed, f.workers
	o.Curve.Every, o.Curve.Pairs, o.Curve.Planner, o.Curve.Measure = f.curveEvery, f.curvePairs, f.curvePlanner, arena.Measure(f.measure)
	if changed("scale") && !(f.scale > 0) {
		return o, fmt.Errorf("scale=%v: want a number above 0", f.scale)
	}
	if o.Wins, err = winsShare(f.label); err != nil {
		return o, err
	}
	if changed("freeze") {
		if o.Frozen, err = shell.FrozenTerms(f.frozen); err != nil {
			return o, err
		}
	}
	o.Init.Noise, o.Init.Optimism = f.noise, f.optimism
	switch f.init {
	case "zero":
	case "random":
		o.Init.Random = true
	default:
		o.Init.Name = f.init
		if o.Init.Set, o.Init.Model, err = w.Model(f.init); err != nil {
			return o, fmt.Errorf("init: %w", err)
		}
	}
	if f.against != "" && f.curvePairs > 0 {
		against, err := a.entrant(w, f.against, train.PlannerOf(w, f.curvePlanner))
		if err != nil {
			return o, err
		}
		o.Curve.Against = &against
	}
	if o.Dir = f.dir; o.Dir == "" {
		o.Dir = strings.TrimSuffix(f.out, filepath.Ext(f.out)) + ".train"
	}
	o.Command = f.command(cmd, w)
	return o, nil
}

// given sets a field to what its flag says, where it was given.
func given[T any](changed func(string) bool, flag string, field *T, value T) {
	if changed(flag) {
		*field = value
	}
}

// unheeded names a flag that was given and would change nothing.
func (f *trainFlags) unheeded(cmd *cobra.Command) error {
	if cmd.Flags().Changed("noise") && f.init != "random" {
		return fmt.Errorf("--noise %v: of --init random, not of %s", f.noise, f.init)
	}
	if cmd.Flags().Changed("optimism") && f.init != "zero" {
		return fmt.Errorf("--optimism %v: of --init zero, not of %s", f.optimism, f.init)
	}
	var unread error
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if readers := train.Readers(flag.Name); unread == nil && flag.Changed && len(readers) > 0 && !slices.Contains(readers, f.method) {
			unread = fmt.Errorf("--%s: of method %s, not of %s", flag.Name, strings.Join(readers, ", "), f.method)
		}
	})
	return unread
}

// winsShare reads a label: outcome, wins or wins:SHARE.
func winsShare(label string) (float64, error) {
	switch label {
	case "outcome":
		return 0, nil
	case "wins":
		return 1, nil
	}
	if text, ok := strings.CutPrefix(label, "wins:"); ok {
		if x, err := spec.Number(text); err == nil && x >= 0 && x <= 1 {
			return x, nil
		}
	}
	return 0, fmt.Errorf("label %q: want outcome, wins, or wins:SHARE with a share from 0 to 1", label)
}

type trainAnswer struct {
	Game     string              `json:"game"`
	Features string              `json:"features"`
	Method   string              `json:"method"`
	Seed     uint64              `json:"seed"`
	Model    string              `json:"model"`
	Recipe   []runner.RecipeItem `json:"recipe"`
	*runner.Report
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

// command is what repeats the run: the flags that were given and matter.
func (f *trainFlags) command(cmd *cobra.Command, w *catalog.World) string {
	text := "plyfit train " + w.Spec + " -o MODEL"
	for _, name := range []string{"method", "features", "init", "noise", "optimism", "games", "time", "alpha", "lambda", "tc", "coherence", "bounded", "average", "epsilon", "epsilon-fade", "openings",
		"link", "scale", "label", "leaves", "freeze", "sharp", "jitter", "population", "agent", "step", "decay", "loss", "root", "batch", "restart", "offline", "on-policy", "threads"} {
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
			for _, v := range f.frozen {
				text += fmt.Sprintf(" --freeze %q", v)
			}
		default:
			text += fmt.Sprintf(" --%s %s", name, flag.Value)
		}
	}
	return text + fmt.Sprintf(" --seed %d", f.seed)
}
