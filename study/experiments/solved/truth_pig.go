package solved

import (
	"context"
	"fmt"
	"slices"

	"plyfit/game"
	"plyfit/game/pig"
	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
)

// smallPig is pig whose every decision is asked for in seconds.
const smallPig = "pig:target=50"

// pigCell is a planner of pig measured against perfect play: a cell's key.
type pigCell struct {
	Game   string        `json:"game"`
	Eval   string        `json:"eval"`
	Damage damage.Damage `json:"damage"`
	Depth  int           `json:"depth"`
	Seed   uint64        `json:"seed"`
}

// pigRegrets adds to the findings what damaged planners lose of their
// probability to win pig against perfect play: every decision they can be asked
// for is asked for, nothing is sampled.
func pigRegrets(ctx context.Context, s *study.Session, f *study.Results, spec string) error {
	base, err := s.Catalog.World(spec)
	if err != nil {
		return err
	}
	// The learned one is for games to 100, and knows little of shorter ones.
	clean, err := damage.NewEvaluation(base, "handwritten")
	if err != nil {
		return err
	}
	u, err := damage.NewSubject(clean, s.Seed)
	if err != nil {
		return err
	}
	e, err := u.Equalise(0, "", s.Pick(1, 5, 10))
	if err != nil {
		return err
	}
	depths := [][]int{{1, 2}, {1, 2, 3}, {1, 2, 3, 4}}[s.Effort]
	damages := append([]damage.Damage{{}, {Kind: damage.Exp, By: 4}}, e.All()...)
	var keys []pigCell
	for _, d := range damages {
		for _, n := range depths {
			keys = append(keys, pigCell{u.Base.Spec, u.Digest, d, n, s.Seed})
		}
	}
	found, err := study.Cells(ctx, s, "pig", keys, func(k pigCell) float64 { return u.Effort(k.Depth, false) }, func(ctx context.Context, k pigCell) (float64, error) {
		p := u.Planner(study.World{}, k.Depth, k.Damage)
		return pig.Regret(u.Base.Game, func(at game.State) (game.Move, error) {
			r, err := p.Search(ctx, at)
			if err == nil {
				err = ctx.Err()
			}
			return r.Move, err
		})
	})
	if err != nil {
		return err
	}
	data := study.Data{Name: "pig", Head: []string{"game", "damage", "noise_seed", "misfit", "depth", "regret"}}
	t := report.Table{Head: []string{"pig, damage"}, Words: 1, Caption: fmt.Sprintf("%s: probability to win lost against perfect play, in percent, exact; the mean over who begins. Noise: the mean over its seeds.", u.Base.Spec)}
	for _, n := range depths {
		t.Head = append(t.Head, fmt.Sprintf("depth %d", n))
	}
	var lines []string
	lost := map[string]map[int][]float64{}
	for i, k := range keys {
		data.Row(k.Game, k.Damage, k.Damage.Seed, study.Round(u.Misfit(k.Damage), 4), k.Depth, found[i])
		name := label(k.Damage, u)
		if k.Damage.Kind == damage.Noise {
			name = fmt.Sprintf("noise, error %.2f", e.Error)
		}
		if k.Damage.Kind == damage.Feature {
			name = fmt.Sprintf("%s x%.2g, error %.2f", e.Term, k.Damage.By, e.Error)
		}
		if lost[name] == nil {
			lost[name] = map[int][]float64{}
			lines = append(lines, name)
		}
		lost[name][k.Depth] = append(lost[name][k.Depth], found[i])
	}
	for _, name := range lines {
		row := []string{name}
		for _, n := range depths {
			row = append(row, study.Number(100*study.Mean(lost[name][n]), 3))
		}
		t.Rows = append(t.Rows, row)
	}
	f.Data, f.Tables = append(f.Data, data), append(f.Tables, t)
	last := slices.Max(depths)
	for _, name := range lines[1:] {
		d := study.Exactly(100 * (study.Mean(lost[name][last]) - study.Mean(lost["clean"][last])))
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in pig, %s loses more than the clean evaluation, depth %d", name, last), d, study.Above, 0, fmt.Sprintf("%+.3f percent of winning, exact", d.Value)))
	}
	return nil
}
