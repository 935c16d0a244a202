package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/list"
	"plyfit/internal/proc"
	"plyfit/internal/report"
	"plyfit/learn/fit"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
	"plyfit/work"
)

// Defaults of [Terms].
const (
	DefaultNodes      = 1000
	DefaultTermsGames = 2000
	DefaultTermsPairs = 400
)

// A TermsReport contains the worth of each group of terms of an evaluation. Estimates have 95%
// intervals. Holm's correction applies to the decisions about all groups.
type TermsReport struct {
	Game    string `json:"game"`
	Eval    string `json:"eval"`
	Planner string `json:"planner"` // agent with the complete evaluation
	Games   int    `json:"games"`   // number of games to which the weights were fitted, and number of new games
	Pairs   int    `json:"pairs"`   // number of pairs per match
	Seed    uint64 `json:"seed"`
	Unit    string `json:"unit"` // of Doubling, Worth and Price: Elo, or points per game
	// Evaluation and Node are the CPU times of an evaluation and of a node in nanoseconds.
	Evaluation float64        `json:"ns_per_evaluation"`
	Node       float64        `json:"ns_per_node"`
	Doubling   stats.Estimate `json:"doubling"` // gain from twice as many nodes: half the gain from four times as many
	Terms      []Term         `json:"terms"`
}

// A Term is a group of terms. The evaluation without the group is fitted to the same games.
type Term struct {
	Name    string `json:"name"`
	Weights int    `json:"weights"`
	// Loss is how much the loss on new games increases without the group, and LossP is the one-sided
	// p-value for the hypothesis that it does not increase, by Holm.
	Loss  stats.Estimate `json:"loss_increase"`
	LossP float64        `json:"loss_p_holm"`
	// Time is the CPU time of an evaluation, in nanoseconds, that the group takes. Nodes is the
	// number of nodes that the evaluation without the group can search in the same time.
	Time  float64 `json:"ns_per_evaluation"`
	Nodes int     `json:"nodes_without"`
	// Worth is the result of the complete evaluation against the one without the group at equal CPU
	// time. Price is the part that the group's time takes away, as computed from Doubling.
	Worth   stats.Estimate   `json:"worth"`
	WorthP  float64          `json:"worth_p_holm"` // two-sided p-value, by Holm
	Price   stats.Estimate   `json:"price_of_time"`
	Verdict Verdict          `json:"verdict"`
	Ended   arena.Conclusion `json:"match"`
}

// A Verdict states whether a group of terms is worth its time.
type Verdict string

const (
	Worthwhile  Verdict = "worth its time"
	TooSlow     Verdict = "true, but not worth its time"
	Wasteful    Verdict = "not worth its time"
	NoKnowledge Verdict = "no knowledge found"
	Open        Verdict = "not decided"
)

// times contains the CPU times of the complete evaluation and of one without a group, measured in
// turn, in nanoseconds.
type times struct {
	Evaluation [2]float64 `json:"evaluation"`
	Node       [2]float64 `json:"node"`
}

// anatomy is a diagnosis of the terms.
type anatomy struct {
	*diagnosis
	data   *datasets.Set
	fitted *fit.Result // nil until a model must be fitted
	full   *catalog.Evaluation
	states []game.State // positions at which times are measured
}

// Terms measures what each group of terms of an evaluation is worth. It plays games, fits the
// weights with and without each group, measures the loss on new games and the CPU time, and plays
// matches at equal CPU time. The results are in o.Dir, and the same call resumes an interrupted
// one. Apart from the measured times, they depend only on the options.
func Terms(ctx context.Context, o Options) (r *TermsReport, err error) {
	o.Nodes, o.Games, o.Pairs = cmp.Or(o.Nodes, DefaultNodes), cmp.Or(o.Games, DefaultTermsGames), cmp.Or(o.Pairs, DefaultTermsPairs)
	d, err := newDiagnosis(o)
	if err != nil {
		return nil, err
	}
	if o.Evaluation.Set == nil {
		return nil, fmt.Errorf("diagnose: %s: the evaluation has no terms; want handwritten, learned or a model file", o.Evaluation.Name)
	}
	err = work.Alone(o.Dir, func() error {
		a := &anatomy{diagnosis: d}
		r, err = a.run(ctx)
		if a.fitted != nil {
			a.fitted.Close()
		}
		return err
	})
	return r, err
}

