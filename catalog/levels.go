package catalog

import (
	"cmp"
	"fmt"
	"math"

	"plyfit/internal/text"
)

// A Level is a playing strength of the computer on the page. Doc is a predicate whose subject is
// the computer.
type Level struct{ Name, Agent, Doc string }

// Levels returns the levels of this world from the weakest to the strongest. They are limited by
// nodes and decisions, never by time, so that a game can be repeated on any machine. Agents for
// hidden information have no such limits, so their weaker levels mix random moves into the
// strongest one.
func (w *World) Levels() []Level {
	hard := func(agent string) string {
		if w.Entry.best() == "" {
			return agent
		}
		return WithEval(agent, "best")
	}
	if w.Hidden {
		agent := hard(w.Planner())
		return []Level{erring("easy", 0.5, agent, ""), erring("medium", 0.1, agent, ""), {"hard", agent, "always plays the best move found"}}
	}
	l, search := w.Entry.Levels, w.Searching
	depth := cmp.Or(l.Depth, min(w.depth(), 3))
	depth = min(depth, cmp.Or(w.Entry.limits().Depth, depth))
	nodes := cmp.Or(l.Nodes, 100_000)
	if w.Entry.limits().Browser {
		nodes = cmp.Or(l.Browser, nodes/5)
	}
	return []Level{
		erring("easy", 0.5, "greedy", "looks one move ahead"),
		erring("medium", l.Errs, search("depth", depth), "looks "+text.Counted(depth, "decision")+" ahead"),
		{"hard", hard(search("nodes", nodes)), fmt.Sprintf("searches %d nodes per move", nodes)},
	}
}

// Searching returns the agent of the stronger levels with a limit, such as depth or nodes.
func (w *World) Searching(limit string, n int) string {
	kind, options := "alphabeta", w.Entry.Levels.Options
	if w.Players > 2 {
		kind, options = "maxn", ""
	} else if w.Chancy() {
		kind, options = "expectimax", ""
	}
	agent := fmt.Sprintf("%s:%s=%d", kind, limit, n)
	if options != "" {
		agent = with(agent, options)
	}
	return agent
}

// erring returns the level of an agent that plays a random move on the given fraction of its turns.
func erring(name string, share float64, agent, doc string) Level {
	if share == 0 {
		return Level{name, agent, doc}
	}
	if doc != "" {
		doc += " and "
	}
	agent = fmt.Sprintf("mix(%v*random,%v*(%s))", share, 1-share, agent)
	return Level{name, agent, fmt.Sprintf("%splays a random move on %.0f%% of its turns", doc, math.Round(100*share))}
}
