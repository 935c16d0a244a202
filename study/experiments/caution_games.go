package experiments

import (
	"context"

	"plyfit/catalog"
	"plyfit/game"
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
func (k scoreCell) play(ctx context.Context, w *catalog.World, j *catalog.Judge) ([]float64, error) {
	var out []float64
	player := damage.NewRiskPlanner(w, j, k.Depth, k.Risk)
	var moves []game.Move
	for i := k.From; i < k.From+k.Count; i++ {
		random := study.NewRand(k.Seed, 0x5010, uint64(i))
		s := w.New()
		for s.Turn() != game.Nobody {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if s.Turn() == game.Chance {
				moves = s.Moves(moves[:0])
				s.Play(game.Drawn(s, moves, random.Float64()))
			} else {
				s.Play(player.Choose(s))
			}
		}
		out = append(out, s.Utility(0))
	}
	return out, nil
}
