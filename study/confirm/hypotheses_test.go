package confirm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// protocolOf is a protocol of some worlds and sources, whose rows are planted.
func protocolOf(t *testing.T) *Protocol {
	t.Helper()
	p := &Protocol{
		Format: format, Name: "t", Title: "t", Written: "t", Analysis: analysis, Alpha: 0.05, Seed: 1,
		Exclusions: Exclusions{Units: 10, Loss: 0.01}, Law: Law{Positions: 10, Depth: 2, Predictor: "direct"},
		Sources: []Source{{ID: "few", Games: 15}, {ID: "some", Games: 60}, {ID: "more", Games: 500}, {ID: "most", Games: 4000, Base: true}},
	}
	ids := []string{"few", "some", "more", "most"}
	for i, slip := range []float64{0.1, 0.2, 0.3} {
		p.Worlds = append(p.Worlds, World{ID: fmt.Sprint("board", slip), Game: "connect4:columns=4,rows=4", Slip: slip, Measure: exactly, Sources: ids, Seeds: []uint64{1, 12}, Depths: []int{2, 3}, Tested: []int{2, 3}, Calibrate: 10, Planted: 0.08})
		p.Worlds = append(p.Worlds, World{ID: fmt.Sprint("games", i), Game: "connect4", Slip: slip, Measure: byGames, Role: []string{fits, "", held}[i], Pairs: 10, Reference: 10, Sources: ids, Seeds: []uint64{1, 12}, Depths: []int{2}, Tested: []int{2}, Calibrate: 10})
	}
	margins := map[string][]float64{"P1": {1.25}, "P2": {0.1, 0.67, 1.5, 0.03, 0.5}, "P3": {1.15}, "P4": {0.6, 0.5, 2}, "P5": {1.15, 0.001}, "P6": {0.5, 60}, "P7": {2}, "P8": {1.25}}
	for i := 1; i <= 8; i++ {
		id := fmt.Sprint("P", i)
		p.Hypotheses = append(p.Hypotheses, Hypothesis{id, "so it is", margins[id]})
	}
	if err := p.check(catalog.All()); err != nil {
		t.Fatal(err)
	}
	return p
}

// truth is what rows are planted with.
type truth struct {
	ratio   float64 // expectimax over minimax beyond scale
	share   float64 // of scale where the slope is .3
	gain    float64 // where the slope is above 1
	law     float64 // what is found over what is predicted where held out
	noise   float64 // over a steep link
	growing float64 // of noise's E/M by slip
}

// plant makes rows with scatter between units.
func plant(p *Protocol, of truth) (rows []Row) {
	random := rand.New(rand.NewPCG(3, 4))
	slopes := map[string]float64{"few": 0.3, "some": 0.45, "more": 0.9, "most": 1.3}
	for i := range p.Worlds {
		w := &p.Worlds[i]
		for _, id := range w.Sources {
			for _, seed := range w.units() {
				for _, d := range w.Depths {
					off := func() float64 { return 0.002 * random.NormFloat64() }
					r := Row{World: w.ID, Source: id, Seed: seed, Depth: d, Slope: slopes[id], Minimax: 0.08 + off()}
					clean := float64(r.Minimax*of.ratio) + off()/4
					gain := 0.0
					switch {
					case r.Slope < 0.5:
						gain = clean * of.share / (1 - of.share) * 0.3 / r.Slope
					case r.Slope > 1:
						gain = of.gain
					}
					r.Platt, r.Expectimax = clean, clean+gain
					r.ByDirect = gain + 0.0005*random.Float64()
					if w.Role == held {
						r.ByDirect = gain/of.law + 0.0005*random.Float64()
					}
					r.NoiseMinimax, r.Noise, r.Steep = math.NaN(), math.NaN(), math.NaN()
					if w.Planted > 0 && id == "most" {
						r.NoiseMinimax = 0.02 + off()/2
						r.Noise = float64(r.NoiseMinimax*(1+float64(of.growing*(w.Slip-0.1)))) + off()/10
						r.Steep = r.Noise / of.noise
					}
					rows = append(rows, r)
				}
			}
		}
	}
	return rows
}

var asClaimed = truth{ratio: 1.02, share: 0.12, gain: -0.001, law: 1, noise: 4, growing: 3}

