package pacman

import (
	maze "plyfit/game/pacman"

	"plyfit/models"
)

// The terms of pacman/classic.
const (
	score = iota
	food
	foodNear
	foodNearInverse
	foodTree
	foodIslands
	foodLonely
	capsules
	capsuleNear
	capsuleNearInverse
	capsuleBait
	deadEnd
	trapped
	escapes
	ghostNear
	ghostInverse
	ghostsAt1
	ghostsAt2
	ghostsAt3
	ghostsAt4
	pincer
	territory
	cornered
	scared
	scaredNear
	scaredInverse
	scaredTime
	classicTerms
)

var classicNames = [classicTerms]string{
	score:              "score",
	food:               "food",
	foodNear:           "food-near",
	foodNearInverse:    "food-near-inverse",
	foodTree:           "food-tree",
	foodIslands:        "food-islands",
	foodLonely:         "food-lonely",
	capsules:           "capsules",
	capsuleNear:        "capsule-near",
	capsuleNearInverse: "capsule-near-inverse",
	capsuleBait:        "capsule-bait",
	deadEnd:            "dead-end",
	trapped:            "trapped",
	escapes:            "escapes",
	ghostNear:          "ghost-near",
	ghostInverse:       "ghost-inverse",
	ghostsAt1:          "ghosts-at-1",
	ghostsAt2:          "ghosts-at-2",
	ghostsAt3:          "ghosts-at-3",
	ghostsAt4:          "ghosts-at-4",
	pincer:             "pincer",
	territory:          "territory",
	cornered:           "cornered",
	scared:             "scared",
	scaredNear:         "scared-near",
	scaredInverse:      "scared-inverse",
	scaredTime:         "scared-time",
}

// far is where the distances of "near" terms end.
const far = 20

// classic fills in the terms of pacman/classic.
func classic(s *maze.State, x []models.Term) {
	m, at := s.Maze(), s.Pacman()
	put := func(term int, v float64) { x[term].Value = float32(v) }
	put(score, s.Score(0))
	put(food, float64(s.FoodLeft()))
	if s.FoodLeft() > 0 {
		d := m.Nearest(at, s.Food())
		if d < maze.Apart {
			put(foodNear, float64(d))
			put(foodNearInverse, 1/float64(max(d, 1)))
		}
		c := s.Crumbs()
		put(foodTree, float64(c.Tree))
		put(foodIslands, float64(c.Islands))
		put(foodLonely, float64(c.Lonely))
	}
	nearest := maze.Apart
	for i := range m.Capsules() {
		if c, left := s.Capsule(i); left {
			nearest = min(nearest, m.Distance(at, c))
		}
	}
	put(capsules, float64(s.CapsulesLeft()))
	if nearest < maze.Apart {
		put(capsuleNear, float64(min(nearest, far)))
		put(capsuleNearInverse, 1/float64(max(nearest, 1)))
	}
	meet(s, nearest, put)
}

// The terms of pacman/simple.
const (
	simpleScore = iota
	simpleGhosts
	simpleEats
	simpleClosest
	simpleTerms
)

var simpleNames = [simpleTerms]string{
	simpleScore:   "score",
	simpleGhosts:  "ghosts-1-step-away",
	simpleEats:    "eats-food",
	simpleClosest: "closest-food",
}

// simple fills in Berkeley's four, the bias being the model's own and the score
// standing beside them: how many ghosts, scared or not, are one step away or
// less; whether, where none is, food is one step away; the distance to the
// nearest food over the area of the layout. All but the score are divided by 10,
// as they are there.
func simple(s *maze.State, x []models.Term) {
	m, at := s.Maze(), s.Pacman()
	x[simpleScore].Value = float32(s.Score(0))
	ghosts := 0
	for i := range s.Ghosts() {
		if m.Distance(s.Ghost(i).Cell, at) <= 1 {
			ghosts++
		}
	}
	x[simpleGhosts].Value = float32(ghosts) / 10
	if d := m.Nearest(at, s.Food()); d < maze.Apart {
		if ghosts == 0 && d <= 1 {
			x[simpleEats].Value = 0.1
		}
		x[simpleClosest].Value = float32(d) / float32(10*m.Width*m.Height)
	}
}
