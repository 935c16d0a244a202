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

// another is like duelSet, but with different values under the same names.
type another struct{ duelSet }

func (a another) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	from := len(x)
	x = a.duelSet.Extract(s, p, x)
	for i := range x[from:] {
		if x[from+i].Index == 0 {
			x[from+i].Value *= 2
		}
	}
	return x
}

// shuffled is like duelSet, but its terms are in a different order, and each value is divided
// between two terms.
type shuffled struct{ duelSet }

func (a shuffled) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	from := len(x)
	x = a.duelSet.Extract(s, p, x)
	for i, n := from, len(x); i < n; i++ {
		x[i].Value /= 2
		x = append(x, x[i])
	}
	return x
}

// TestFingerprint checks that a set with different values under the same names rejects a model, and
// that a set with the same values in a different order accepts it. Two fingerprints do not cover
// the values: the fingerprint of only the names, found in old files, and the fingerprint for a game
// with different options.
func TestFingerprint(t *testing.T) {
	g := duelGame(2)
	m := New(duelSet{}, g)
	for i := range m.Weights {
		m.Weights[i] = 1
	}
	bind := func(set Set, fingerprint string) (*models.Linear, error) {
		t.Helper()
		f := m.File()
		f.Name, f.Fingerprint = "m.json", fingerprint
		return Bind(set, g, f)
	}
	full := m.Fingerprint
	names, _, _ := strings.Cut(full, "-")
	other := strings.Split(full, "-")
	other[1] = "00000000"
	for _, c := range []struct {
		set         Set
		fingerprint string
		ok          bool
	}{
		{duelSet{}, full, true},
		{shuffled{}, full, true},
		{another{}, full, false},
		{another{}, names, true},
		{another{}, strings.Join(other, "-"), true},
		{duelSet{}, "0" + full, false},
	} {
		bound, err := bind(c.set, c.fingerprint)
		if (err == nil) != c.ok {
			t.Errorf("%T and fingerprint %s: %v, want success: %v", c.set, c.fingerprint, err, c.ok)
		}
		if err == nil && bound.Fingerprint != c.fingerprint {
			t.Errorf("%T: fingerprint %s has become %s", c.set, c.fingerprint, bound.Fingerprint)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "m.json: fingerprint: want ") {
			t.Errorf("%T: %v", c.set, err)
		}
	}
}

// counting counts the calls to Extract.
type counting struct {
	duelSet
	extracted *int
}

func (c counting) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	*c.extracted++
	return c.duelSet.Extract(s, p, x)
}

// TestFingerprintOnce checks that a fingerprint is computed only once per process and game.
func TestFingerprintOnce(t *testing.T) {
	n := 0
	set, g := counting{extracted: &n}, duelGame(2)
	first := Fingerprint(set, g)
	once := n
	if again := Fingerprint(set, duelGame(2)); again != first || n != once || once == 0 {
		t.Errorf("%s after %d positions, then %s after %d", first, once, again, n)
	}
	g.Spec = "duel:variant"
	if other := Fingerprint(set, g); other == first || n == once {
		t.Errorf("%s in another game, %d positions", other, n)
	}
}

// TestTooLarge checks that Bind rejects weights so large that sums could overflow.
func TestTooLarge(t *testing.T) {
	g := duelGame(2)
	m := New(duelSet{}, g)
	m.Weights[0] = 1e200
	f := m.File()
	f.Name = "m.json"
	if _, err := Bind(duelSet{}, g, f); err == nil || !strings.HasPrefix(err.Error(), "m.json: terms: want weights below 1e150, ") {
		t.Error(err)
	}
	m.Weights[0], m.Bias = 1, -1e200
	if _, err := Bind(duelSet{}, g, m.File()); err == nil || !strings.Contains(err.Error(), "bias: want a number below 1e150") {
		t.Error(err)
	}
}

// Duel returns the game used by these tests, for the tests in package features_test.
func Duel(players int) *game.Game { return duelGame(players) }

// DuelSet returns the feature set of duel. FastDuelSet is the same set with sums that are updated
// with each move.
func DuelSet(table bool) Set     { return duelSet{table} }
func FastDuelSet(table bool) Set { return fastDuel{duelSet{table}} }