// Each hypothesis is supported where it is so, and is not where that alone is otherwise;
// what it is then depends on nothing else.
func TestDecide(t *testing.T) {
	p := protocolOf(t)
	for _, v := range p.Decide(Table{Rows: plant(p, asClaimed)}) {
		if v.Support != study.Supported {
			t.Errorf("%s: %v, p %.2g by Holm %.2g, %v", v.ID, v.Support, v.P, v.Holm, v)
		}
	}
	for id, change := range map[string]func(*truth){
		"P1": func(of *truth) { of.ratio = 1.4 },
		"P2": func(of *truth) { of.share = 0.005 },
		"P3": func(of *truth) { of.ratio = 0.8 },
		"P4": func(of *truth) { of.law = 0.2 },
		"P5": func(of *truth) { of.gain = 0.005 },
		"P7": func(of *truth) { of.noise = 1 },
		"P8": func(of *truth) { of.growing = -2 },
	} {
		of := asClaimed
		change(&of)
		list := p.Decide(Table{Rows: plant(p, of)})
		i := slices.IndexFunc(list, func(v Decision) bool { return v.ID == id })
		if v := list[i]; v.Support != study.Contradicted {
			t.Errorf("%s against: %v, p %.2g, %v", id, v.Support, v.P, v)
		}
	}
	// Where expectimax loses more by order, calibrating cannot take half of that.
	of := asClaimed
	of.ratio, of.share = 1.3, 0.01
	for _, v := range p.Decide(Table{Rows: plant(p, of)}) {
		if v.ID == "P6" && v.Support != study.Contradicted {
			t.Errorf("P6 against: %v, p %.2g, %v", v.Support, v.P, v)
		}
	}
	// Of nothing but scatter nothing is decided.
	for _, v := range p.Decide(Table{}) {
		if v.Support != study.NotDecided || v.P != 1 {
			t.Errorf("%s of no rows: %v, p %v", v.ID, v.Support, v.P)
		}
	}
}

// TestExclusions: a group of fewer units than the protocol wants decides nothing, one
// where minimax loses next to nothing has no ratio, and worlds without a ratio have none.
func TestExclusions(t *testing.T) {
	p := protocolOf(t)
	rows := plant(p, asClaimed)
	all := len(p.sample(rows, nil, gain).values)
	fewer := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.World == "games0" && r.Source == "few" && r.Seed > 9 })
	if n := len(p.sample(fewer, nil, gain).values); n != all-1 {
		t.Errorf("without three units of a group %d groups, want %d", n, all-1)
	}
	for i := range rows {
		if rows[i].World == "games0" {
			rows[i].Minimax = 0.005
		}
	}
	if n := len(p.sample(rows, nil, gain).values); n != all-4 {
		t.Errorf("where minimax loses nothing %d groups, want %d", n, all-4)
	}
	p.Worlds[0].NoRatio = true
	if n := len(p.sample(rows, nil, gain).values); n != all-8 {
		t.Errorf("without a world's ratio %d groups, want %d", n, all-8)
	}
}

// TestRows: verdicts follow from the table that a run writes.
func TestRows(t *testing.T) {
	p := protocolOf(t)
	rows := Table{Rows: plant(p, asClaimed)}
	d := rowData(rows.Rows)
	var text bytes.Buffer
	if err := d.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := p.ReadTable(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprint(p.Decide(rows)), fmt.Sprint(p.Decide(again)); a != b {
		t.Errorf("read back they decide\n%s\nwant\n%s", b, a)
	}
	for i := range again.Rows { // what was not measured is null
		again.Rows[i].Platt = math.NaN()
	}
	if text, err := json.Marshal(p.Again(again, 0)); err != nil || !bytes.Contains(text, []byte(`"observed":null`)) {
		t.Errorf("%v: %s", err, text)
	}
	for _, c := range []struct{ text, want string }{
		{"a,b\n1,2\n", "want the columns"},
		{strings.Replace(text.String(), "games0", "nowhere", 1), `world "nowhere" is none`},
		{strings.Replace(text.String(), ",1,2,", ",one,2,", 1), "column seed: want a number"},
	} {
		if _, err := p.ReadTable(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestPermute: of families in which nothing is true few come to a verdict, though all
// hypotheses of the real one are supported.
func TestPermute(t *testing.T) {
	p := protocolOf(t)
	if r := p.Permute(400, Table{Rows: plant(p, asClaimed)}); r.Families != 400 || r.Hits > 32 {
		t.Errorf("%v: more than 8%%", r)
	}
	if r := p.Permute(20, Table{}); r.Hits != 0 {
		t.Errorf("%v of no rows", r)
	}
}
