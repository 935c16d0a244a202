package serve

import (
	"cmp"
	"time"

	"plyfit/catalog"
	"plyfit/internal/settings"
)

// Limits are the resources that pages may use. A zero field takes its default.
type Limits struct {
	Tables int `flag:"games" default:"200" in:"of at least 1" help:"the most games that are open at once"`
	Depth  int `flag:"depth" default:"12" in:"of at least 1" help:"the most decisions that an agent may search"`
	Table  int `flag:"table" default:"64" in:"of at least 1" help:"the most megabytes of an agent's transposition table"`

	Time time.Duration `flag:"time" default:"10s" help:"the longest that one search may take"`

	Idle        time.Duration // after which a table may be cleared; 0: two hours
	Body        int64         // bytes of a request; 0: 64 KiB
	Simulations int           // of Monte Carlo tree search; 0: 100,000
	Nodes       int           // of a tree that is kept for a page; 0: 20,000
	Trees       int64         // bytes of all trees that are kept, those of the last searches; 0: 256 MB
	Connections int           // at once, those that wait for a request making room; 0: 512

	Browser bool   // the program runs in a browser, so the computer's levels search fewer nodes
	Engines bool   `flag:"engines" help:"agents may be programs of others: uci:cmd=PROGRAM"`
	Models  string `flag:"models" help:"the folder whose model files agents may name"`
}

func (l Limits) complete() Limits {
	settings.Fill(&l, "")
	l.Idle = cmp.Or(l.Idle, 2*time.Hour)
	l.Body = cmp.Or(l.Body, 64<<10)
	l.Simulations = cmp.Or(l.Simulations, 100_000)
	l.Nodes = cmp.Or(l.Nodes, 20_000)
	l.Trees = cmp.Or(l.Trees, 256<<20)
	l.Connections = cmp.Or(l.Connections, 512)
	return l
}

// access is what a page's spec may use.
func (l Limits) access() catalog.Access {
	const spec, agents = 2000, 8
	return catalog.Access{Programs: l.Engines, Allow: "plyfit serve --engines", Folder: l.Models, Limits: catalog.Limits{
		Length: spec, Agents: agents, Depth: l.Depth, Megabytes: l.Table, Samples: l.Simulations, Threads: 1, Time: l.Time, Browser: l.Browser,
	}}
}
