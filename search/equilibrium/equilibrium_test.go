package equilibrium

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/game/poker"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/policy"
)

func tree(t *testing.T, make gametest.Maker, spec string) *Tree {
	t.Helper()
	return vectors.Must(NewTree(t.Context(), gametest.New(t, make, spec)))
}

func solve(t *testing.T, tree *Tree, iterations int) *Strategy {
	t.Helper()
	return vectors.Must(tree.Solve(context.Background(), iterations))
}

// kuhnEquilibrium returns an equilibrium from the family given by Kuhn (1950), as the probability
// of a bet in each information set.
func kuhnEquilibrium(alpha float64) map[string]float64 {
	return map[string]float64{
		"0 ?": alpha, "1 ?": 0, "2 ?": 3 * alpha,
		"0 ? pb": 0, "1 ? pb": alpha + 1./3, "2 ? pb": 1,
		"? 0 p": 1. / 3, "? 1 p": 0, "? 2 p": 1,
		"? 0 b": 0, "? 1 b": 1. / 3, "? 2 b": 1,
	}
}

// bets is a strategy for Kuhn poker, given as the probability of a bet in each information set.
type bets map[string]float64

func (b bets) Probs(s game.State, _ []game.Move, dst []float64) []float64 {
	p := b[s.(game.HiddenState).Info(s.Turn())]
	return append(dst, 1-p, p)
}

// TestKuhn checks that the known equilibria have the value -1/18 and cannot be exploited. It also
// checks the published exploitability of the uniform strategy.
func TestKuhn(t *testing.T) {
	tree := tree(t, poker.NewKuhn, "kuhn")
	if tree.Sets() != 12 || tree.Nodes() != 58 {
		t.Errorf("%d information sets, %d positions; want 12, 58", tree.Sets(), tree.Nodes())
	}
	for _, alpha := range []float64{0, 0.1, 1. / 3} {
		e := tree.Exploitability(tree.Follow(bets(kuhnEquilibrium(alpha))))
		if math.Abs(e.Values[0]+1./18) > 1e-12 || math.Abs(e.Values[1]-1./18) > 1e-12 || math.Abs(e.NashConv) > 1e-12 {
			t.Errorf("alpha %v: %+v, want -1/18 and no exploitability", alpha, e)
		}
	}
	wrong := kuhnEquilibrium(0.1)
	wrong["? 1 b"] = 0.5
	if e := tree.Exploitability(tree.Follow(bets(wrong))); e.NashConv < 0.01 {
		t.Errorf("a strategy that is no equilibrium: %+v", e)
	}
	// In OpenSpiel's tests, the NashConv of the uniform policy is 11/12.
	e := tree.Exploitability(tree.Uniform())
	if math.Abs(e.NashConv-11./12) > 1e-12 || math.Abs(e.Values[0]-0.125) > 1e-12 {
		t.Errorf("uniform: %+v, want a NashConv of 11/12 and a value of 1/8", e)
	}
	if e := tree.Exploitability(solve(t, tree, 2000)); math.Abs(e.Values[0]+1./18) > 1e-5 || e.NashConv > 1e-4 || e.NashConv < 0 {
		t.Errorf("CFR+: %+v", e)
	}
}

// TestLeduc checks the published value and the exploitability of the uniform strategy.
func TestLeduc(t *testing.T) {
	tree := tree(t, poker.NewLeduc, "leduc")
	if tree.Sets() != 936 {
		t.Errorf("%d information sets, want 936", tree.Sets())
	}
	if e := tree.Exploitability(tree.Uniform()); math.Abs(e.NashConv-4.747222222222222) > 1e-9 {
		t.Errorf("uniform: %+v, want a NashConv of 4.7472", e)
	}
	e := tree.Exploitability(solve(t, tree, 400))
	if math.Abs(e.Values[0]+0.0856) > 5e-4 || e.NashConv > 0.01 || e.NashConv < 0 {
		t.Errorf("CFR+: %+v, want a value of -0.0856", e)
	}
}

// TestBestResponse checks that a best response achieves its reported value when it is played, and
// that no change in a single information set achieves a higher value.
func TestBestResponse(t *testing.T) {
	for _, tree := range []*Tree{tree(t, poker.NewKuhn, "kuhn"), tree(t, poker.NewKuhn, "kuhn:players=3")} {
		s := tree.Uniform()
		for p := range game.Player(tree.game.Players) {
			best, answer := tree.BestResponse(s, p)
			if got := tree.Value(answer)[p]; math.Abs(got-best) > 1e-12 {
				t.Errorf("%s: player %d's best response gets %v, says %v", tree.game.Spec, p, got, best)
			}
			for i := range tree.sets {
				if tree.sets[i].player != p {
					continue
				}
				for k := range tree.sets[i].moves {
					other := answer.clone()
					other.probs[i] = make([]float64, len(tree.sets[i].moves))
					other.probs[i][k] = 1
					if got := tree.Value(other)[p]; got > best+1e-12 {
						t.Errorf("%s: player %d gets %v by %s at %s, best %v", tree.game.Spec, p, got, tree.sets[i].names[k], tree.sets[i].info, best)
					}
				}
			}
		}
	}
}