func (a *anatomy) run(ctx context.Context) (*TermsReport, error) {
	r := &TermsReport{Game: a.World.Spec, Eval: a.Evaluation.Name, Planner: a.World.Searching("nodes", a.Nodes), Games: a.Games, Pairs: a.Pairs, Seed: a.Seed, Unit: "Elo"}
	var err error
	if a.data, err = a.selfPlay(ctx, "games", a.Games, measuredGames); err != nil {
		return nil, err
	}
	fresh, err := a.selfPlay(ctx, "new games", a.Games, valuedGames)
	if err != nil {
		return nil, err
	}
	if a.full, err = a.model(ctx, "all", nil); err != nil {
		return nil, err
	}
	named := []fit.Named{{Name: "all", Set: a.full.Set, Model: a.full.Model}}
	groups := slices.DeleteFunc(models.Groups(a.full.Set.Blocks()), func(g models.Group) bool { return !a.free(g) })
	without := make([]*catalog.Evaluation, len(groups))
	for i, g := range groups {
		a.Progress("fits", i, len(groups))
		if without[i], err = a.model(ctx, "without-"+url.PathEscape(g.Name), &g); err != nil {
			return nil, err
		}
		named = append(named, fit.Named{Name: g.Name, Set: a.full.Set, Model: without[i].Model})
	}
	tested, err := fit.Test(ctx, a.World, []*datasets.Set{fresh}, named[0], fit.Testing{Label: a.label(), Against: named[1:], FittedTo: a.data})
	if err != nil {
		return nil, err
	}
	took, err := a.times(ctx, without)
	if err != nil {
		return nil, err
	}
	// Four times as many nodes measure a doubling more accurately than twice as many.
	double, err := a.match(ctx, "nodes", a.full, 4*a.Nodes, a.Nodes)
	if err != nil {
		return nil, err
	}
	r.Doubling = strength(double).Map(0.5, 0)
	if double.Measure != arena.Wins {
		r.Unit = "points per game"
	}
	var results []*arena.Result
	losses := make([]float64, len(groups))
	for i, g := range groups {
		t := took[without[i].Digest]
		less := tested.Evaluations[i+1].Less
		figure := less.Squared
		if less.CrossEntropy != nil {
			figure = *less.CrossEntropy
		}
		term := Term{Name: g.Name, Weights: len(g.Features), Loss: stats.Estimate{Value: figure.Value, Known: true}, Time: t.Evaluation[0] - t.Evaluation[1]}
		if figure.Low != nil {
			term.Loss.Low, term.Loss.High, term.Loss.Bounded = *figure.Low, *figure.High, true
		}
		losses[i] = term.Loss.P(0) / 2
		if !(figure.Value > 0) {
			losses[i] = 1 - losses[i]
		}
		faster := t.Node[0] / t.Node[1]
		term.Nodes = max(1, int(math.Round(float64(a.Nodes)*faster)))
		m, err := a.match(ctx, "without-"+url.PathEscape(g.Name), without[i], a.Nodes, term.Nodes)
		if err != nil {
			return nil, err
		}
		term.Worth, term.Price = strength(m), r.Doubling.Map(math.Log2(faster), 0)
		r.Evaluation += t.Evaluation[0] / float64(len(groups))
		r.Node += t.Node[0] / float64(len(groups))
		results, r.Terms = append(results, m), append(r.Terms, term)
	}
	arena.Correct(results...)
	for i, p := range stats.Holm(losses) {
		t := &r.Terms[i]
		t.LossP, t.WorthP, t.Ended = p, cmp.Or(results[i].Corrected, results[i].P), results[i].Conclusion
		t.Verdict = verdict(t.Ended, p < 0.05)
	}
	return r, nil
}

// verdict combines the result of the match with whether the group lowers the loss.
func verdict(match arena.Conclusion, knows bool) Verdict {
	switch {
	case match == arena.BetterA:
		return Worthwhile
	case match == arena.BetterB && knows:
		return TooSlow
	case match == arena.BetterB:
		return Wasteful
	case knows:
		return Open
	}
	return NoKnowledge
}

// strength returns how much A is stronger than B, in Elo if the games are won or lost.
func strength(r *arena.Result) stats.Estimate {
	if r.Measure == arena.Wins {
		return r.Versus.Elo
	}
	return r.Difference
}

// free reports whether the recipe leaves a weight of the group to the fit.
func (a *anatomy) free(g models.Group) bool {
	fixed, err := a.World.FrozenIn(a.full.Set.Name())
	return err == nil && slices.ContainsFunc(g.Features, func(i int32) bool { _, frozen := fixed[a.full.Model.Name(i)]; return !frozen })
}

// player returns the planner with an evaluation from a file of the directory.
func (a *anatomy) player(name, eval string, nodes int) (search.Factory, error) {
	p, err := a.World.Agent(catalog.WithEval(a.World.Searching("nodes", nodes), eval), catalog.AgentOptions{})
	if err != nil {
		return search.Factory{}, err
	}
	p.Name = name
	return p.Factory, nil
}

