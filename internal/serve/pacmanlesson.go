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
	"plyfit/search/policy"
)

// Pacman's steps of the lesson. A game is played anew up to the round that is asked for,
// so that nothing is kept between two requests.

// jitterMaze has one dot beside Pacman and another out of reach of a shallow search.
const jitterMaze = "%%%%%%%%%%%%%/%____P.____.%/%%%%%%%%%%%%%"

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

// opposite is the move that takes one of Pacman's back.
var opposite = map[string]string{"West": "East", "East": "West", "North": "South", "South": "North"}

// jittered plays so many rounds beside the dot: of equally good moves Pacman takes the
// first in the game's order.
func (s *Server) jittered(ctx context.Context, depth int, eval string, round int) (*jitterView, error) {
	g, err := pacman.New(game.NewOptions("pacman", "layout="+jitterMaze, "stop=off"))
	if err != nil {
		return nil, err
	}
	var leaves search.Evaluator = pacman.LectureEvaluation{}
	if eval == byScore {
		leaves = search.Zero(g)
	}
	agent, err := search.NewExpectimax(search.Options{Game: g, Eval: leaves, Depth: depth, Complete: true, Table: -1, Prune: search.NoPrune, Order: search.Natural})
	if err != nil {
		return nil, err
	}
	defer search.Close(agent)
	state := g.New().(*pacman.State)
	v := &jitterView{Depth: depth, Deepest: farthest, Eval: eval}
	err = s.turn(ctx, func(ctx context.Context) error {
		for state.Turn() != game.Nobody {
			r, err := agent.Search(ctx, state)
			if err != nil {
				return err
			}
			first := slices.Min(r.Best)
			if v.Round == round {
				v.weigh(state, &r, first)
				return nil
			}
			name := state.MoveString(first)
			if n := len(v.Went); n > 0 && v.Went[n-1] == opposite[name] {
				v.Back++
			}
			v.Went = append(v.Went, name)
			v.Round++
			state.Play(first)
		}
		v.Over = true
		return nil
	})
	v.Board = picture(state, 0)
	v.Dots, v.Score = number(float64(state.Maze().Foods()-state.FoodLeft())), number(state.Score(0))
	return v, err
}

// weigh notes what the search at s expects of each move.
func (v *jitterView) weigh(s *pacman.State, r *search.Result, choice game.Move) {
	for _, m := range r.Root {
		v.Tried = append(v.Tried, tried{s.MoveString(m.Move), number(m.Value), slices.Contains(r.Best, m.Move), m.Move == choice})
	}
	v.Tie = len(r.Best) > 1
}

// Next is the round after this one; 0 where there is none.
func (v *jitterView) Next() int {
	if v.Over || v.Round == jitterEnds {
		return 0
	}
	return v.Round + 1
}

// planners are what Pacman assumes of the ghost in the lecture's table, and ghosts what it is.
var (
	planners = []struct {
		name, assumes string
		make          func(search.Options) (search.Agent, error)
	}{{"minimax", "plays against him", search.NewAlphaBeta}, {"expectimax", "moves at random", search.NewExpectimax}}
	ghosts = []struct {
		name, does string
		world      string // in which a person meets one like it
		make       func() game.Policy
	}{
		{"hostile", "plays against him", "pacman:layout=lecture,stop=off,ghost=(minimax:depth=2)", func() game.Policy { return &pacman.LectureGhost{} }},
		{"random", "moves at random", "pacman:layout=lecture,stop=off", func() game.Policy { return policy.Uniform{} }},
	}
)

// cell is one of the four of the lecture's table.
type cell struct {
	Planner, Ghost string
	pacman.Expectation
}

// assumed is a row of the table: what one planner gets.
type assumed struct {
	Planner, Assumes string
	Cells            []cell
}

// met is a column of the table: a ghost.
type met struct{ Does, World string }

// cellsView is the lecture's table.
type cellsView struct {
	Ghosts []met
	Rows   []assumed
}

// pacmanCells works the lecture's table out, exactly.
func (s *Server) pacmanCells(_ http.ResponseWriter, r *http.Request) (any, error) {
	var v cellsView
	for _, g := range ghosts {
		v.Ghosts = append(v.Ghosts, met{g.does, g.world})
	}
	err := s.turn(r.Context(), func(context.Context) (err error) { // it is short
		v.Rows, err = fourCells()
		return err
	})
	return v, busy(err)
}

// lectureGame is the maze of the table.
func lectureGame() (*game.Game, error) {
	return pacman.New(game.NewOptions("pacman", "layout=lecture", "stop=off"))
}

