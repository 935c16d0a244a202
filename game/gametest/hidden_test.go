package gametest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/kuhn"
)

// leaky is a position of Kuhn poker that breaks one clause of the law.
type leaky struct {
	*kuhn.State
	fault string
}

func (l *leaky) wrap(s game.State) game.State { return &leaky{s.(*kuhn.State), l.fault} }
func (l *leaky) Clone() game.State            { return l.wrap(l.State.Clone()) }

func (l *leaky) Info(p game.Player) string {
	switch l.fault {
	case "shown":
		return l.String()
	case "lines":
		return l.State.Info(p) + "\n"
	}
	return l.State.Info(p)
}

func (l *leaky) Sample(p game.Player, rng *rand.Rand) game.State {
	switch l.fault {
	case "same", "shown":
		return l.Clone()
	case "other":
		return l.wrap(l.State.Sample(1-p, rng))
	case "follows":
		rng = rand.New(rand.NewPCG(uint64(l.Card(1-p)), rng.Uint64()))
	}
	return l.wrap(l.State.Sample(p, rng))
}

func (l *leaky) Rank(m game.Move) int32 {
	if p := l.Turn(); l.fault == "rank" && p >= 0 && m == kuhn.Bet {
		return int32(l.Card(1 - p))
	}
	return 0
}

// The law finds what betrays hidden cards.
func TestLawFindsLeaks(t *testing.T) {
	for fault, want := range map[string]string{
		"":        "",
		"shown":   "want something hidden",
		"same":    "want something hidden",
		"lines":   "want one line",
		"other":   "of which he knows",
		"follows": "here and",
		"rank":    "another rank",
	} {
		sound := New(t, kuhn.New, "kuhn")
		g := *sound
		g.New = func() game.State { return &leaky{sound.New().(*kuhn.State), fault} }
		g.Parse = func(text string) (game.State, error) {
			s, err := sound.Parse(text)
			if err != nil {
				return nil, err
			}
			return &leaky{s.(*kuhn.State), fault}, nil
		}
		l := &listener{}
		obey(l, &g, Options{Playouts: 50, Reads: 4})
		said := strings.Join(l.said, "\n")
		if fault == "" && said != "" || fault != "" && !strings.Contains(said, want) {
			t.Errorf("fault %q: the law says %.300q, want something of %q", fault, said, want)
		}
	}
	open := *New(t, kuhn.New, "kuhn")
	open.Hidden = false
	l := &listener{}
	obey(l, &open, Options{Playouts: 5})
	if said := strings.Join(l.said, "\n"); !strings.Contains(said, "the game's Hidden is false") {
		t.Errorf("a game that hides and does not say so: %.300q", said)
	}
}
