package catalog

import (
	"context"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
)

// FuzzSpecs parses specs of games and agents. If the spec of an agent is accepted, it must be
// possible to create the agent.
func FuzzSpecs(f *testing.F) {
	for _, seed := range [][2]string{
		{"2048:size=3+slip=0.1", "expectimax:depth=1,eval=zero,leaf=afterstate"},
		{"2048:size=2+adversary", "alphabeta:depth=1,table=1,order=natural"},
		{"connect4:score=distance,dice=on", "expectimax:depth=1,prune=star2,minprob=1/100,samples=3"},
		{"connect4+slip=1/5", "minimax:depth=1,assume=base,ties=random"},
		{"pig:target=20,players=3", "maxn:depth=1,prune=none"},
		{"pig:players=4", "paranoid:depth=1"},
		{"pig", "alphabeta:assume=(mix(0.8*alphabeta:depth=2,0.2*random)),nodes=100"},
		{"tictactoe", "mcts:simulations=10,exploration=1.4,time=1ms"},
		{"tictactoe", "mix(0.5*random,0.5*(greedy:eval=handwritten))"},
		{"tree", "minimax:eval=models/handwritten/2048-basic.json"},
		{"othello", "alphabeta:depth=1,quiescence=on,threads=2"},
		{"checkers", "random"},
		{"kuhn:players=3", "pimc:samples=2,agent=(maxn:depth=2),ties=random"},
		{"leduc", "ismcts:simulations=5,observers=multiple,rollouts=on"},
		{"doudizhu:bid=on,score=points,four=off", "rule"},
		{"leduc", "cheat(expectimax:depth=1)"},
	} {
		f.Add(seed[0], seed[1])
	}
	all := All()
	f.Fuzz(func(t *testing.T, world, agent string) {
		if strings.ContainsAny(agent, "/.\\") && strings.Contains(agent, "eval") {
			return // do not read arbitrary files
		}
		w, err := all.World(world)
		if err != nil {
			return
		}
		again, err := all.World(w.Spec)
		if err != nil || again.Spec != w.Spec {
			t.Fatalf("%q calls itself %q, which does not name it: %v", world, w.Spec, err)
		}
		p, err := w.Agent(agent, AgentOptions{})
		if err != nil {
			return
		}
		a, err := p.New()
		if err != nil {
			t.Fatalf("%s was accepted, but: %v", agent, err)
		}
		if strings.Contains(agent, "table=") || len(agent) > 60 {
			return // skip large tables and long searches
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // limit the time of the search
		a.Begin(1)
		s := w.New()
		before := s.String()
		r, err := a.Search(ctx, s)
		if err == nil && s.Turn() >= 0 && r.Move == game.NoMove {
			t.Fatalf("%s in %s has no move and no error", agent, world)
		}
		if s.String() != before {
			t.Fatalf("%s in %s leaves %s, found %s", agent, world, s, before)
		}
	})
}

// FuzzMoves parses moves in every game, with and without slips. Accepted moves must be legal.
func FuzzMoves(f *testing.F) {
	var worlds []*World
	for _, e := range All() {
		for _, slip := range []string{"", "+slip=0.1"} {
			if w, err := All().World(e.Name + slip); err == nil { // not every game supports slips
				worlds = append(worlds, w)
			}
		}
	}
	for i, w := range worlds {
		s := w.New()
		for range 12 {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			f.Add(uint8(i), s.String(), s.MoveString(moves[0]))
			s.Play(moves[len(moves)/2])
		}
	}
	f.Add(uint8(0), "", "LL")
	f.Fuzz(func(t *testing.T, number uint8, position, text string) {
		w := worlds[int(number)%len(worlds)]
		s, err := w.Parse(position)
		if err != nil {
			return
		}
		before := s.String()
		m, err := w.ParseMove(s, text)
		if s.String() != before {
			t.Fatalf("%s: reading %q leaves %s, found %s", w.Spec, text, s, before)
		}
		if err != nil {
			return
		}
		if s.Turn() == game.Nobody || !slices.Contains(s.Moves(nil), m) {
			t.Fatalf("%s: %s: %q is read as %d, which is not legal", w.Spec, before, text, m)
		}
	})
}
