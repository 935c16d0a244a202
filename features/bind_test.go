package features

import (
	"math"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
)

const smallModel = `{"format": "plyfit-model/1", "game": "duel", "features": "duel/test", "link": "tanh", "scale": 0.5, "bias": 2,
 "terms": [{"name": "left[3]", "weight": -1, "se": 0.5}, {"name": "own", "weight": 1.5}]}`

func TestBind(t *testing.T) {
	f := vectors.Must(models.Read("m.json", []byte(smallModel)))
	slippery, _ := game.WithSlip(duelGame(2), .1)
	m := vectors.Must(Bind(duelSet{}, slippery, f))
	if m.Weights[0] != 1.5 || m.Weights[6] != -1 || m.Weights[1] != 0 || m.Bias != 2 || m.Link != (models.Link{Kind: models.Tanh, Scale: .5}) || m.Leaves != models.Decision {
		t.Errorf("bound to %+v", m)
	}
	if m.Errors[6] != .5 || !math.IsNaN(m.Errors[0]) {
		t.Errorf("standard errors %v, want one of 0.5 for left[3]", m.Errors)
	}
}

func TestBindTables(t *testing.T) {
	set := duelSet{table: true}
	m := randomDuelModel(set, links[0], 4)
	f := m.File()
	back := vectors.Must(Bind(set, duelGame(2), f))
	if len(back.Table) != 85 || back.Table[3] != m.Table[3] || back.Weights[2] != m.Weights[2] {
		t.Error("a table was not bound as it was")
	}
	f.TableBlocks = []models.TableBlock{{Name: "table", Len: 84}}
	f.Table = f.Table[:84]
	if _, err := Bind(set, duelGame(2), f); err == nil || !strings.Contains(err.Error(), `want 85 weights in "table", found 84`) {
		t.Errorf("a short table: %v", err)
	}
	f.TableBlocks[0].Name = "tabel"
	if _, err := Bind(set, duelGame(2), f); err == nil || !strings.Contains(err.Error(), "such as table") {
		t.Errorf("an unknown table: %v", err)
	}
}

func TestBindErrors(t *testing.T) {
	unbounded := duelGame(2)
	unbounded.Max = math.Inf(1)
	for _, c := range []struct {
		old, new string
		g        *game.Game
		want     string
	}{
		{`"game": "duel"`, `"game": "chess"`, nil, "m.json: game: want a model of duel, found one of chess"},
		{"duel/test", "duel/none", nil, "m.json: features: want the feature set duel/test, found duel/none"},
		{`"own"`, `"onw"`, nil, `m.json: terms: want terms of duel/test such as own, found "onw"`},
		{`"bias"`, `"fingerprint": "0123456789abcdef", "bias"`, nil, "m.json: fingerprint: want "},
		{"", "", unbounded, "m.json: link: want identity"},
	} {
		f := vectors.Must(models.Read("m.json", []byte(strings.Replace(smallModel, c.old, c.new, 1))))
		g := c.g
		if g == nil {
			g = duelGame(2)
		}
		if _, err := Bind(duelSet{}, g, f); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.new, err, c.want)
		}
	}
}