func (a *anatomy) selfPlay(ctx context.Context, stage string, games int, stream uint64) (*datasets.Set, error) {
	player, err := a.player(a.Evaluation.Name, a.Evaluation.Name, a.Nodes)
	if err != nil {
		return nil, err
	}
	recipe, dir := a.World.Recipe(), filepath.Join(a.Dir, map[uint64]string{measuredGames: "data", valuedGames: "test"}[stream])
	_, err = selfplay.Run(ctx, selfplay.Config{
		Game: a.World.Game, Agents: []search.Factory{player}, Episodes: games, Seed: game.Seed(a.Seed, game.StreamDiagnose, stream),
		Openings: max(recipe.Openings, 2*a.Openings), Explore: recipe.Explore, Workers: a.Workers, Dir: dir, Progress: a.progress(stage, games),
	})
	if err != nil {
		return nil, err
	}
	data, err := datasets.Open(dir)
	if err != nil {
		return nil, err
	}
	return data.Until(ctx), nil
}

func (a *anatomy) label() fit.Label {
	if returns := a.World.Recipe().Returns; returns > 0 {
		return fit.ReturnLabel(returns)
	}
	return fit.OutcomeLabel()
}

// fit fits the weights of the evaluation to the games, as the recipe does. The weights are pulled
// towards those of the evaluation.
func (a *anatomy) fit(ctx context.Context) (err error) {
	recipe, prior := a.World.Recipe(), a.Evaluation.Model
	o := fit.Options{
		Set: a.Evaluation.Set.Name(), Steps: recipe.Steps, Label: a.label(), Lambda: recipe.Lambda, Penalty: cmp.Or(recipe.Penalty, 1e-3),
		Leaves: a.Evaluation.Leaves, Prior: prior, PriorName: a.Evaluation.Name, Quiet: recipe.Quiet, Seed: a.Seed, Workers: a.Workers,
	}
	o.Scale.Prior = prior.Link.Bounded()
	if o.Method, err = fit.MethodNamed(recipe.Method); err != nil {
		return err
	}
	if o.Frozen, err = a.World.FrozenIn(o.Set); err != nil {
		return err
	}
	a.fitted, err = fit.Run(ctx, a.World, a.data, o)
	return err
}

// model returns the fitted evaluation, or the one without a group of terms. It is fitted unless
// the directory contains it.
func (a *anatomy) model(ctx context.Context, name string, without *models.Group) (*catalog.Evaluation, error) {
	path := filepath.Join(a.Dir, name+".json")
	e, err := a.World.Evaluation(path)
	if err == nil && e.Model.Provenance != nil && e.Model.Provenance.Data == a.data.Digest {
		return e, nil
	}
	if a.fitted == nil {
		if err := a.fit(ctx); err != nil {
			return nil, err
		}
	}
	m := a.fitted.Model
	if without != nil {
		if m, err = a.fitted.Without(ctx, without.Name, without.Features); err != nil {
			return nil, err
		}
	}
	if err := m.File().Save(path); err != nil {
		return nil, err
	}
	return a.World.Evaluation(path)
}

// match plays the complete evaluation with a number of nodes against another evaluation with
// another number.
func (a *anatomy) match(ctx context.Context, name string, other *catalog.Evaluation, nodes, others int) (*arena.Result, error) {
	dir := filepath.Join(a.Dir, "matches")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	full, err := a.player("all", a.full.Name, nodes)
	if err != nil {
		return nil, err
	}
	b, err := a.player(name, other.Name, others)
	if err != nil {
		return nil, err
	}
	r, err := arena.Run(ctx, arena.Config{
		Game: a.World.Game, A: full, B: b, Pairs: a.Pairs, Workers: a.Workers, Seed: game.Seed(a.Seed, game.StreamDiagnose, matchLuck),
		Openings: arena.Openings{Plies: a.Openings}, Out: filepath.Join(dir, name+".jsonl"), NoMoves: true,
		Progress: func(p arena.Progress) { a.Progress(name, p.Pairs, p.Of) },
	})
	if err == nil && r.Conclusion == arena.Nothing {
		err = proc.Failure(fmt.Errorf("%s: %s", name, r.Sentence))
	}
	return &r, err
}

// Sizes of the time measurements.
const (
	timedStates      = 256 // number of positions whose evaluation is timed
	timedRoots       = 128 // number of positions whose search is timed
	evaluationRounds = 399 // number of times that each is timed
	nodeRounds       = 9
)

