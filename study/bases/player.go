package bases

import (
	"context"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/models"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/damage"
)

// How games are played: by the hand-written evaluation one decision ahead, which
// varies after some random decisions and where one of its moves is random.
const (
	openings = 8
	explore  = 0.1
)

// player plays the games of a fit. It belongs to one goroutine.
type player struct {
	fit   Fit
	world *game.Game
	set   features.Set
	eval  *damage.Subject
	agent search.Agent
	label search.Agent // of Search and Ranks
	score *game.Game   // of Points: who wins by how much; else nil
}

func (f Fit) newPlayer(w *catalog.World) (*player, error) {
	g, err := f.World.Of(w.Game)
	if err != nil {
		return nil, err
	}
	set, err := w.Set("")
	if err != nil {
		return nil, err
	}
	e, err := damage.NewEvaluation(w, "handwritten")
	if err != nil {
		return nil, err
	}
	u := &damage.Subject{Evaluation: e, Seed: f.Seed}
	p := &player{fit: f, world: g, set: set, eval: u, agent: u.Planner(f.World, 1, damage.Damage{}), label: u.Planner(f.World, deepLabel, damage.Damage{})}
	if f.Label == Points {
		p.score, err = scored(w)
	}
	return p, err
}

// play appends the positions of a game, which follow from its number alone. A game cut off has no outcome and gives none.
func (p *player) play(ctx context.Context, number uint64, data *rows) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	random := study.NewRand(p.fit.Seed, 0xba5e, number)
	dice := &play.Dice{Random: random}
	s := p.world.New()
	e := play.Episode{Luck: dice}
	e.Begin(s, 0, p.world.MaxPlies)
	from, opening := len(*data), random.IntN(openings+1)
	label := p.fit.Label
	for e.Next() {
		if e.Decisions < opening {
			e.Play(dice.Uniform(s))
			continue
		}
		base := game.Base(s)
		r := datasets.Sample{X: features.ExtractFirst(p.set, base, nil), Weight: 1, Episode: number}
		r.X = append(r.X, models.Term{Index: models.Bias, Value: 1})
		if label == Search || label == Ranks {
			found, err := p.label.Search(ctx, s)
			if err != nil {
				return err
			}
			r.Y = found.Value
			if s.Turn() == 1 {
				r.Y = -r.Y
			}
		}
		*data = append(*data, r)
		if random.Float64() < explore {
			e.Play(dice.Uniform(s))
			continue
		}
		found, err := p.agent.Search(ctx, s)
		if err != nil {
			return err
		}
		e.Play(found.Move)
	}
	if e.Truncated() {
		*data = (*data)[:from]
		return nil
	}
	var y float64
	switch label {
	case Outcome:
		y = float64(p.eval.Terminal(game.Base(s).Utility(0))) / damage.Grades
	case Points:
		end, err := p.score.Parse(game.Base(s).String())
		if err != nil {
			return err
		}
		y = (float64(2*end.Utility(0)) - p.score.Min - p.score.Max) / (p.score.Max - p.score.Min)
	default:
		return nil
	}
	for i := range (*data)[from:] {
		(*data)[from+i].Y = y
	}
	return nil
}
