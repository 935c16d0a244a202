package serve

import (
	"context"
	"fmt"
	"html/template"
	"math/rand/v2"
	"net/http"
	"slices"

	"plyfit/game"
	"plyfit/game/pacman"
	"plyfit/search"
	"plyfit/study/lecture"
)

// This file contains the Pacman steps of the lesson. Each request replays a game up to the
// requested round, so the server keeps nothing between requests.

// Evaluations for the leaves of Pacman's search, in the step with the dot.
const (
	byScore    = "score"
	byDistance = "distance"
)

const (
	usualDepth = 3  // search depth in rounds at which Pacman jitters
	farthest   = 8  // maximum value of the depth slider, in rounds
	jitterEnds = 40 // maximum number of rounds
)

// tried is one of Pacman's moves, with the value that the search gives it.
type tried struct {
	Move   string
	Value  string
	Best   bool // whether no other move has a higher value
	Chosen bool
}

// jitterView shows Pacman next to a dot after some rounds.
type jitterView struct {
	Depth, Deepest int
	Eval           string
	Round          int
	Board          template.HTML
	Went           []string // Pacman's moves so far
	Back           int      // number of moves that reverse the previous move
	Dots, Score    string
	Tried          []tried // moves that are available next; empty at the end
	Tie            bool    // whether there are several best moves
	Over           bool
}

// jitter answers the form of the step with the dot: depth= in rounds, eval= and round=.
func (s *Server) jitter(_ http.ResponseWriter, r *http.Request) (any, error) {
	depth, err := wholeNumber(r, "depth", usualDepth, 1, farthest)
	if err != nil {
		return nil, err
	}
	round, err := wholeNumber(r, "round", 0, 0, jitterEnds)
	if err != nil {
		return nil, err
	}
	eval := r.FormValue("eval")
	if eval != byScore && eval != byDistance {
		return nil, fmt.Errorf("eval=%s: want %s or %s", eval, byScore, byDistance)
	}
	v, err := s.jittered(r.Context(), depth, eval, round)
	return v, busy(err)
}

// jittered plays the given number of rounds next to the dot. Among equally good moves, Pacman plays
// the first in the game's order.
func (s *Server) jittered(ctx context.Context, depth int, eval string, round int) (*jitterView, error) {
	w, err := s.config.Catalog.World(lecture.Dots)
	if err != nil {
		return nil, err
	}
	o := search.Options{Game: w.Game, Depth: depth, Prune: search.NoPrune, Order: search.Natural}
	if eval == byScore {
		o.Eval = search.Zero(w.Game)
	}
	c, err := lecture.NewChase(o, lecture.Expectimax, 0)
	if err != nil {
		return nil, err
	}
	state := c.Start
	v := &jitterView{Depth: depth, Deepest: farthest, Eval: eval}
	var walk lecture.Walk
	err = s.turn(ctx, func(ctx context.Context) error {
		for state.Turn() != game.Nobody {
			r, err := c.Agent.Search(ctx, state)
			if err != nil {
				return err
			}
			if walk.Moves == round {
				for _, m := range r.Root {
					v.Tried = append(v.Tried, tried{state.MoveString(m.Move), number(m.Value), slices.Contains(r.Best, m.Move), m.Move == r.Best[0]})
				}
				v.Tie = len(r.Best) > 1
				return nil
			}
			m := walk.Choose(r.Best, lecture.AnyTie, 0)
			v.Went = append(v.Went, state.MoveString(m))
			state.Play(m)
		}
		v.Over = true
		return nil
	})
	v.Round, v.Back, v.Board = walk.Moves, walk.Reversed, picture(state, 0)
	v.Dots, v.Score = number(float64(state.Maze().Foods()-state.FoodLeft())), number(state.Score(0))
	return v, err
}

// Next returns the number of the next round, or 0 if there is none.
func (v *jitterView) Next() int {
	if v.Over || v.Round == jitterEnds {
		return 0
	}
	return v.Round + 1
}

// planner is a row of the lecture's table: Pacman's planner and its assumption about the ghost.
type planner struct {
	Planner, Assumes string
	by               lecture.Planner
}

// ghost is a column of the lecture's table: the behaviour of the ghost, and a world in which a
// person can play against such a ghost.
type ghost struct {
	Ghost, Does, World string
	planned            float64
}