// times returns the times of the evaluations by digest. It measures those that the directory does
// not contain.
func (a *anatomy) times(ctx context.Context, without []*catalog.Evaluation) (map[string]times, error) {
	path := filepath.Join(a.Dir, "times.json")
	all := struct {
		Without map[string]times `json:"without"` // by digest of the model
	}{map[string]times{}}
	if err := disk.ReadSealed(path, &all); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for i, e := range without {
		a.Progress("times", i, len(without))
		if _, known := all.Without[e.Digest]; known {
			continue
		}
		t, err := a.measure(ctx, e)
		if err != nil {
			return nil, err
		}
		all.Without[e.Digest] = t
		if err := disk.WriteSealed(path, all); err != nil {
			return nil, err
		}
	}
	return all.Without, nil
}

// sample draws positions from the games. Every second one is a position after another move than
// the one that was played, as in a search.
func (a *anatomy) sample() error {
	every, n := max(1, a.data.Manifest.Records/timedStates), int64(0)
	for r, err := range a.data.Records() {
		if err != nil {
			return err
		}
		if n++; n%every != 0 {
			continue
		}
		s, err := a.World.Parse(r.Position)
		if err != nil {
			return err
		}
		if moves := s.Moves(nil); len(a.states)%2 == 1 {
			if s.Play(moves[n%int64(len(moves))]); s.Turn() < 0 {
				s.Undo()
			}
		}
		a.states = append(a.states, s)
	}
	return nil
}

// measure measures the times of the complete evaluation and of another one in turn.
func (a *anatomy) measure(ctx context.Context, other *catalog.Evaluation) (t times, err error) {
	if a.states == nil {
		if err := a.sample(); err != nil {
			return t, err
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var evaluators [2]*features.Evaluator
	var agents [2]search.Agent
	for i, e := range []*catalog.Evaluation{a.full, other} {
		evaluators[i] = features.NewEvaluator(a.World.Game, e.Set, e.Model)
		f, err := a.player("", e.Name, a.Nodes)
		if err != nil {
			return t, err
		}
		if agents[i], err = f.New(); err != nil {
			return t, err
		}
		defer search.Close(agents[i])
	}
	t.Evaluation, err = inTurn(evaluationRounds, 1, func(i, _ int) (took time.Duration, count int64, err error) {
		from := proc.ThreadTime()
		for _, s := range a.states {
			evaluators[i].Evaluate(s, 0)
		}
		return proc.ThreadTime() - from, int64(len(a.states)), ctx.Err()
	})
	if err != nil {
		return t, err
	}
	t.Node, err = inTurn(nodeRounds, timedRoots, func(i, k int) (took time.Duration, count int64, err error) {
		agents[i].Begin(0)
		from := proc.ThreadTime()
		r, err := agents[i].Search(ctx, a.states[k*len(a.states)/timedRoots])
		return proc.ThreadTime() - from, r.Nodes, err
	})
	return t, err
}

// inTurn measures two alternatives, 0 and 1, in turn and returns the median times of each in
// nanoseconds. A round consists of several parts. The second of two measurements of the same part
// is a tenth faster, because the processor is prepared for it, so the order changes.
func inTurn(rounds, parts int, measure func(i, part int) (took time.Duration, count int64, err error)) (median [2]float64, err error) {
	var all [2][]float64
	for round := range rounds {
		var total [2]time.Duration
		var counted [2]int64
		for part := range parts {
			for k := range 2 {
				i := (k + part + round) % 2
				took, count, err := measure(i, part)
				if err != nil {
					return median, err
				}
				total[i], counted[i] = total[i]+took, counted[i]+count
			}
		}
		for i := range all {
			all[i] = append(all[i], float64(total[i].Nanoseconds())/float64(max(1, counted[i])))
		}
	}
	for i := range all {
		slices.Sort(all[i])
		median[i] = all[i][rounds/2]
	}
	return median, nil
}

// Text formats the report for the terminal.
func (r *TermsReport) Text() string { return say("terms screen", r) }

// Tables returns the table of the terms.
func (r *TermsReport) Tables() []report.Table {
	return []report.Table{{
		Head:    []string{"without", "weights", "loss", "ns", "nodes", r.Unit, "of this, time", "note"},
		Caption: "Increase of the loss on new games without a group of terms, its CPU time per evaluation, the nodes searched without it in the same time, and what the complete evaluation gains at equal CPU time, with 95% intervals. The note is corrected for the number of groups (Holm).",
		Rows: list.Map(r.Terms, func(t Term) []string {
			return []string{
				t.Name, fmt.Sprint(t.Weights), t.Loss.Format("%+.5f", 1), fmt.Sprintf("%.0f", t.Time), fmt.Sprint(t.Nodes),
				t.worth(), t.Price.Map(-1, 0).Format("%+.0f", 1), string(t.Verdict),
			}
		}),
	}}
}

// worth formats the result of the match.
func (t *Term) worth() string {
	if t.Ended == arena.Same {
		return "same moves"
	}
	return t.Worth.Format("%+.0f", 1)
}

func (r *TermsReport) table() report.Table { return r.Tables()[0] }
