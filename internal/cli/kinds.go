package cli

import (
	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/selfplay"
	"plyfit/study"
	"plyfit/study/experiments"
	"plyfit/work"
)

// Kinds are all kinds of jobs that a process with these games can do for others.
func Kinds(c catalog.Catalog) work.Kinds {
	return append(selfplay.Kinds(c.Unpack), arena.Kind(c.Unpack), study.Kind(c, experiments.Find))
}
