package loop

import (
	"context"
	"fmt"
	"path/filepath"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/models"
)

// Mean is the mean of the weights of a run's last rounds.
type Mean struct {
	Rounds int          `json:"rounds"` // how many
	Match  arena.Result `json:"match"`  // of the mean against the last round's model
	Ships  bool         `json:"ships"`  // it did not lose that match
}

// average has the mean of the last rounds' weights play the last round's model, and
// ships it unless it comes out below even. A recipe without Mean ships a round's model.
func (o *Result) average(ctx context.Context, log *runLog) error {
	c := &o.Options
	n := min(c.Recipe.Mean, len(o.Rounds))
	if n < 2 {
		return nil
	}
	var files []*models.File
	for k := len(o.Rounds); k > len(o.Rounds)-n; k-- {
		f, err := models.Load(c.modelPath(k))
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	mean, err := models.Mean(files...)
	if err != nil {
		return err
	}
	mean.Provenance.Command = c.Command
	mean.Provenance.Method = fmt.Sprintf("mean of the last %d of %d rounds", n, len(o.Rounds))
	mean.Provenance.Notes = nil // all are of the one command
	path := filepath.Join(c.Dir, "mean.json")
	if err := mean.Save(path); err != nil {
		return err
	}
	t := c.trialMatch("accept-mean", c.modelPath(len(o.Rounds)), game.StreamAccept, uint64(len(o.Rounds)+1))
	if err := c.play(ctx, &t, path); err != nil {
		return err
	}
	o.Mean = &Mean{Rounds: n, Match: t.Result, Ships: !below(&t.Result)}
	log.write("mean", map[string]any{"rounds": n, "ships": o.Mean.Ships})
	if !o.Mean.Ships {
		return nil
	}
	_, o.Learned, err = c.World.Model(path)
	return err
}

// Text says in a sentence what the mean came to.
func (m *Mean) Text() string {
	if m.Ships {
		return fmt.Sprintf("The mean of the last %d rounds ships: %s against the last of them.", m.Rounds, Share(&m.Match))
	}
	return fmt.Sprintf("The last round ships, since the mean of the last %d lost to it: %s.", m.Rounds, Share(&m.Match))
}
