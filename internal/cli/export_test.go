package cli

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/features/tuples"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestModulesAgree exports models of several games as Python and JavaScript and checks that they
// return the same values as plyfit's evaluator. Models over automatic tables have random weights.
func TestModulesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	data := vectors.Must(filepath.Abs("testdata"))
	for _, c := range []struct{ game, model string }{
		{"connect4", "connect4/handwritten"}, {"connect4", "connect4/learned"}, {"othello", "othello/learned"}, {"pig", "pig/learned"}, {"2048", "2048/tables"},
		{"connect4", "tuples"}, {"connect4:dice=on", "tuples/terms"}, {"2048", "tuples"}, {"checkers", "tuples"},
		{"pig:players=3", "tuples"}, {"backgammon", "tuples/terms"}, {"doudizhu", "tuples"},
	} {
		t.Run(c.game+" "+c.model, func(t *testing.T) {
			t.Chdir(t.TempDir())
			w := vectors.Must(catalog.All().World(c.game))
			if strings.HasPrefix(c.model, "tuples") {
				m := models.New(w.Name, c.model, vectors.Must(w.Set(c.model)).Blocks())
				m.Bias, m.Range = 0.3, w.Range()
				rng := rand.New(rand.NewPCG(1, 1))
				for i := range m.Weights {
					m.Weights[i] = rng.NormFloat64()
				}
				for i := range m.Table {
					m.Table[i] = float32(rng.NormFloat64())
				}
				c.model = "random.json"
				vectors.Check(m.File().Save(c.model))
			}
			positions, want := examples(w, c.model)
			vectors.Check(os.WriteFile("positions.json", vectors.Must(json.Marshal(positions)), 0o644))
			for command, ending := range map[string]string{"python3": ".py", "node": ".mjs"} {
				if _, err := exec.LookPath(command); err != nil {
					continue
				}
				Must(t, "model", "export", c.model, "--game", c.game, "--format", strings.Trim(ending, ".m"), "-o", "evaluation"+ending)
				var got []float64
				vectors.Check(json.Unmarshal(vectors.Must(exec.Command(command, filepath.Join(data, "evaluate"+ending)).Output()), &got))
				largest := float64(len(got) - len(want))
				for i, v := range want {
					largest = max(largest, math.Abs(got[i]-v)/max(1, math.Abs(v)))
				}
				if t.Logf("%s: %d values, largest difference %.2g", command, len(want), largest); !(largest <= 1e-9) {
					t.Errorf("%s: %d values with a difference of %v, want %d equal values", command, len(got), largest, len(want))
				}
			}
		})
	}
}

// examples returns 800 positions of w, with cells if the model's features are those of cells, and
// plyfit's values.
func examples(w *catalog.World, model string) (positions []map[string]any, want []float64) {
	set, m, err := w.Model(model)
	vectors.Check(err)
	e := features.NewReference(w.Game, set, m)
	for s := range gametest.Games(w.Game, 1000, 1) {
		p := game.Player(len(want) % w.Base().Players)
		if features.OneValue(w.Base()) {
			p = set.View(s)
		}
		var cells []uint8
		if tuples.Board(w.Base(), set) != nil {
			layout := s.(game.Celled).Cells()
			cells = make([]uint8, layout.Len())
			s.(game.Celled).Fill(p, cells)
		}
		positions = append(positions, map[string]any{"x": features.Own(set).Extract(s, p, nil), "cells": cells, "turn": s.Turn(), "player": p})
		if want = append(want, e.Evaluate(s, p)); len(want) == 800 {
			break
		}
	}
	return positions, want
}
