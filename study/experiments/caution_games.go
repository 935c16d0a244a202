package experiments

import (
	"context"

	"plyfit/catalog"
	"plyfit/game/play"
	"plyfit/study"
	"plyfit/study/damage"
)

// scoreCell is a part of the games of an arm: a cell's key.
type scoreCell struct {
	Game   string      `json:"game"`
	Eval   string      `json:"eval"`
	Digest string      `json:"digest"`
	Depth  int         `json:"depth"`
	Risk   damage.Risk `json:"gamble"` // the key of earlier versions
	From   int         `json:"from"`
	Count  int         `json:"count"`
	Seed   uint64      `json:"seed"`
}

// play plays the games: the scores.
func (k scoreCell) play(ctx context.Context, w *catalog.World, j *catalog.Evaluation) ([]float64, error) {
	var out []float64
	player := damage.NewRiskPlanner(w, j, k.Depth, k.Risk)
	for i := k.From; i < k.From+k.Count; i++ {
		e := play.Episode{Luck: &play.Dice{Random: study.NewRand(k.Seed, 0x5010, uint64(i))}}
		e.Begin(w.New(), 0, play.NoLimit)
		for e.Next() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			e.Play(player.Choose(e.State))
		}
		out = append(out, e.State.Utility(0))
	}
	return out, nil
}
