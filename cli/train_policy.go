package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"plyfit/learn/online"
)

// policyFlags are those of the method that learns to choose.
type policyFlags struct {
	sharp, jitter float64
}

func (f *policyFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.sharp, "sharp", 15, "of policy: how much more the weights decide while learning than as they stand in the model")
	flags.Float64Var(&f.jitter, "jitter", 4, "of policy: the most noise in the other side's weights, in their root mean square; 0 for none")
}

func trainPolicy(p *trainPlan) (online.Learner, error) {
	switch {
	case p.lambda != 0:
		return nil, fmt.Errorf("--lambda %v: policy learns from outcomes alone", p.lambda)
	case p.tc:
		return nil, fmt.Errorf("--tc: policy does not know it: td does")
	case p.leaves != "" && p.leaves != string(p.task.Model.Leaves):
		return nil, fmt.Errorf("leaves %s: policy learns afterstates", p.leaves)
	case !(p.sharp > 0):
		return nil, fmt.Errorf("sharp=%v: want a number above 0", p.sharp)
	case !(p.alpha > 0):
		return nil, fmt.Errorf("alpha=%v: want a number above 0", p.alpha)
	}
	p.chunk = p.batch
	p.depends("decay", p.decay)
	p.depends("sharp", p.sharp)
	p.depends("jitter", p.jitter)
	p.depends("batch", p.batch)
	return online.NewPolicy(online.PolicyConfig{
		Task: p.task, Alpha: p.alpha, Decay: p.decay, Sharp: p.sharp, Jitter: p.jitter, Wins: p.wins,
		AverageFrom: p.steps.AverageFrom, Batch: p.batch,
	})
}
