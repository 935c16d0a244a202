package catalog

import (
	"context"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// TestMoveIsSearchs checks that search.Move chooses the same move as a full search, in every game
// and, in 2048, with many of expectimax's options. It compares two agents with the same seed.
func TestMoveIsSearchs(t *testing.T) {
	agents := []string{"expectimax:depth=1", "expectimax:depth=2", "expectimax:depth=2,ties=random", "greedy", "alphabeta:depth=2", "random"}
	special := []string{"expectimax:depth=3", "expectimax:depth=2,table=off", "expectimax:depth=2,prune=none,table=off", "expectimax:depth=2,prune=star1",
		"expectimax:depth=2,leaf=decision", "expectimax:depth=2,leaf=afterstate,eval=zero", "expectimax:nodes=3000", "expectimax:depth=3,nodes=500", "expectimax:depth=2,samples=2",
		"expectimax:depth=2,minprob=.01", "expectimax:depth=2,threads=2", "expectimax:depth=2,assume=adversary", "expectimax:depth=2,assume=uniform",
		"expectimax:depth=2,assume=(greedy)", "expectimax:depth=2,eval=2048/basic", "mix(0.5*expectimax:depth=2,0.5*random)"}
	specs := map[string][]string{"2048": special, "2048:size=3": special[:6], "2048+adversary": special[:6], "2048+slip=.2": special[:6]}
	for _, e := range All() {
		specs[e.Name] = append(specs[e.Name], agents...)
	}
	ctx := context.Background()
	for spec, list := range specs {
		w := vectors.Must(All().World(spec))
		for _, text := range list {
			a, err := w.Agent(text, AgentOptions{})
			if err != nil {
				continue // not available in every game
			}
			alone, whole := vectors.Must(a.New()), vectors.Must(a.New())
			alone.Begin(5)
			whole.Begin(5)
			run, asked := play.Episode{Luck: &play.Dice{Random: rand.New(rand.NewPCG(1, 2))}}, 0
			for run.Begin(w.New(), 0, w.MaxPlies); asked < 25 && run.Next(); asked++ {
				m, err := search.Move(ctx, alone, run.State)
				r, fails := whole.Search(ctx, run.State)
				if m != r.Move || (err == nil) != (fails == nil) {
					t.Fatalf("%s, %s at %s: %v %v, search %v %v", spec, text, run.State, m, err, r.Move, fails)
				}
				if m == game.NoMove {
					break
				}
				run.Play(m)
			}
			if asked == 0 {
				t.Errorf("%s, %s: no position", spec, text)
			}
		}
	}
}