// planned is the way to play of a planner of the table: equally good moves share the
// probability. The agent is to be closed.
func planned(g *game.Game, eval search.Evaluator, make func(search.Options) (search.Agent, error)) (*policy.Simulated, search.Agent, error) {
	agent, err := make(search.Options{Game: g, Eval: eval, Depth: 4, Complete: true, Table: -1})
	if err != nil {
		return nil, nil, err
	}
	player := policy.FromAgent(agent, g)
	player.Split = true
	return player, agent, nil
}

func fourCells() ([]assumed, error) {
	g, err := lectureGame()
	if err != nil {
		return nil, err
	}
	var out []assumed
	for _, p := range planners {
		row := assumed{Planner: p.name, Assumes: p.assumes}
		for _, ghost := range ghosts {
			player, agent, err := planned(g, pacman.LectureEvaluation{}, p.make)
			if err != nil {
				return nil, err
			}
			row.Cells = append(row.Cells, cell{p.name, ghost.name, pacman.Expect(g.New().(*pacman.State), player, ghost.make(), 0)})
			search.Close(agent)
		}
		out = append(out, row)
	}
	return out, nil
}

// trappedView is a corridor in which two ghosts who move at random close in: what each planner expects,
// four rounds ahead and by the score alone, and what it gets, exactly.
type trappedView struct {
	Board template.HTML
	Link  string
	Rows  []trappedRow
}

type trappedRow struct {
	Planner, Assumes, Expects string
	pacman.Expectation
}

func (s *Server) trapped(ctx context.Context) (*trappedView, error) {
	const spec = "pacman:layout=trapped"
	g, err := pacman.New(game.NewOptions("pacman", "layout=trapped"))
	if err != nil {
		return nil, err
	}
	start := g.New().(*pacman.State)
	v := &trappedView{Board: picture(start, 0), Link: linkTo(spec, start.String())}
	return v, s.turn(ctx, func(ctx context.Context) error {
		for _, p := range planners {
			player, agent, err := planned(g, search.Zero(g), p.make)
			if err != nil {
				return err
			}
			defer search.Close(agent)
			r, err := agent.Search(ctx, start)
			if err != nil {
				return err
			}
			v.Rows = append(v.Rows, trappedRow{p.name, p.assumes, number(r.Value), pacman.Expect(start, player, policy.Uniform{}, 0)})
		}
		return nil
	})
}

const (
	chaseEnds = 200  // rounds
	mostLuck  = 1000 // games that can be shown of a cell
)

// chaseView is a game of one of the four cells after some rounds.
type chaseView struct {
	Planner, Assumes string
	Ghost, Does      string
	Luck, Round      int // the game, and how far it has gone
	More, Last       int // rounds that can be asked for; 0 at the end
	Other            int // another game of the cell
	Board            template.HTML
	Score            string
	Over, Won        bool
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
	v := chaseView{Planner: r.FormValue("planner"), Ghost: r.FormValue("ghost"), Luck: luck, Other: luck%mostLuck + 1}
	for _, p := range planners {
		for _, ghost := range ghosts {
			if p.name != v.Planner || ghost.name != v.Ghost {
				continue
			}
			v.Assumes, v.Does = p.assumes, ghost.does
			err := s.turn(r.Context(), func(ctx context.Context) error { return v.play(ctx, p.make, ghost.make(), round) })
			return v, busy(err)
		}
	}
	return nil, fmt.Errorf("planner=%s, ghost=%s: want minimax or expectimax, hostile or random", v.Planner, v.Ghost)
}

// play plays the game up to a round: a move of Pacman's and one of the ghost's.
func (v *chaseView) play(ctx context.Context, make func(search.Options) (search.Agent, error), ghost game.Policy, round int) error {
	g, err := lectureGame()
	if err != nil {
		return err
	}
	player, agent, err := planned(g, pacman.LectureEvaluation{}, make)
	if err != nil {
		return err
	}
	defer search.Close(agent)
	state := g.New().(*pacman.State)
	random := rand.New(rand.NewPCG(uint64(v.Luck), 0xc4a5e))
	for ; v.Round < round && state.Turn() == 0; v.Round++ {
		for _, p := range []game.Policy{player, ghost} {
			if err := ctx.Err(); err != nil {
				return err
			}
			if state.Turn() != game.Nobody {
				moves := state.Moves(nil)
				state.Play(moves[policy.Draw(p.Probs(state, moves, nil), random)])
			}
		}
	}
	v.Board, v.Score = picture(state, 0), number(state.Score(0))
	v.Over, v.Won = state.Turn() == game.Nobody, state.Won()
	if !v.Over && v.Round < chaseEnds {
		v.More, v.Last = v.Round+1, chaseEnds
	}
	return nil
}
