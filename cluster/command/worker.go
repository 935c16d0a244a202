package command

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plyfit/cluster"
	"plyfit/internal/cli"
)

func workerCommand(a *cli.App) *cobra.Command {
	w := &cluster.Worker{}
	cmd := atHub(&cobra.Command{
		Use:   "worker --cluster URL",
		Short: "Compute units for the commands of a cluster",
		Args:  cli.Exactly(),
		PreRunE: func(*cobra.Command, []string) error {
			if w.Lease < time.Second {
				return fmt.Errorf("--lease %v: want at least 1s", w.Lease)
			}
			return nil
		},
	}, forever, func(ctx context.Context, link *cluster.Link, _ []string) error {
		w.Link, w.Kinds = link, cli.Kinds(a.Catalog)
		return cmp.Or(w.Run(ctx), ctx.Err())
	})
	cmd.Flags().DurationVar(&w.Lease, "lease", cluster.Lease, "after how long without a sign of life a unit goes to another worker; the first worker on a hub decides for those of its build")
	cli.WorkersFlag(cmd, &w.Workers)
	return cmd
}

const forever = 100 * 365 * 24 * time.Hour
