package catalog

import "fmt"

// Level is how well the computer plays, with the agent that plays so.
type Level struct{ Name, Agent string }

// Levels are easy, medium and hard in this world, from the weakest to the strongest. Hard is the
// world's planner. The others look one move ahead, where nothing is hidden, and play any legal
// move in every second turn and in every tenth, so that they err as a beginner does.
func (w *World) Levels() []Level {
	shallow := "greedy"
	if w.Hidden {
		shallow = w.Planner() // only it can handle hidden cards
	}
	errs := func(share float64) string { return fmt.Sprintf("mix(%v*random,%v*(%s))", share, 1-share, shallow) }
	return []Level{{"easy", errs(0.5)}, {"medium", errs(0.1)}, {"hard", w.Planner()}}
}
