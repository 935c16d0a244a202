package catalog

import (
	"fmt"
	"math"
	"strconv"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
)

func keyEval(w *World, o *game.Options, d *draft) error {
	name := o.String("eval", "")
	d.eval = name
	if name == "" && d.evaluation != nil {
		return nil
	}
	var err error
	d.evaluation, err = w.Evaluation(name)
	return err
}

func keyLeaf(_ *World, o *game.Options, d *draft) error {
	d.Leaf = models.Leaves(o.String("leaf", "", string(models.Decision), string(models.Afterstate)))
	return nil
}

func keyTies(_ *World, o *game.Options, d *draft) error {
	if o.String("ties", "first", "first", "random") == "random" {
		d.Ties = search.Random
	}
	return nil
}

func keyLimits(w *World, o *game.Options, d *draft) error {
	d.Depth = o.Int("depth", 0, 1, deepEnough)
	d.Nodes = int64(o.Int("nodes", 0, 1, math.MaxInt))
	d.Time = o.Duration("time", 0)
	if d.Depth == 0 && d.Nodes == 0 && d.Time == 0 {
		d.Depth = w.depth()
	}
	return nil
}

func keyOrder(_ *World, o *game.Options, d *draft) error {
	if o.String("order", "auto", "auto", "natural") == "natural" {
		d.Order = search.Natural
	}
	return nil
}

func keyTable(w *World, o *game.Options, d *draft) error {
	const most = 1 << 16
	text := o.String("table", "")
	n, err := strconv.Atoi(text)
	switch {
	case text == "off":
		d.Table = -1
	case err == nil && n >= 1 && n <= most:
		d.Table = n
	case o.Has("table"):
		o.Fail("table", fmt.Sprintf("off, or megabytes from 1 to %d", most))
	default:
		const usual = 64 // the search's own default
		if limit := w.Entry.limits().Megabytes; limit < usual {
			d.Table = limit // 0, which is no limit, means the default, too
		}
	}
	return nil
}

func keyPrune(_ *World, o *game.Options, d *draft) error {
	d.Prune = map[string]search.Prune{"": search.PruneDefault, "none": search.NoPrune, "star1": search.Star1, "star2": search.Star2}[o.String("prune", "", "none", "star1", "star2")]
	d.MinProb = o.Float("minprob", 0, 0, 1)
	d.Samples = o.Int("samples", 0, 1, 1<<20)
	return nil
}

func keyPruneMaxN(_ *World, o *game.Options, d *draft) error {
	if o.String("prune", "shallow", "none", "shallow") == "none" {
		d.whole = true
	}
	return nil
}

func keyQuiescence(_ *World, o *game.Options, d *draft) error {
	d.Quiescence = o.Bool("quiescence", false)
	return nil
}

func keyThreads(_ *World, o *game.Options, d *draft) error {
	d.Threads = o.Int("threads", 1, 1, 256)
	return nil
}

func keySimulations(w *World, o *game.Options, d *draft) error {
	d.simulations = o.Int("simulations", 0, 1, 1<<30)
	d.exploration = o.Float("exploration", 0, 0, 1e6)
	d.prior = o.Float("prior", 0, 0, 1e6)
	if limit := w.Entry.limits().Samples; d.simulations == 0 && (o.Has("nodes") || o.Has("time")) {
		d.simulations = limit
	}
	d.Nodes = int64(o.Int("nodes", 0, 1, math.MaxInt))
	d.Time = o.Duration("time", 0)
	return nil
}

func keyRollouts(_ *World, o *game.Options, d *draft) error {
	d.rollouts = o.Bool("rollouts", false)
	return nil
}
