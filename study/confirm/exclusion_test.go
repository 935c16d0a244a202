package confirm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
	"plyfit/study/damage"
)

// largest are the greatest sizes that noise comes to beside each unit, in
// ascending order.
func largest(t *testing.T, p *Protocol) (sizes []float64) {
	t.Helper()
	units, err := p.units(context.Background(), openedSession(t), p.game("small"))
	if err != nil {
		t.Fatal(err)
	}
	e := p.error("noise")
	for _, u := range units {
		tune := damage.Tunable{Name: "noise", To: kindNamed("noise").most, Make: func(by float64) []damage.Damage { return e.at(by, p.Seed, u.seed) }}
		_, err := u.subject.Sized(context.Background(), tune, 0.99)
		var low *damage.Unreached
		if !errors.As(err, &low) {
			t.Fatalf("noise of size .99: %v", err)
		}
		sizes = append(sizes, low.Most)
	}
	slices.Sort(sizes)
	return sizes
}

// A base that an error cannot become so large beside is left out where the protocol
// says so, and ends the run where it does not. With too few units left a world is
// not played, its hypotheses are not decided and hold up none of the others.
func TestUnreachedSizes(t *testing.T) {
	fitted := []string{`"evaluation": "handwritten"`, `"evaluation": "fit", "games": 60`, `"pairs": 40`, `"pairs": 4`}
	p, err := readText(t, smallProtocol(t, fitted...))
	if err != nil {
		t.Fatal(err)
	}
	sizes := largest(t, p)
	sized := append(fitted, `"noise", "by": 1,`, fmt.Sprintf(`"noise", "misfit": %v,`, (sizes[1]+sizes[2])/2))
	for _, c := range []struct {
		exclusions string
		units      int
		played     bool
	}{{`{"unreached": true, "units": 4}`, 4, true}, {`{"unreached": true, "units": 5}`, 4, false}} {
		p, err := readText(t, smallProtocol(t, append(sized, `"exclusions": {}`, `"exclusions": `+c.exclusions)...))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(context.Background(), newSession(t, filepath.Join(t.TempDir(), "run"), 2), p, "tested", 20, "again")
		if err != nil {
			t.Fatal(err)
		}
		text := r.DeviationsLine()
		if strings.Count(text, ": noise comes to an error of ") != 2 || !strings.Contains(text, "small: 4 units of the 6 asked for") || strings.Contains(text, "not played") == c.played {
			t.Errorf("%s: %s", c.exclusions, text)
		}
		for _, v := range r.Findings {
			if v.Units != c.units || !c.played && (v.P != 1 || v.Support != study.NotDecided || v.EstimateText(4) != "unknown") {
				t.Errorf("%s: %+v", c.exclusions, v)
			}
		}
	}
	p, err = readText(t, smallProtocol(t, sized...))
	if err != nil {
		t.Fatal(err)
	}
	var low *damage.Unreached
	if _, err := newPlan(context.Background(), openedSession(t), p); !errors.As(err, &low) {
		t.Errorf("without the rule: %v, want an error of its size", err)
	}
}

// A dry run of a protocol whose errors are too large for all bases says so.
func TestCostOfUnreachedSizes(t *testing.T) {
	p, err := readText(t, smallProtocol(t, `"noise", "by": 1,`, `"noise", "misfit": 0.9,`, `"exclusions": {}`, `"exclusions": {"unreached": true}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Cost(context.Background(), catalog.All(), p, 1); err == nil || !strings.Contains(err.Error(), "world small: ") || !strings.Contains(err.Error(), "noise comes to") {
		t.Errorf("%v, want what cannot be reached", err)
	}
}

// Base evaluations may be trained: one a unit, which calibrations have the slopes of.
func TestTrainedBases(t *testing.T) {
	p, err := readText(t, smallProtocol(t, `"evaluation": "handwritten"`, `"evaluation": "train", "method": "td", "games": 50`, `"pairs": 40`, `"pairs": 4`, `"kind": "exp", "by": 4`, `"kind": "platt", "games": 60`))
	if err != nil {
		t.Fatal(err)
	}
	l, err := newPlan(context.Background(), openedSession(t), p)
	if err != nil {
		t.Fatal(err)
	}
	units := l.units["small"]
	if len(units) != 6 || units[0].subject.Digest == units[1].subject.Digest || units[0].slope == 0 || units[0].slope == units[1].slope {
		t.Errorf("%d units: %+v; want 6 with evaluations and slopes of their own", len(units), units[0])
	}
	for _, bad := range [][]string{{`"method": "td", `, ``}, {`"td"`, `"luck"`}, {`"games": 50`, `"games": 0`}, {`"train"`, `"fit"`}} {
		text := smallProtocol(t, `"evaluation": "handwritten"`, `"evaluation": "train", "method": "td", "games": 50`)
		if _, err := readText(t, strings.Replace(text, bad[0], bad[1], 1)); err == nil || !strings.Contains(err.Error(), "worlds[0]") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line", bad[1], err)
		}
	}
}
