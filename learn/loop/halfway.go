package loop

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"plyfit/arena"
	"plyfit/features"
	"plyfit/game"
)

// What a training has in its folder while it is under way: the model of its middle.
const (
	middleModel = "middle.json"
	middleTable = "middle.weights"
)

// Pairs of the match between a training's end and middle: at most mostGuardPairs, and one for
// guardShare episodes, so that it costs a few hundredths of the training. Fewer than
// leastGuardPairs show nothing and are not played.
const (
	mostGuardPairs  = 100
	leastGuardPairs = 20
	guardShare      = 80
)

// guardPairs is the pairs between end and middle of a training of so many episodes; 0: no match.
func guardPairs(r *features.Recipe, episodes int) int {
	n := min(mostGuardPairs, r.Pairs, episodes/guardShare)
	if n < leastGuardPairs {
		return 0
	}
	return n
}

// guard plays the end of the training in that folder against its middle. If the end's interval lies
// below even, learning had diverged, and the middle's model replaces it, in found and on file.
func (c *Options) guard(ctx context.Context, found *trained, folder string, seed uint64, episodes int) error {
	dir := filepath.Join(c.Dir, folder)
	end, before := filepath.Join(dir, stageModel), filepath.Join(dir, middleModel)
	t := Contest{
		World: c.World, Planner: c.Recipe.Planners[0], A: "learned", B: "before", Pairs: guardPairs(&c.Recipe, episodes),
		Seed: game.Seed(seed, game.StreamMiddle), file: strings.ReplaceAll(folder, string(filepath.Separator), "-") + "-guard", before: before,
	}
	if err := c.play(ctx, &t, end); err != nil {
		return err
	}
	found.Guard, found.Middle = &t.Result, t.Result.Conclusion == arena.BetterB
	if !found.Middle {
		return nil
	}
	_, m, err := c.World.Model(before)
	if err != nil {
		return err
	}
	provenance := *found.model.Provenance
	provenance.Episodes = episodes / 2
	provenance.Notes = append(provenance.Notes, fmt.Sprintf("half of the training: its end was clearly worse, %s", shareText(found.Guard)))
	m.Provenance = &provenance
	found.model = m
	return m.File().Save(end)
}

// guardSentence says how the end of stage k, from 0 on, fared against its middle.
func (s *Stage) guardSentence(k int) string {
	return say("guard", struct {
		*Stage
		Number int
	}{s, k + 1})
}
