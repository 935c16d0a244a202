package experiments

import (
	"context"
	"fmt"
	"slices"

	"plyfit/models"
	"plyfit/study"
	"plyfit/study/damage"
)

var crossed = study.Experiment{
	Name:     "crossed",
	Question: "In one world of a real game, which errors of an evaluation cost expectimax more than minimax?",
	Hypothesis: "Written 2026-11-22, before the first run: within a world errors of scale cost expectimax something and minimax exactly nothing; white noise costs both planners the same within .02 of the points; " +
		"of errors that a decision's alternatives share, as learned weights have them, it is open whom they cost more.",
	Design: "Planner x world x kind of error x depth, in games. A planner with the error meets the same planner without it, in one world: expectimax knows the world, minimax ignores slips and takes dice for hostile. Planners are compared within a world, depth and error, on the same openings with the same luck, pair by pair. " +
		"Kinds of error: exp(cz) and a link that is too steep (scale); white noise; noise three quarters of whose variance the alternatives of a decision share; errors of all weights; an underweighted feature; all of one size, the root mean square after the best affine fit within each tree, at the leaves of a search. Log odds in place of probabilities stand beside them at their own size. Draws of an error meet openings of their own, and are the units of its intervals. " +
		"Yardsticks in the same world: the same planner one ply less deep, an evaluation that knows only the ends, random moves. Depth 1 is the negative control: there both planners choose alike, since the evaluation is asked right after a move, before any dice. Exploratory: nothing is corrected for the number of figures.",
	Takes:   []string{"game", "eval", "feature", "depth", "slip", "error", "pairs"},
	Minutes: [3]float64{0.1, 9, 240},
	Run:     runCrossed,
}

// factorKind is a kind of error of the factorial, its draws at their strength.
type factorKind struct {
	name    string
	damages []damage.Damage
	control bool // must change nothing
	own     bool // has a size of its own
}

func (k factorKind) warps() bool { return k.damages[0].Warps() }

// factorials is the experiment in one game.
type factorial struct {
	*damage.Subject
	kinds  []factorKind
	size   float64 // the common misfit
	worlds []study.World
	depths []int
	pairs  int
	losses map[study.Arm][]float64 // shares of the points, by opening
}

func runCrossed(ctx context.Context, s *study.Session) (*study.Results, error) {
	f := &study.Results{}
	var all []damage.Played
	var headlines []string
	for _, g := range crossedGames(s) {
		r, err := newFactorial(s, g)
		if err != nil {
			return nil, err
		}
		played, err := r.play(ctx, s)
		if err != nil {
			return nil, err
		}
		all = append(all, played...)
		headline, err := r.results(f, s.Seed)
		if err != nil {
			return nil, err
		}
		headlines = append(headlines, headline)
	}
	f.Data = append(f.Data, damage.PairData("matches", all)...)
	f.Headline, f.Notes = headlines[0], append(f.Notes, headlines[1:]...)
	return f, nil
}

// crossedGame is a game of the experiment.
type crossedGame struct {
	spec   string
	share  int // of the pairs: one in so many
	depths []int
}

// crossedGames are those of the setting, or the user's. Dear games have fewer pairs and
// less depth, so that all of them are there.
func crossedGames(s *study.Session) (games []crossedGame) {
	switch {
	case s.Over.Games != nil:
		for _, spec := range s.Over.Games {
			games = append(games, crossedGame{spec, 1, []int{1, 2}})
		}
		return games
	case s.Effort == study.Quick:
		return []crossedGame{{"connect4", 1, []int{1, 2}}}
	}
	games = []crossedGame{{"connect4", 1, []int{1, 2, 3}}, {"checkers", 2, []int{1, 2, 3}}, {"othello", 5, []int{1, 2}}, {"connect4:dice=on", 1, []int{1, 2}}, {"backgammon", 25, []int{1, 2}}}
	if s.Effort == study.Full {
		games[2].depths = []int{1, 2, 3}
		games = append(games, crossedGame{"chess", 25, []int{1, 2, 3}})
	}
	return games
}

func newFactorial(s *study.Session, g crossedGame) (*factorial, error) {
	u, err := damage.LoadSubject(s, g.spec)
	if err != nil {
		return nil, err
	}
	r := &factorial{Subject: u, pairs: max(minPairs, s.Pairs(200, 1000, 5600)/g.share), losses: map[study.Arm][]float64{}}
	if err := r.chooseWorlds(s, []float64{0.1, 0.2}); err != nil {
		return nil, err
	}
	r.depths = slices.Sorted(slices.Values(study.Or(s.Over.Depths, g.depths)))
	return r, r.makeKinds(s)
}