var (
	planners = []planner{{"minimax", "plays against Pacman", lecture.Minimax}, {"expectimax", "moves at random", lecture.Expectimax}}
	ghosts   = []ghost{{"hostile", "plays against Pacman", lecture.Board + ",ghost=(minimax:depth=2)", 1}, {"random", "moves at random", lecture.Board, 0}}
)

// chase sets up Pacman on a board. In the corridor, leaves are evaluated by the score alone.
func (s *Server) chase(board string, p planner, planned float64) (*lecture.Chase, error) {
	w, err := s.config.Catalog.World(board)
	if err != nil {
		return nil, err
	}
	o := search.Options{Game: w.Game}
	if board == lecture.Corridor {
		o.Eval = search.Zero(w.Game)
	}
	return lecture.NewChase(o, p.by, planned)
}

// cell is the exact expected result of a planner against a ghost.
type cell struct {
	planner
	ghost
	lecture.Expectation
}

// assumed is a row of a table: the value that a planner's search expects at the start, and the
// planner's result against each ghost.
type assumed struct {
	planner
	Expects string
	Cells   []cell
}

// table computes the planners' rows for a board.
func (s *Server) table(ctx context.Context, board string, ghosts []ghost) (rows []assumed, start *pacman.State, err error) {
	err = s.turn(ctx, func(ctx context.Context) error { // all cells use a single search slot, because they take little time
		for _, p := range planners {
			row := assumed{planner: p}
			for _, g := range ghosts {
				c, err := s.chase(board, p, g.planned)
				if err != nil {
					return err
				}
				r, err := c.Agent.Search(ctx, c.Start)
				if err != nil {
					return err
				}
				start, row.Expects = c.Start, number(r.Value)
				row.Cells = append(row.Cells, cell{p, g, c.Expect(0)})
			}
			rows = append(rows, row)
		}
		return nil
	})
	return rows, start, busy(err)
}

// pacmanCells returns the lecture's table.
func (s *Server) pacmanCells(_ http.ResponseWriter, r *http.Request) (any, error) {
	rows, _, err := s.table(r.Context(), lecture.Board, ghosts)
	return struct {
		Ghosts []ghost
		Rows   []assumed
	}{ghosts, rows}, err
}

// trappedView shows a corridor in which two random ghosts approach. Pacman searches four rounds
// ahead and evaluates leaves by the score.
type trappedView struct {
	Board template.HTML
	Link  string
	Rows  []assumed
}

const (
	chaseEnds = 200  // maximum number of rounds
	mostLuck  = 1000 // number of games in each cell
)

// chaseView shows a game from one of the four cells, after some rounds.
type chaseView struct {
	planner
	ghost
	Luck, Round int // number of the game, and number of rounds played
	More, Last  int // next and last round that can be requested; 0 at the end
	Other       int // number of another game in the cell
	Board       template.HTML
	Score       string
	Over, Won   bool
}

// pacmanLesson shows a game from a cell of the table. The request gives planner=, ghost=, luck=
// (the number of the game) and round=.
func (s *Server) pacmanLesson(_ http.ResponseWriter, r *http.Request) (any, error) {
	luck, err := wholeNumber(r, "luck", 1, 1, mostLuck)
	if err != nil {
		return nil, err
	}
	round, err := wholeNumber(r, "round", 0, 0, chaseEnds)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(planners, func(p planner) bool { return p.Planner == r.FormValue("planner") })
	k := slices.IndexFunc(ghosts, func(g ghost) bool { return g.Ghost == r.FormValue("ghost") })
	if i < 0 || k < 0 {
		return nil, fmt.Errorf("planner=%s, ghost=%s: want the planner minimax or expectimax and the ghost hostile or random", r.FormValue("planner"), r.FormValue("ghost"))
	}
	v := chaseView{planner: planners[i], ghost: ghosts[k], Luck: luck, Other: luck%mostLuck + 1}
	err = s.turn(r.Context(), func(ctx context.Context) error {
		c, err := s.chase(lecture.Board, v.planner, v.planned)
		if err != nil {
			return err
		}
		var end *pacman.State
		end, v.Round, err = c.Play(ctx, rand.New(rand.NewPCG(uint64(luck), 0xc4a5e)), round*(1+c.Start.Ghosts()))
		v.Board, v.Score = picture(end, 0), number(end.Score(0))
		v.Over, v.Won = end.Turn() == game.Nobody, end.Won()
		if !v.Over && v.Round < chaseEnds {
			v.More, v.Last = v.Round+1, chaseEnds
		}
		return err
	})
	return v, busy(err)
}
