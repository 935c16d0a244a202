package datasets

import (
	"fmt"

	"plyfit/work"
)

// Kinds of jobs whose units are shards.
const (
	SelfPlay = "selfplay"
	Relabel  = "relabel"
	Import   = "import"
)

type planRest struct {
	Source      string  `json:"source,omitempty"`
	Openings    int     `json:"openings"`
	Explore     float64 `json:"explore"`
	Book        string  `json:"book,omitempty"`
	NewOpenings bool    `json:"new_openings,omitempty"`
	Adjudicate  string  `json:"adjudicate,omitempty"`
}

// Job is the plan as a job, whose units are the shards by their numbers.
func (r Plan) Job() *work.Job {
	kind := SelfPlay
	switch {
	case r.Imported():
		kind = Import
	case r.Source != "":
		kind = Relabel
	}
	return &work.Job{
		Kind: kind, World: r.Game, Agents: r.Agents, Seed: r.Seed, To: r.Episodes, UnitSize: r.EpisodesPerShard,
		Rest: planRest{r.Source, r.Openings, r.Explore, r.Book, r.NewOpenings, r.Adjudicate},
	}
}

// PlanOf is the plan whose [Plan.Job] came from another process.
func PlanOf(j *work.Job) (Plan, error) {
	var rest planRest
	if err := j.Decode(&rest); err != nil {
		return Plan{}, err
	}
	if j.To < 1 || j.UnitSize < 1 {
		return Plan{}, fmt.Errorf("%d episodes in shards of %d: want at least 1", j.To, j.UnitSize)
	}
	return Plan{
		Game: j.World, Agents: j.Agents, Seed: j.Seed, Episodes: j.To, EpisodesPerShard: j.UnitSize,
		Source: rest.Source, Openings: rest.Openings, Explore: rest.Explore, Book: rest.Book, NewOpenings: rest.NewOpenings, Adjudicate: rest.Adjudicate,
	}, nil
}
