package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/search"
)

// trial is a set of searches by one agent.
type trial struct {
	game, agent string
	at          []string // positions; nil: the start
	walk        int      // or so many positions, each at the end of a random walk from the start
}

// trials are what is timed, game by game: every algorithm that suits it. Those
// of games that the catalog does not list are left out.
var trials = []trial{
	{game: "connect4", agent: "minimax:depth=6"},
	{game: "connect4", agent: "alphabeta:eval=zero,depth=11,order=natural,table=off"}, // the nodes of OpenSpiel's
	{game: "connect4", agent: "alphabeta:depth=10", walk: 4},
	{game: "connect4", agent: "mcts:simulations=5000"},
	{game: "connect4:dice=on", agent: "expectimax:depth=4", walk: 4},
	{game: "connect4+adversary", agent: "maxn:depth=6"},
	{game: "tictactoe", agent: "minimax:depth=9"},
	{game: "tictactoe", agent: "alphabeta:depth=9"},
	{game: "othello", agent: "alphabeta:depth=7", walk: 4},
	{game: "othello", agent: "mcts:simulations=2000"},
	{game: "checkers", agent: "alphabeta:depth=9", walk: 4},
	{game: "chess", agent: "minimax:depth=3"},
	{game: "chess", agent: "alphabeta:depth=5", walk: 4},
	{game: "backgammon", agent: "expectimax:depth=1", walk: 4},
	{game: "pig", agent: "expectimax:depth=8", walk: 4},
	{game: "pig", agent: "expectimax:eval=zero,depth=6,prune=none,table=off,leaf=afterstate"}, // likewise
	{game: "pig:players=3", agent: "maxn:depth=5"},
	{game: "pig:players=3", agent: "paranoid:depth=5"},
	{game: "2048", agent: "expectimax:depth=2", walk: 4},
	{game: "2048", agent: "expectimax:depth=3,leaf=afterstate", walk: 4},
	{game: "2048+slip=0.2", agent: "expectimax:depth=2", walk: 2},
	{game: "2048+adversary", agent: "alphabeta:depth=3", walk: 2},
	{game: "2048", agent: "mcts:simulations=2000"},
	{game: "pacman", agent: "expectimax:depth=2", walk: 2},
	{game: "minesweeper:rows=4,columns=4,mines=4", agent: "expectimax:depth=2", walk: 2},
}

// signed are the searches whose nodes make the signature. What they visit is
// the same on every machine: either they compare whole numbers alone, or they
// cut nothing, so that no rounding can send them another way.
var signed = []trial{
	{game: "connect4", agent: "minimax:eval=zero,depth=5"},
	{game: "connect4", agent: "alphabeta:eval=zero,depth=9,order=natural,table=off"},
	{game: "connect4", agent: "alphabeta:eval=zero,depth=12", walk: 3},
	{game: "connect4:score=distance", agent: "alphabeta:eval=zero,depth=42", at: []string{"44445326222666"}},
	{game: "connect4:dice=on", agent: "expectimax:eval=zero,depth=3,prune=none,table=off"},
	{game: "tictactoe", agent: "minimax:eval=zero,depth=9"},
	{game: "tictactoe", agent: "alphabeta:eval=zero,depth=9,order=natural,table=off"},
	{game: "tictactoe", agent: "maxn:eval=zero,depth=6,prune=none"},
	{game: "othello", agent: "alphabeta:eval=zero,depth=5", walk: 3},
	{game: "checkers", agent: "alphabeta:eval=zero,depth=7", walk: 3},
	{game: "pig", agent: "expectimax:eval=zero,depth=6,prune=none,table=off,leaf=afterstate"},
	{game: "pig:players=3", agent: "maxn:eval=zero,depth=4,prune=none"},
	{game: "2048", agent: "expectimax:eval=zero,depth=2,prune=none,table=off", walk: 2},
	{game: "2048+slip=0.2", agent: "expectimax:eval=zero,depth=1,prune=none,table=off", walk: 2},
}

// searcher is a trial with its agent and its positions.
type searcher struct {
	trial
	agent  search.Agent
	states []game.State
}

// listed reports whether the catalog has the game of a spec.
func (b *Bench) listed(t trial) bool {
	name := t.game
	for i, c := range name {
		if c == ':' || c == '+' {
			name = name[:i]
			break
		}
	}
	return slices.ContainsFunc(b.Catalog, func(e catalog.Entry) bool { return e.Name == name })
}

func (b *Bench) searcher(t trial) (*searcher, error) {
	w, err := b.Catalog.World(t.game)
	if err != nil {
		return nil, err
	}
	player, err := w.Agent(t.agent, catalog.AgentOptions{})
	if err != nil {
		return nil, err
	}
	s := &searcher{trial: t}
	if s.agent, err = player.New(); err != nil {
		return nil, err
	}
	for _, text := range t.at {
		at, err := w.Parse(text)
		if err != nil {
			return nil, err
		}
		s.states = append(s.states, at)
	}
	random := rand.New(rand.NewPCG(5, 5))
	for range t.walk {
		at := w.New()
		play.Walk(at, 2+random.IntN(24), random)
		s.states = append(s.states, at.Clone())
	}
	if len(s.states) == 0 {
		s.states = append(s.states, w.New())
	}
	return s, nil
}

// run searches every position once, from an empty table each, and counts the nodes.
func (s *searcher) run(ctx context.Context) (nodes int64, err error) {
	for _, at := range s.states {
		s.agent.Begin(0)
		r, err := s.agent.Search(ctx, at)
		if err != nil {
			return 0, fmt.Errorf("%s, %s: %w", s.game, s.trial.agent, err)
		}
		nodes += r.Nodes
	}
	return nodes, ctx.Err()
}
