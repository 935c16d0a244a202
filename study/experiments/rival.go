package experiments

import (
	"cmp"
	"fmt"

	"plyfit/catalog"
	"plyfit/search"
	"plyfit/study"
)

// rivalOf is the evaluation that games are played with and others are measured by:
// --eval, else the hand-written one of the game.
func rivalOf(s *study.Session, w *catalog.World) (*catalog.Evaluation, error) {
	if s.Over.Eval == "" && !w.Entry.Ships("handwritten") {
		return nil, fmt.Errorf("game %s: has no hand-written evaluation: want --eval", w.Spec)
	}
	return w.Evaluation(cmp.Or(s.Over.Eval, "handwritten"))
}

// rivalName is what reports call it.
func rivalName(s *study.Session) string {
	if s.Over.Eval == "" {
		return "the hand-written evaluation"
	}
	return s.Over.Eval
}

// over is the digest of an evaluation that --eval names, for the keys of cells; "" where
// it names none, so that the keys of a study without it stay as they were.
func over(s *study.Session, e *catalog.Evaluation) string {
	if s.Over.Eval == "" {
		return ""
	}
	return cmp.Or(e.Digest, e.Name)
}

// agentBy is the agent of spec, a kind with any keys but eval, that plays by an
// evaluation.
func agentBy(w *catalog.World, spec, eval string) (search.Agent, error) {
	spec, err := catalog.WithKey(spec, "eval", eval)
	if err != nil {
		return nil, err
	}
	player, err := w.Agent(spec, catalog.AgentOptions{})
	if err != nil {
		return nil, err
	}
	return player.New()
}