// TestSample checks that sampling an agent that draws its moves from a strategy recovers it.
func TestSample(t *testing.T) {
	tree := tree(t, poker.NewKuhn, "kuhn")
	want := solve(t, tree, 200)
	agent := search.Factory{New: func() (search.Agent, error) { return policy.NewSampler(want), nil }}
	got, exact, err := tree.Of(context.Background(), agent, 3, 1, 1)
	if err != nil || !exact {
		t.Fatalf("exact: %v, %v", exact, err)
	}
	for i := range got.probs {
		for k := range got.probs[i] {
			if got.probs[i][k] != want.probs[i][k] {
				t.Errorf("%s: %v, want %v", tree.sets[i].info, got.probs[i], want.probs[i])
			}
		}
	}
	got = vectors.Must(tree.Sample(context.Background(), agent, 2000, 1, 3))
	alone, err := tree.Sample(context.Background(), agent, 2000, 1, 1)
	if err != nil || !reflect.DeepEqual(got.probs, alone.probs) {
		t.Errorf("three workers and one differ, %v", err)
	}
	for i := range got.probs {
		for k := range got.probs[i] {
			if math.Abs(got.probs[i][k]-want.probs[i][k]) > 0.05 {
				t.Errorf("%s: sampled %v, plays %v", tree.sets[i].info, got.probs[i], want.probs[i])
			}
		}
	}
}

// TestFile checks that a strategy has the same exploitability after it is written and read back,
// and that Load rejects invalid files.
func TestFile(t *testing.T) {
	tree := tree(t, poker.NewKuhn, "kuhn")
	s := solve(t, tree, 50)
	var b bytes.Buffer
	vectors.Check(s.Write(&b))
	again := vectors.Must(tree.Load(b.Bytes()))
	if one, other := tree.Exploitability(s), tree.Exploitability(again); math.Abs(one.NashConv-other.NashConv) > 1e-12 {
		t.Errorf("written %+v, read %+v", one, other)
	}
	lines := strings.Split(b.String(), "\n")
	for name, text := range map[string]string{
		"format":   strings.Replace(b.String(), "strategy/1", "strategy/2", 1),
		"game":     strings.Replace(b.String(), `"kuhn"`, `"leduc"`, 1),
		"missing":  lines[0] + strings.Join(lines[2:], "\n"),
		"twice":    strings.Replace(b.String(), lines[1], lines[1]+lines[1], 1),
		"unknown":  strings.Replace(b.String(), "0 ?", "7 ?", 1),
		"negative": strings.Replace(b.String(), `"bet":`, `"bet":-`, 1),
		"move":     strings.Replace(b.String(), `"bet":`, `"raise":`, 1),
		"field":    strings.Replace(b.String(), `"format"`, `"form"`, 1),
		"text":     "want a strategy as JSON",
	} {
		if _, err := tree.Load([]byte(text)); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
	if _, err := tree.Solve(context.Background(), 1); err != nil {
		t.Error(err)
	}
}

// TestLabels checks the labels of an equilibrium of Kuhn poker: the difference between the labels
// of a call and a fold that follows from their probabilities, the label of a certain fold, and the
// weight of a deal. The two players' labels of a position after the deal must be opposite.
func TestLabels(t *testing.T) {
	const temperature = 0.3
	tree := tree(t, poker.NewKuhn, "kuhn")
	s := tree.Follow(bets(kuhnEquilibrium(0.2)))
	values, moves := map[string]float64{}, map[string]float64{}
	s.Labels(temperature, func(l *Label) {
		if l.Chose {
			moves[l.State.(game.HiddenState).Info(l.Player)+" "+l.State.String()] = l.Value
			return
		}
		values[l.State.String()] += l.Value
		if l.State.Turn() == game.Nobody {
			t.Errorf("%s: of a finished position told who did not choose", l.State)
		}
		if l.State.String() == "0 1" && l.Player == 0 && math.Abs(l.Weight-1./6) > 1e-12 {
			t.Errorf("a deal weighs %v, want 1/6", l.Weight)
		}
	})
	for position, sum := range values {
		if strings.Count(position, " ") == 1 && math.Abs(sum) > 1e-12 { // both labels of the position after the deal are known
			t.Errorf("%s: values add up to %v", position, sum)
		}
	}
	// A player with the middle card who faces a bet calls with probability 8/15.
	if got := moves["1 ? pbb 1 0 pbb"] - moves["1 ? pbp 1 0 pbp"]; math.Abs(got-temperature*math.Log(8./7)) > 1e-12 {
		t.Errorf("a call is worth %v more than a fold, want %v", got, temperature*math.Log(8./7))
	}
	if v := moves["0 ? pbp 0 1 pbp"]; math.Abs(v+1) > 1e-9 {
		t.Errorf("a fold that is sure is worth %v, want -1", v)
	}
}

// TestPureStrategies checks that every pure strategy for Kuhn poker loses at least 1/6 to its worst
// opponent. An agent that always plays the move with the best evaluation cannot do better.
func TestPureStrategies(t *testing.T) {
	tree := tree(t, poker.NewKuhn, "kuhn")
	s, least := tree.Uniform(), math.Inf(1)
	for number := range 1 << len(s.probs) {
		for i := range s.probs {
			bet := float64(number >> i & 1)
			s.probs[i] = []float64{1 - bet, bet}
		}
		least = min(least, tree.Exploitability(s).Exploitability)
	}
	if math.Abs(least-1./6) > 1e-12 {
		t.Errorf("the least of pure strategies is %v, want 1/6", least)
	}
}
