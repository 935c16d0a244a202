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

// Pacman's steps of the lesson. Each request replays a game up to the round that it asks for, so
// that nothing is kept between two requests.

// What the leaves of Pacman's search are worth in the step with the dot.
const (
	byScore    = "score"
	byDistance = "distance"
)

const (
	usualDepth = 3  // rounds ahead at which he jitters
	farthest   = 8  // of the slider
	jitterEnds = 40 // rounds
)

// tried is a move of Pacman's with what the search expects of it.
type tried struct {
	Move   string
	Value  string
	Best   bool // no other is worth more
	Chosen bool
}

// jitterView is Pacman beside his dot after some rounds.
type jitterView struct {
	Depth, Deepest int
	Eval           string
	Round          int
	Board          template.HTML
	Went           []string // his moves so far
	Back           int      // of them: moves that take the one before back
	Dots, Score    string
	Tried          []tried // his next move; none at the end
	Tie            bool    // several are best
	Over           bool
}

// jitter answers the form of the step: depth= rounds ahead, eval= and round=.
func (s *Server) jitter(_ http.ResponseWriter, r *http.Request) (any, error) {
	depth, err := whole(r, "depth", usualDepth, 1, farthest)
	if err != nil {
		return nil, err
	}
	round, err := whole(r, "round", 0, 0, jitterEnds)
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

// jittered plays rounds next to the dot. Of equally good moves Pacman takes the first in the game's
// order.
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

// Next is the round after this one; 0 where there is none.
func (v *jitterView) Next() int {
	if v.Over || v.Round == jitterEnds {
		return 0
	}
	return v.Round + 1
}

// planner is a row of the lecture's table: what Pacman plans by and assumes of the ghost.
type planner struct {
	Planner, Assumes string
	by               lecture.Planner
}

// ghost is a column: what the ghost does, and a world in which a person meets one like it.
type ghost struct {
	Ghost, Does, World string
	planned            float64
}

var (
	planners = []planner{{"minimax", "plays against him", lecture.Minimax}, {"expectimax", "moves at random", lecture.Expectimax}}
	ghosts   = []ghost{{"hostile", "plays against him", lecture.Board + ",ghost=(minimax:depth=2)", 1}, {"random", "moves at random", lecture.Board, 0}}
)

// chase sets up Pacman on a board. In the corridor the score alone values the leaves.
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

// cell is what a planner gets from a ghost, exactly.
type cell struct {
	planner
	ghost
	lecture.Expectation
}

// assumed is a row of a table: the value that a planner expects at the start, by its search, and what it
// gets from each ghost.
type assumed struct {
	planner
	Expects string
	Cells   []cell
}

// table computes the rows of the planners on a board.
func (s *Server) table(ctx context.Context, board string, ghosts []ghost) (rows []assumed, start *pacman.State, err error) {
	err = s.turn(ctx, func(ctx context.Context) error { // it is short
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

// pacmanCells answers with the lecture's table.
func (s *Server) pacmanCells(_ http.ResponseWriter, r *http.Request) (any, error) {
	rows, _, err := s.table(r.Context(), lecture.Board, ghosts)
	return struct {
		Ghosts []ghost
		Rows   []assumed
	}{ghosts, rows}, err
}

// trappedView is a corridor in which two random ghosts close in, four rounds ahead and by the score alone.
type trappedView struct {
	Board template.HTML
	Link  string
	Rows  []assumed
}

func (s *Server) trapped(ctx context.Context) (*trappedView, error) {
	rows, start, err := s.table(ctx, lecture.Corridor, ghosts[1:])
	if err != nil {
		return nil, err
	}
	return &trappedView{picture(start, 0), linkTo(lecture.Corridor, start.String()), rows}, nil
}

const (
	chaseEnds = 200  // rounds
	mostLuck  = 1000 // games that can be shown of a cell
)

// chaseView is a game of one of the four cells after some rounds.
type chaseView struct {
	planner
	ghost
	Luck, Round int // the game, and how far it has gone
	More, Last  int // rounds that can be asked for; 0 at the end
	Other       int // another game of the cell
	Board       template.HTML
	Score       string
	Over, Won   bool
}

// pacmanLesson shows a game of a cell: planner=, ghost=, luck= which game, round=.
func (s *Server) pacmanLesson(_ http.ResponseWriter, r *http.Request) (any, error) {
	luck, err := whole(r, "luck", 1, 1, mostLuck)
	if err != nil {
		return nil, err
	}
	round, err := whole(r, "round", 0, 0, chaseEnds)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(planners, func(p planner) bool { return p.Planner == r.FormValue("planner") })
	k := slices.IndexFunc(ghosts, func(g ghost) bool { return g.Ghost == r.FormValue("ghost") })
	if i < 0 || k < 0 {
		return nil, fmt.Errorf("planner=%s, ghost=%s: want minimax or expectimax, hostile or random", r.FormValue("planner"), r.FormValue("ghost"))
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
