package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"plyfit/cluster"
	"plyfit/cluster/hub"
	"plyfit/internal/cli"
	"plyfit/internal/proc"
	"plyfit/work"
)

func clusterCommand(a *cli.App) *cobra.Command {
	return cli.Group("cluster", "Inspect a cluster: jobs, workers, failed units and keys",
		statusCommand(a), repeatCommand(a), keyCommand(a))
}

func statusCommand(a *cli.App) *cobra.Command {
	var asJSON bool
	cmd := atHub(&cobra.Command{
		Use:   "status --cluster URL",
		Short: "Show the jobs, queues and workers of a hub",
	}, 0, func(ctx context.Context, link *cluster.Link, _ []string) error {
		s, err := cluster.ReadStatus(ctx, link)
		if err != nil {
			return proc.Failure(err)
		}
		if asJSON {
			return cli.WriteJSON(a.Stdout, s)
		}
		return printStatus(a.Stdout, s)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func printStatus(out io.Writer, s cluster.Status) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(s.Jobs) > 0 {
		fmt.Fprintln(w, "job\tkind\tworld\tunits\tdone\tqueued\tdead\tunits/s\tleft")
	}
	for _, j := range s.Jobs {
		left := "?"
		if j.Left >= 0 {
			left = (time.Duration(min(j.Left, longest)) * time.Second).String()
		}
		fmt.Fprintf(w, "%.12s\t%s\t%s\t%d\t%d\t%d\t%d\t%.3g\t%s\n", j.Job, j.Kind, j.World, j.Units, j.Done, j.Queued, j.Dead, j.Rate, left)
	}
	underWay, redelivered := 0, 0
	for _, b := range s.Builds {
		underWay, redelivered = underWay+b.UnderWay, redelivered+b.Redelivered
	}
	fmt.Fprintf(w, "units on the hub: %d (running: %d, restarted: %d); waiting results: %d; abandoned units: %d; size: %.1f MB\n",
		s.Queued, underWay, redelivered, s.Results, s.Dead, float64(s.Bytes)/1e6)
	if len(s.Workers) > 0 {
		fmt.Fprintln(w, "worker\tprogram\tparallel\tbusy\tdone\tfailed\tunits/s")
	}
	for _, x := range s.Workers {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%.3g\n", x.Name, x.Build.Program, x.Workers, x.Busy, x.Done, x.Failed, float64(x.Done)/max(x.Seconds, 1))
	}
	return w.Flush()
}

// longest is the longest remaining time that is printed, in seconds.
const longest = 100 * 365 * 24 * 3600

func repeatCommand(a *cli.App) *cobra.Command {
	return atHub(&cobra.Command{
		Use:   "repeat JOB UNIT --cluster URL",
		Short: "Compute one unit in this process to find out why the unit fails",
	}, 0, func(ctx context.Context, link *cluster.Link, args []string) error {
		unit, err := strconv.Atoi(args[1])
		if err != nil || unit < 0 {
			return fmt.Errorf("unit %s: want a number of at least 0", args[1])
		}
		result, err := cluster.Repeat(ctx, link, cli.Kinds(a.Catalog), args[0], unit)
		if err != nil {
			return proc.Failure(fmt.Errorf("unit %d: %w", unit, err))
		}
		_, err = fmt.Fprintf(a.Stdout, "unit %d: the result has %d bytes and the SHA-256 %s\n", unit, len(result), work.Digest(result))
		return err
	})
}

func keyCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "key FILE",
		Short: "Create an nkey, write its seed to a file and print its public key",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := cluster.MakeKey(args[0]); err != nil {
				return err
			}
			public, err := cluster.ReadKey(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.Stdout, public)
			return err
		},
	}
}

func hubCommand(a *cli.App) *cobra.Command {
	var o hub.Options
	cmd := &cobra.Command{
		Use:   "hub",
		Short: "Distribute units of work to the workers of a cluster",
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := hub.Start(o, logger(cmd))
			if err != nil {
				return err
			}
			defer h.Close()
			return cmp.Or(h.Run(cmd.Context()), cmd.Context().Err())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:4222", "address to listen on, HOST:PORT; port 0 selects a free port")
	flags.StringVar(&o.Store, "store", "hub", "folder for streams; it can be deleted at any time")
	flags.BoolVar(&o.Sync, "sync", false, "flush each message to disk before acknowledging it; slower, but no unit is repeated after a crash")
	flags.StringVar(&o.TokenFile, "token-file", "", "file with the token that clients must present, at least 16 characters")
	flags.StringArrayVar(&o.Nkeys, "nkey", nil, "public nkey that gives access instead of a token; repeat the flag for several nkeys")
	flags.BoolVar(&o.Plain, "plain", false, "accept other machines without TLS; tokens, models and results can be intercepted")
	flags.StringVar(&o.Certificate, "certificate", "", "TLS certificate file")
	flags.StringVar(&o.Key, "key", "", "TLS key file")
	return cmd
}

func workerCommand(a *cli.App) *cobra.Command {
	w := &cluster.Worker{}
	cmd := atHub(&cobra.Command{
		Use:   "worker --cluster URL",
		Short: "Compute units of work for a hub",
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
	cmd.Flags().DurationVar(&w.Lease, "lease", cluster.Lease, "time without a heartbeat after which a unit is reassigned; set by the first worker of a build")
	cli.WorkersFlag(cmd, &w.Workers)
	return cmd
}

const forever = 100 * 365 * 24 * time.Hour
