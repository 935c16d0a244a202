package pacman

import (
	"fmt"
	"slices"
	"strings"

	"plyfit/game"
)

// Points and times of Berkeley's rules.
const (
	foodPoints  = 10
	winPoints   = 500
	lossPoints  = -500 // for each ghost that catches Pacman
	ghostPoints = 200  // for eating a scared ghost
	timePoints  = -1   // for each of Pacman's moves
	scaredTime  = 40   // counted in the ghost's own moves
)

// longest is the number of Pacman's moves after which an episode is cut off. Berkeley's rules have
// no such limit. A good player's games take a few hundred moves at most.
const longest = 2500

type rules struct {
	*Layout
	starts   []int16
	ghosts   int
	nature   nature
	policy   func() game.Policy // nil if the ghosts follow nature
	stop     bool
	step     [5]int16 // change in index when moving half a cell
	floor    float64  // lower bound on results within the move limit
	starting position
}

// New returns the game with these options:
//
//   - layout: a name, the result of [Layout.Rows], or the path of a .lay file. The game's Spec
//     contains the rows instead of a path.
//   - ghosts: the maximum number of ghosts.
//   - ghost: the behaviour of the ghosts, random or directional.
//   - stop: whether Pacman may stop.
func New(o *game.Options) (*game.Game, error) {
	name := o.String("layout", "small")
	most := o.Int("ghosts", MaxGhosts, 0, MaxGhosts)
	ghost := o.String("ghost", "random", "random", "directional")
	stop := o.Bool("stop", true)
	if err := o.Err(); err != nil {
		return nil, err
	}
	layout, err := load(name, o.ReadFile)
	if err != nil {
		return nil, fmt.Errorf("pacman: %w", err)
	}
	var keys []string
	if name != "small" {
		if !slices.Contains(layouts(), name) {
			name = layout.Rows()
		}
		keys = append(keys, "layout="+name)
	}
	r := &rules{Layout: layout, starts: layout.ghosts, stop: stop, step: layout.steps()}
	if most < len(r.starts) {
		r.starts = r.starts[:most]
		keys = append(keys, fmt.Sprintf("ghosts=%d", most))
	}
	r.ghosts = len(r.starts)
	if ghost == "directional" {
		r.nature = directional
		keys = append(keys, "ghost=directional")
	}
	if !stop {
		keys = append(keys, "stop=off")
	}
	spec := "pacman"
	if len(keys) > 0 {
		spec += ":" + strings.Join(keys, ",")
	}
	return r.game(spec), nil
}

func (r *rules) game(spec string) *game.Game {
	r.starting = r.start()
	r.floor = float64(2*longest*timePoints + max(1, r.ghosts)*lossPoints)
	return &game.Game{
		Name:      "pacman",
		Spec:      spec,
		Doc:       "Pacman under the Berkeley rules; layout=small (" + strings.Join(layouts(), ", ") + ", or a .lay file), ghosts=N (maximum number), ghost=random (directional, or an agent), stop=on; the utility is the score; moves West, Stop, East, North, South",
		Players:   1,
		Seats:     []string{"Pacman"},
		Sum:       game.General,
		Min:       r.floor,
		Max:       float64(r.ceiling(&r.starting)),
		MaxPlies:  longest * (1 + r.ghosts),
		New:       func() game.State { return r.state(r.starting, r.food) },
		Parse:     r.parse,
		ParseMove: game.FindMove,
	}
}

func (r *rules) start() position {
	p := position{
		left:     int16(len(r.foods)),
		pacman:   r.pacman,
		capsules: uint32(1<<len(r.capsules) - 1),
		ate:      -1,
	}
	for i, at := range r.starts {
		p.ghosts[i] = body{at: at, heading: Stop}
	}
	return p
}

// ceiling returns an upper bound on the final score from p, a position in which the game is not
// over. Each food dot takes at least one move. Each ghost can be eaten once while it is scared, and
// once more for each remaining capsule. The bound never increases during a game.
func (r *rules) ceiling(p *position) int32 {
	scared := 0
	for i := range r.ghosts {
		if p.ghosts[i].timer > 0 {
			scared++
		}
	}
	for c := p.capsules; c != 0; c &= c - 1 {
		scared += r.ghosts
	}
	return p.score + int32(p.left)*(foodPoints+timePoints) + winPoints + int32(scared)*ghostPoints
}
