package pacman

import (
	"plyfit/features"
	maze "plyfit/game/pacman"
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

var classicList = [classicTerms]features.Term[values]{
	score:              {Name: "score", Doc: "the score so far; its weight is 1 in a model that predicts the final score"},
	food:               {Name: "food", Doc: "food dots left"},
	foodNear:           {Name: "food-near", Doc: "the distance to the nearest"},
	foodNearInverse:    {Name: "food-near-inverse", Doc: "its inverse"},
	foodTree:           {Name: "food-tree", Doc: "the length of the shortest tree of ways that joins all dots: with `food-near` a bound of the walk that is left"},
	foodIslands:        {Name: "food-islands", Doc: "groups of neighbouring dots"},
	foodLonely:         {Name: "food-lonely", Doc: "dots without a neighbour"},
	capsules:           {Name: "capsules", Doc: "capsules left"},
	capsuleNear:        {Name: "capsule-near", Doc: "the distance to the nearest"},
	capsuleNearInverse: {Name: "capsule-near-inverse", Doc: "its inverse"},
	capsuleBait:        {Name: "capsule-bait", Doc: "over active ghosts, 1 / (its distance x that of the nearest capsule): ghosts lured towards a capsule"},
	deadEnd:            {Name: "dead-end", Doc: "while ghosts are active, how deep in a dead end Pacman stands"},
	trapped:            {Name: "trapped", Doc: "active ghosts who can be at him before he is out of it (within twice that depth)"},
	escapes:            {Name: "escapes", Doc: "while ghosts are active, cells beside him from which all are more than two steps away"},
	ghostNear:          {Name: "ghost-near", Doc: "moves that the nearest active ghost needs to reach him, given that it does not turn back at once"},
	ghostInverse:       {Name: "ghost-inverse", Doc: "the inverses of such numbers, added up over active ghosts"},
	ghostsAt1:          {Name: "ghosts-at-1", Doc: "active ghosts that need one move, or none"},
	ghostsAt2:          {Name: "ghosts-at-2", Doc: "that need two"},
	ghostsAt3:          {Name: "ghosts-at-3", Doc: "that need three"},
	ghostsAt4:          {Name: "ghosts-at-4", Doc: "that need four"},
	pincer:             {Name: "pincer", Doc: "ways on which a ghost comes towards him from within three steps, beyond the first"},
	territory:          {Name: "territory", Doc: "the share of the cells that he reaches before every active ghost"},
	cornered:           {Name: "cornered", Doc: "1 - (number of those cells)/10 where that is positive"},
	scared:             {Name: "scared", Doc: "scared ghosts near enough to be caught in time"},
	scaredNear:         {Name: "scared-near", Doc: "the way to the nearest of them, half cells counted"},
	scaredInverse:      {Name: "scared-inverse", Doc: "the inverses of the ways to all of them, added up"},
	scaredTime:         {Name: "scared-time", Doc: "the timers of all scared ghosts, each over 40"},
}

type values [classicTerms]float64

// far is where the distances of "near" terms end.
const far = 20

func (v *values) measure(s *maze.State) {
	*v = values{}
	m, at := s.Maze(), s.Pacman()
	v[score] = s.Score(0)
	v[food] = float64(s.FoodLeft())
	if s.FoodLeft() > 0 {
		if d := m.Nearest(at, s.Food()); d < maze.Apart {
			v[foodNear] = float64(d)
			v[foodNearInverse] = 1 / float64(max(d, 1))
		}
		c := s.Crumbs()
		v[foodTree] = float64(c.Tree)
		v[foodIslands] = float64(c.Islands)
		v[foodLonely] = float64(c.Lonely)
	}
	nearest := maze.Apart
	for i := range m.Capsules() {
		if c, left := s.Capsule(i); left {
			nearest = min(nearest, m.Distance(at, c))
		}
	}
	v[capsules] = float64(s.CapsulesLeft())
	if nearest < maze.Apart {
		v[capsuleNear] = float64(min(nearest, far))
		v[capsuleNearInverse] = 1 / float64(max(nearest, 1))
	}
	v.meet(s, nearest)
}

// The terms of pacman/simple.
const (
	simpleScore = iota
	simpleGhosts
	simpleEats
	simpleClosest
	simpleTerms
)

var simpleList = [simpleTerms]features.Term[simpleValues]{
	simpleScore:   {Name: "score", Doc: "the score"},
	simpleGhosts:  {Name: "ghosts-1-step-away", Doc: "ghosts, scared or not, one step away or less, by 10"},
	simpleEats:    {Name: "eats-food", Doc: "0.1 where there is none and food is one step away"},
	simpleClosest: {Name: "closest-food", Doc: "the distance to the nearest food by ten times the layout's area"},
}

type simpleValues [simpleTerms]float64

// measure computes Berkeley's four, the bias being the model's own and the score
// standing beside them. All but the score are divided by 10, as they are there.
func (v *simpleValues) measure(s *maze.State) {
	m, at := s.Maze(), s.Pacman()
	*v = simpleValues{simpleScore: s.Score(0)}
	ghosts := 0
	for i := range s.Ghosts() {
		if m.Distance(s.Ghost(i).Cell, at) <= 1 {
			ghosts++
		}
	}
	v[simpleGhosts] = float64(float32(ghosts) / 10)
	if d := m.Nearest(at, s.Food()); d < maze.Apart {
		if ghosts == 0 && d <= 1 {
			v[simpleEats] = 0.1
		}
		v[simpleClosest] = float64(float32(d) / float32(10*m.Width*m.Height))
	}
}
