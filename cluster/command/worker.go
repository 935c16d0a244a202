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
		Long: `Take one unit after the other from a hub, and hand back the results, until it is
stopped. A worker needs no files: jobs bring what they need. It works for commands of its
own build only, and says so of others. Waits for a hub that is not there yet.`,
		Example: `  plyfit worker --cluster nats://127.0.0.1:4222 --workers 8`,
		Args:    cli.Exactly(),
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
