// Package pacman provides the feature sets of Pacman.
//
// [Profile] lists the sets. Their terms are in terms.go, and the terms for ghosts are in ghosts.go.
// All distances are steps through the maze. The score is a term with weight 1, so that the other
// terms learn the points still to come.
package pacman

import (
	"plyfit/features"
	"plyfit/game"
	maze "plyfit/game/pacman"
	"plyfit/models"
)

// values contains the terms of pacman/classic.
type values struct {
	score              float64 `doc:"current score, with weight 1 in a model that predicts the final score"`
	food               float64 `doc:"food dots left"`
	foodNear           float64 `doc:"distance to the nearest food dot"`
	foodNearInverse    float64 `doc:"inverse of this distance"`
	foodTree           float64 "doc:\"length of the shortest tree of paths that joins all dots; together with `food-near`, it bounds the remaining walk\""
	foodIslands        float64 `doc:"groups of neighbouring dots"`
	foodLonely         float64 `doc:"dots without a neighbour"`
	capsules           float64 `doc:"capsules left"`
	capsuleNear        float64 `doc:"distance to the nearest capsule"`
	capsuleNearInverse float64 `doc:"inverse of this distance"`
	capsuleBait        float64 `doc:"sum over active ghosts of 1 / (distance to the ghost x distance to the nearest capsule), which rewards luring ghosts towards a capsule"`
	deadEnd            float64 `doc:"depth of Pacman in a dead end while ghosts are active"`
	trapped            float64 `doc:"active ghosts that can reach Pacman before Pacman leaves the dead end (within twice its depth)"`
	escapes            float64 `doc:"neighbouring cells that are more than two steps away from all active ghosts"`
	ghostNear          float64 `doc:"number of moves that the nearest active ghost needs to reach Pacman without turning back immediately"`
	ghostInverse       float64 `doc:"sum over active ghosts of the inverse of this number"`
	ghostsAt1          float64 `doc:"active ghosts that are at most one move away"`
	ghostsAt2          float64 `doc:"active ghosts that are two moves away"`
	ghostsAt3          float64 `doc:"active ghosts that are three moves away"`
	ghostsAt4          float64 `doc:"active ghosts that are four moves away"`
	pincer             float64 `doc:"number of paths, not counting the first, on which a ghost approaches Pacman from within three steps"`
	territory          float64 `doc:"fraction of the cells that Pacman reaches before any active ghost"`
	cornered           float64 `doc:"1 - (number of these cells)/10, or 0 if that is negative"`
	scared             float64 `doc:"scared ghosts that are near enough to be caught in time"`
	scaredNear         float64 `doc:"distance to the nearest of these ghosts, including half cells"`
	scaredInverse      float64 `doc:"sum of the inverses of the distances to these ghosts"`
	scaredTime         float64 `doc:"sum of the timers of all scared ghosts, divided by 40"`
}

// far is the upper limit of the distances in the terms for the nearest capsule and the nearest
// ghost.
const far = 20

func (v *values) measure(s *maze.State) {
	*v = values{}
	m, at := s.Maze(), s.Pacman()
	v.score = s.Score(0)
	v.food = float64(s.FoodLeft())
	if s.FoodLeft() > 0 {
		if d := m.Nearest(at, s.Food()); d < maze.Apart {
			v.foodNear = float64(d)
			v.foodNearInverse = 1 / float64(max(d, 1))
		}
		c := s.Crumbs()
		v.foodTree = float64(c.Tree)
		v.foodIslands = float64(c.Islands)
		v.foodLonely = float64(c.Isolated)
	}
	nearest := maze.Apart
	for i := range m.Capsules() {
		if c, left := s.Capsule(i); left {
			nearest = min(nearest, m.Distance(at, c))
		}
	}
	v.capsules = float64(s.CapsulesLeft())
	if nearest < maze.Apart {
		v.capsuleNear = float64(min(nearest, far))
		v.capsuleNearInverse = 1 / float64(max(nearest, 1))
	}
	v.meet(s, nearest)
}

// simpleValues contains the terms of pacman/simple.
type simpleValues struct {
	score           float64 `doc:"the score"`
	ghosts1StepAway float64 `doc:"ghosts, scared or not, at most one step away, divided by 10"`
	eatsFood        float64 `doc:"0.1 if there are no such ghosts and food is at most one step away"`
	closestFood     float64 `doc:"distance to the nearest food, divided by ten times the area of the layout"`
}

// measure sets the score and three of Berkeley's four features. The fourth, the bias, is part of
// the model. As in Berkeley's code, these features are divided by 10.
func (v *simpleValues) measure(s *maze.State) {
	m, at := s.Maze(), s.Pacman()
	*v = simpleValues{score: s.Score(0)}
	ghosts := 0
	for i := range s.Ghosts() {
		if m.Distance(s.Ghost(i).Cell, at) <= 1 {
			ghosts++
		}
	}
	v.ghosts1StepAway = float64(float32(ghosts) / 10)
	if d := m.Nearest(at, s.Food()); d < maze.Apart {
		if ghosts == 0 && d <= 1 {
			v.eatsFood = 0.1
		}
		v.closestFood = float64(float32(d) / float32(10*m.Width*m.Height))
	}
}

var classic = features.Terms[values]{
	Name:    "pacman/classic",
	Prepare: func(v *values, s game.State, _ game.Player) { v.measure(s.(*maze.State)) },
	Append: func(v *values, x models.Vector) models.Vector {
		return features.AppendValues(x, features.Numbers[float64](v))
	},
	List: features.Fields[values](values{}),
}

var simple = features.Terms[simpleValues]{
	Name:    "pacman/simple",
	Prepare: func(v *simpleValues, s game.State, _ game.Player) { v.measure(s.(*maze.State)) },
	Append: func(v *simpleValues, x models.Vector) models.Vector {
		return features.AppendValues(x, features.Numbers[float64](v))
	},
	List: features.Fields[simpleValues](simpleValues{}),
}

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{classic.Set(), simple.Set()} },
	Depth:  2,
	Nature: &features.Nature{Key: "ghost", Own: []string{"random", "directional"}, Follow: maze.WithGhosts},
	Recipe: features.Recipe{
		Why: "least squares learns values that are right on average but still walks into ghosts, whereas evolution optimises the score",
		Training: []features.Training{
			{Method: "evolution", Episodes: 9000, Leaves: models.Decision, Population: 30, Batch: 10, Average: 0.25, Starts: 6},
			{Method: "evolution", Episodes: 54000, Leaves: models.Decision, Population: 30, Batch: 10, Average: 0.25, Alpha: 0.2},
		},
		Method: "lstd", Lambda: 0.8, Penalty: 0.01, Leaves: models.Afterstate, Frozen: map[string]float64{"score": 1},
		Rounds: 6, Episodes: 500, Explore: 0.05, First: "expectimax:depth=3,eval=zero,ties=random", Planner: "expectimax:depth=1,ties=random",
		Planners: []string{"expectimax:depth=1", "expectimax:depth=2", "alphabeta:depth=2"}, Pairs: 200, TwinPairs: 60,
	},
}
