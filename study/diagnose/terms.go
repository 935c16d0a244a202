package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
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
	"plyfit/internal/elementary"
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
	DefaultNodes = 1000
	termsGames   = 2000
	termsPairs   = 400
)

// A TermsReport contains the worth of each group of terms of an evaluation, with 95% intervals.
// Times are CPU times in nanoseconds.
type TermsReport struct {
	Game       string         `json:"game"`
	Eval       string         `json:"eval"`
	Planner    string         `json:"planner"` // agent with the complete evaluation
	Games      int            `json:"games"`   // number of games for the fits, and number of new games
	Pairs      int            `json:"pairs"`   // number of pairs per match
	Seed       uint64         `json:"seed"`
	Unit       string         `json:"unit"` // Elo, or points per game in single-player games
	Evaluation float64        `json:"ns_per_evaluation"`
	Node       float64        `json:"ns_per_node"`
	Doubling   stats.Estimate `json:"doubling"` // gain from twice as many nodes: half the gain from four times as many
	Terms      []Term         `json:"terms"`
}

// A Term is a group of terms. The p-values are corrected for the number of groups (Holm).
type Term struct {
	Name    string         `json:"name"`
	Weights int            `json:"weights"`
	Loss    stats.Estimate `json:"loss_increase"` // on new games without the group
	LossP   float64        `json:"loss_p_holm"`   // one-sided
	Time    float64        `json:"ns_per_evaluation"`
	Nodes   int            `json:"nodes_without"` // number of nodes searched without the group in the time of the complete evaluation
	Worth   stats.Estimate `json:"worth"`         // gain from the group at equal CPU time
	WorthP  float64        `json:"worth_p_holm"`  // two-sided
	Price   stats.Estimate `json:"price_of_time"` // loss due to the group's time, computed from Doubling
	Verdict Verdict        `json:"verdict"`
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

// An anatomy is a diagnosis of the terms.
type anatomy struct {
	*diagnosis
	data   *datasets.Set
	fitted *fit.Result // nil until a model must be fitted
	full   *catalog.Evaluation
	states []game.State // positions at which times are measured
}

// Terms measures what each group of terms of an evaluation is worth. It plays games, fits the
// weights with and without each group, measures the loss on new games and the CPU times, and plays
// matches at equal CPU time. An interrupted run is resumed from o.Dir, which also contains the
// times. Except for them, the results depend only on the options.
func Terms(ctx context.Context, o Options) (r *TermsReport, err error) {
	o.Nodes, o.Games, o.Pairs = cmp.Or(o.Nodes, DefaultNodes), cmp.Or(o.Games, termsGames), cmp.Or(o.Pairs, termsPairs)
	d, err := newDiagnosis(o)
	if err != nil {
		return nil, err
	}
	if o.Evaluation.Set == nil {
		return nil, fmt.Errorf("diagnose: %s: the evaluation has no terms; want handwritten, learned or a model file", o.Evaluation.Name)
	}
	a := &anatomy{diagnosis: d}
	err = work.Alone(o.Dir, func() error {
		r, err = a.run(ctx)
		return err
	})
	if a.fitted != nil {
		a.fitted.Close()
	}
	return r, err
}

func (a *anatomy) run(ctx context.Context) (*TermsReport, error) {
	r := &TermsReport{Game: a.World.Spec, Eval: a.Evaluation.Name, Planner: a.World.Searching("nodes", a.Nodes), Games: a.Games, Pairs: a.Pairs, Seed: a.Seed, Unit: "Elo"}
	if a.World.Players == 1 {
		r.Unit = "points per game"
	}
	var err error
	if a.data, err = a.selfPlay(ctx, "games", measuredGames); err != nil {
		return nil, err
	}
	fresh, err := a.selfPlay(ctx, "new-games", valuedGames)
	if err != nil {
		return nil, err
	}
	if a.full, err = a.model(ctx, models.Group{}); err != nil {
		return nil, err
	}
	fixed, err := a.World.FrozenIn(a.full.Set.Name())
	if err != nil {
		return nil, err
	}
	var without []*catalog.Evaluation
	var compared []fit.Named
	groups := slices.DeleteFunc(models.Groups(a.full.Set.Blocks()), func(g models.Group) bool {
		_, frozen := fixed[a.full.Model.Name(g.Features[0])]
		return frozen
	})
	for i, g := range groups {
		a.Progress("fits", i, len(groups))
		e, err := a.model(ctx, g)
		if err != nil {
			return nil, err
		}
		without, compared = append(without, e), append(compared, fit.Named{Name: g.Name, Set: e.Set, Model: e.Model})
	}
	tested, err := fit.Test(ctx, a.World, []*datasets.Set{fresh}, fit.Named{Name: "all", Set: a.full.Set, Model: a.full.Model},
		fit.Testing{Label: a.label(), Against: compared, FittedTo: a.data})
	if err != nil {
		return nil, err
	}
	took, err := a.times(ctx, without)
	if err != nil {
		return nil, err
	}
	// Four times as many nodes measure a doubling more accurately than twice as many.
	more, err := a.match(ctx, "nodes", a.full, 4*a.Nodes, a.Nodes)
	if err != nil {
		return nil, err
	}
	r.Doubling = strength(more).Map(0.5, 0)
	results, losses := make([]*arena.Result, len(groups)), make([]float64, len(groups))
	for i, g := range groups {
		t, less := took[without[i].Digest], tested.Evaluations[i+1].Less
		figure := *cmp.Or(less.CrossEntropy, &less.Squared)
		loss := stats.Estimate{Value: figure.Value, Known: true}
		if figure.Low != nil {
			loss = stats.Around(figure.Value, figure.Value-*figure.Low)
		}
		if losses[i] = float64(loss.P(0) / 2); !(loss.Value > 0) {
			losses[i] = 1 - losses[i]
		}
		faster := t.Node[0] / t.Node[1]
		nodes := max(1, int(math.Round(float64(a.Nodes)*faster)))
		if results[i], err = a.match(ctx, fileName(g), without[i], a.Nodes, nodes); err != nil {
			return nil, err
		}
		r.Terms = append(r.Terms, Term{
			Name: g.Name, Weights: len(g.Features), Loss: loss, Time: t.Evaluation[0] - t.Evaluation[1], Nodes: nodes,
			Worth: strength(results[i]), Price: r.Doubling.Map(elementary.Log2(faster), 0),
		})
		r.Evaluation += t.Evaluation[0] / float64(len(groups))
		r.Node += t.Node[0] / float64(len(groups))
	}
	arena.Correct(results...)
	for i, p := range stats.Holm(losses) {
		t, m := &r.Terms[i], results[i]
		t.LossP, t.WorthP, t.Verdict = p, cmp.Or(m.Corrected, m.P), verdict(m.Conclusion, p < 0.05)
	}
	return r, nil
}

// strength returns how much A is stronger than B.
func strength(r *arena.Result) stats.Estimate {
	if score, elo := r.Best(); elo == nil {
		return score
	}
	return r.Versus.Elo
}

// fileName returns the name of the files of a group, without an ending.
func fileName(g models.Group) string {
	if g.Name == "" {
		return "all"
	}
	return "without-" + url.PathEscape(g.Name)
}

// player returns the planner with the given evaluation.
func (a *anatomy) player(name, eval string, nodes int) (search.Factory, error) {
	return a.World.Named(name, catalog.WithEval(a.World.Searching("nodes", nodes), eval))
}

func (a *anatomy) selfPlay(ctx context.Context, name string, stream uint64) (*datasets.Set, error) {
	player, err := a.player(a.Evaluation.Name, a.Evaluation.Name, a.Nodes)
	if err != nil {
		return nil, err
	}
	recipe, dir := a.World.Recipe(), filepath.Join(a.Dir, name)
	if _, err = selfplay.Run(ctx, selfplay.Config{
		Game: a.World.Game, Agents: []search.Factory{player}, Episodes: a.Games, Seed: game.Seed(a.Seed, game.StreamDiagnose, stream),
		Openings: max(recipe.Openings, 2*a.Openings), Explore: recipe.Explore, Workers: a.Workers, Dir: dir, Progress: a.progress(name, a.Games),
	}); err != nil {
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

// fit fits all weights as the recipe does, but pulls them towards the diagnosed evaluation.
func (a *anatomy) fit(ctx context.Context) (err error) {
	recipe, prior := a.World.Recipe(), a.Evaluation.Model
	o := fit.Options{
		Set: a.Evaluation.Set.Name(), Steps: recipe.Steps, Label: a.label(), Lambda: recipe.Lambda, Penalty: cmp.Or(recipe.Penalty, 1e-3),
		Leaves: a.Evaluation.Leaves, Prior: prior, PriorName: a.Evaluation.Name, Quiet: recipe.Quiet, Seed: a.Seed, Workers: a.Workers,
	}
	if o.Method, err = fit.MethodNamed(recipe.Method); err != nil {
		return err
	}
	if o.Scale.Prior = prior.Link.Bounded(); o.Method == nil { // the fit must have the link of the prior
		o.Method = fit.Ridge
		if o.Scale.Prior {
			o.Method = fit.LogisticRegression
		}
	}
	if o.Frozen, err = a.World.FrozenIn(o.Set); err != nil {
		return err
	}
	a.fitted, err = fit.Run(ctx, a.World, a.data, o)
	return err
}

// model returns the fitted evaluation without a group, or the complete one if the group has no
// name. It fits the weights unless the directory contains them.
func (a *anatomy) model(ctx context.Context, without models.Group) (*catalog.Evaluation, error) {
	path := filepath.Join(a.Dir, fileName(without)+".json")
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
	if without.Name != "" {
		if m, err = a.fitted.Without(ctx, without); err != nil {
			return nil, err
		}
	}
	if err := m.File().Save(path); err != nil {
		return nil, err
	}
	return a.World.Evaluation(path)
}

// match plays the complete evaluation against another one, each with its number of nodes.
func (a *anatomy) match(ctx context.Context, name string, other *catalog.Evaluation, nodes, others int) (*arena.Result, error) {
	c := arena.Config{
		Game: a.World.Game, Pairs: a.Pairs, Workers: a.Workers, Seed: game.Seed(a.Seed, game.StreamDiagnose, matchLuck),
		Openings: arena.Openings{Plies: a.Openings}, Out: filepath.Join(a.Dir, name+".jsonl"), NoMoves: true,
		Progress: func(p arena.Progress) { a.Progress(name, p.Pairs, p.Of) },
	}
	if a.World.Players == 2 {
		c.Measure = arena.Wins
	}
	var err error
	if c.A, err = a.player("all", a.full.Name, nodes); err != nil {
		return nil, err
	}
	if c.B, err = a.player(name, other.Name, others); err != nil {
		return nil, err
	}
	r, err := arena.Run(ctx, c)
	if err == nil && r.Conclusion == arena.Nothing {
		err = proc.Failure(fmt.Errorf("%s: %s", name, r.Sentence))
	}
	return &r, err
}

// timedStates is the number of positions at which times are measured. The time of a node depends on
// the search tree. With 128 positions, it varied by several percent between equally fast
// evaluations.
const timedStates = 1024

// times contains the times of the complete evaluation and of another one.
type times struct {
	Evaluation [2]float64 `json:"evaluation"`
	Node       [2]float64 `json:"node"`
}

// times returns the times of the evaluations by digest. It measures those that the directory does
// not contain.
func (a *anatomy) times(ctx context.Context, without []*catalog.Evaluation) (map[string]times, error) {
	path := filepath.Join(a.Dir, "times.json")
	all := struct {
		Without map[string]times `json:"without"`
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

// sample draws positions from the games. Every second one follows a move that need not have been
// played, as in a search.
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

// measure measures the times of the complete evaluation and of another one.
func (a *anatomy) measure(ctx context.Context, other *catalog.Evaluation) (t times, err error) {
	if a.states == nil {
		if err := a.sample(); err != nil {
			return t, err
		}
	}
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
	if t.Evaluation, err = a.inTurn(399, 256, func(int) error { return ctx.Err() }, func(i int, s game.State) (int64, error) {
		evaluators[i].Evaluate(s, 0)
		return 1, nil
	}); err != nil {
		return t, err
	}
	t.Node, err = a.inTurn(5, 1, func(i int) error { agents[i].Begin(0); return nil }, func(i int, s game.State) (int64, error) {
		r, err := agents[i].Search(ctx, s)
		return r.Nodes, err
	})
	return t, err
}

// inTurn returns the lower quartile over several rounds of the times of two alternatives, 0 and 1,
// in nanoseconds. Other processes only make a round slower. A round measures groups of positions of
// the given size, after a preparation. The function do returns the number of units that it computed.
// The order changes, because the second of two equal searches is a tenth faster.
func (a *anatomy) inTurn(rounds, size int, prepare func(i int) error, do func(i int, s game.State) (int64, error)) (quartile [2]float64, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	size = min(size, len(a.states))
	var all [2][]float64
	for round := range rounds {
		var took [2]time.Duration
		var count [2]int64
		for k := range 2 * (len(a.states) / size) {
			i := (k + k/2 + round) % 2
			if err := prepare(i); err != nil {
				return quartile, err
			}
			from := proc.ThreadTime()
			for _, s := range a.states[k/2*size:][:size] {
				n, err := do(i, s)
				if err != nil {
					return quartile, err
				}
				count[i] += n
			}
			took[i] += proc.ThreadTime() - from
		}
		for i := range all {
			all[i] = append(all[i], float64(took[i].Nanoseconds())/float64(max(1, count[i])))
		}
	}
	for i := range all {
		slices.Sort(all[i])
		quartile[i] = all[i][rounds/4]
	}
	return quartile, nil
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
				t.Name, fmt.Sprint(t.Weights), t.Loss.Format("%+.5f", 1), stats.Number("%.0f", t.Time), fmt.Sprint(t.Nodes),
				t.Worth.Format("%+.0f", 1), t.Price.Map(-1, 0).Format("%+.0f", 1), string(t.Verdict),
			}
		}),
	}}
}