// chooseWorlds makes the worlds of it: the game as it is where it has chance of its own,
// else with slips, the usual ones or the user's.
func (r *factorial) chooseWorlds(s *study.Session, usual []float64) error {
	if r.Base.Chancy() {
		r.Evaluation.Leaves = models.Afterstate // asked before the dice, so that depth 1 averages nothing
		if s.Over.Slips != nil {
			return fmt.Errorf("%s has chance of its own: takes no --slip", r.Base.Spec)
		}
		r.worlds = []study.World{{}}
		return nil
	}
	for _, p := range study.Or(s.Over.Slips, usual) {
		if p == 0 {
			return fmt.Errorf("%s: --slip 0: there expectimax is minimax; want slips above 0", r.Base.Spec)
		}
		r.worlds = append(r.worlds, study.World{Slip: p})
	}
	return nil
}

// minPairs are those of a match at least, however dear the game.
const minPairs = 5

// makeKinds brings the kinds of error to one size.
func (r *factorial) makeKinds(s *study.Session) error {
	feature, err := r.Underweighted(s.Over.Feature)
	if err != nil {
		return err
	}
	list := slices.Concat(damage.Scales(), r.Randoms(min(r.pairs, s.Pick(5, 20, 20))), []damage.Tunable{feature})
	if r.size = s.Over.Error; r.size == 0 {
		r.size = r.CommonSize(list)
	}
	for _, t := range list {
		damages, err := r.Sized(t, r.size)
		if err != nil {
			return err
		}
		name := t.Name
		if len(damages) == 1 {
			name = fmt.Sprintf("%s (%.3g)", t.Name, damages[0].By)
		}
		r.kinds = append(r.kinds, factorKind{name: name, damages: damages})
	}
	single := func(name string, d damage.Damage) factorKind {
		return factorKind{name: name, damages: []damage.Damage{d}}
	}
	odds, same, affine := single("log odds", damage.Damage{Kind: damage.LogOdds}), single(damage.Identity, damage.IdentityControl), single(damage.AffineMap, damage.AffineControl)
	odds.own, same.control, affine.control = true, true, true
	r.kinds = append(r.kinds, odds, same, affine)
	return nil
}

// minimax is what minimax takes any world of the game for.
func (r *factorial) minimax() study.World { return study.World{Hostile: r.Base.Chancy()} }

// controlPairs are enough where no move changes.
const controlPairs = 50

// play plays all matches.
func (r *factorial) play(ctx context.Context, s *study.Session) ([]damage.Played, error) {
	subjects := damage.Subjects{}
	subjects.Add(r.Subject)
	var matches []damage.Match
	var of []study.Arm
	for _, w := range r.worlds {
		for _, d := range r.depths {
			for _, assumes := range []study.World{w, r.minimax()} {
				m := damage.Match{Game: r.Base.Spec, Eval: r.Digest, World: w, Assumes: assumes, Depth: d, Plies: damage.OpeningPlies, Pairs: r.pairs}
				for _, k := range r.kinds {
					n := r.pairs
					if k.control || k.warps() && assumes != w {
						n = min(n, controlPairs)
					}
					for _, draw := range m.Draws(k.damages, n) {
						matches, of = append(matches, draw), append(of, r.arm(w, assumes, d, k.name))
					}
				}
				for _, anchor := range anchorsAt(d) {
					m.Anchor = anchor
					matches, of = append(matches, m), append(of, m.Arm())
				}
			}
		}
	}
	played, err := damage.PlayAll(ctx, s, "matches in "+r.Base.Spec, subjects, matches)
	for i, p := range played {
		r.losses[of[i]] = append(r.losses[of[i]], p.Points.Losses()...)
	}
	return played, err
}

// anchorsAt are the yardsticks of a depth.
func anchorsAt(depth int) []damage.Anchor {
	if depth == 1 {
		return []damage.Anchor{damage.Zero, damage.Random}
	}
	return []damage.Anchor{damage.OnePly, damage.Zero, damage.Random}
}

func (r *factorial) arm(world, assumes study.World, depth int, name string) study.Arm {
	return study.Arm{Game: r.Base.Spec, World: world, Assumes: assumes, Error: name, Depth: depth}
}
