// Package command is the plyfit command with cluster support. It adds --cluster to the commands
// whose units of work can be computed elsewhere, and the commands hub, worker and cluster.
//
// To include a game of your own, call command.Main(catalog.All().With(mygame.Entry)) in your main
// function.
package command

import (
	"context"
	"embed"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/cluster"
	"plyfit/internal/cli"
	"plyfit/work"
)

//go:embed help
var help embed.FS

// Main runs the command with the games in c and the process's arguments, and then exits.
func Main(c catalog.Catalog) {
	cli.Main(c, cli.Extension{
		Commands: []func(*cli.App) *cobra.Command{hubCommand, workerCommand, clusterCommand},
		Help:     help,
		Flags:    addFlags,
		Begin:    begin,
	})
}

// distributable lists the commands whose work can be done by other machines.
var distributable = []string{"selfplay", "dataset relabel", "match", "tournament", "study", "learn"}

// refusals maps commands that might be expected to accept --cluster to the reason why they do not.
var refusals = map[string]string{
	"fit":   "rows are summed in the process that reads them",
	"train": "a learner needs the result of each game before it plays the next",
}

const (
	clusterFlag = "cluster"
	tokenFlag   = "cluster-token-file"
	nkeyFlag    = "cluster-nkey-file"
	caFlag      = "cluster-ca"
	checkFlag   = "check"
)

func accessFlags(cmd *cobra.Command, what string) {
	flags := cmd.Flags()
	flags.String(clusterFlag, "", what)
	flags.String(tokenFlag, "", "file with the token of the hub")
	flags.String(nkeyFlag, "", "file with the seed of an nkey that the hub accepts")
	flags.String(caFlag, "", "file with trusted certificates; default: the system's certificates")
}

func access(cmd *cobra.Command) cluster.Access {
	text := func(name string) string { return cmd.Flags().Lookup(name).Value.String() }
	return cluster.Access{URL: text(clusterFlag), TokenFile: text(tokenFlag), NkeyFile: text(nkeyFlag), CA: text(caFlag)}
}

type hubRun func(ctx context.Context, link *cluster.Link, args []string) error

// atHub completes a command that needs a hub. It waits up to the given time for the hub, and passes
// a link to the callback run.
func atHub(cmd *cobra.Command, wait time.Duration, run hubRun) *cobra.Command {
	accessFlags(cmd, "address of the hub, nats://HOST:PORT or tls://HOST:PORT")
	cmd.MarkFlagRequired(clusterFlag)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		link, err := cluster.Dial(cmd.Context(), access(cmd), wait, logger(cmd))
		if err != nil {
			return err
		}
		defer link.Close()
		return run(cmd.Context(), link, args)
	}
	return cmd
}

func addFlags(name string, cmd *cobra.Command) {
	if slices.Contains(distributable, name) || refusals[name] != "" {
		accessFlags(cmd, "address of a hub whose workers compute the units, nats://HOST:PORT or tls://HOST:PORT")
		cmd.Flags().Int(checkFlag, usualCheck, "with --cluster: compute one unit in N twice to detect faulty machines; 0: none")
	}
}

const usualCheck = 20

// begin arranges for a hub's workers to compute the command's units if --cluster is set.
func begin(name string, cmd *cobra.Command) (context.Context, func(error), error) {
	ctx := cmd.Context()
	if !slices.Contains(distributable, name) && refusals[name] == "" {
		return ctx, nil, nil
	}
	a := access(cmd)
	if a.URL == "" {
		for _, flag := range []string{tokenFlag, nkeyFlag, caFlag, checkFlag} {
			if cmd.Flags().Changed(flag) {
				return nil, nil, fmt.Errorf("--%s: want --%s with it", flag, clusterFlag)
			}
		}
		return ctx, nil, nil
	}
	if why := refusals[name]; why != "" {
		return nil, nil, fmt.Errorf("--%s: %s, so %s does not support the flag", clusterFlag, why, cmd.CommandPath())
	}
	check, err := cmd.Flags().GetInt(checkFlag)
	if err != nil || check < 0 {
		return nil, nil, fmt.Errorf("--%s %d: want a number N, such as %d, to compute one unit in every N twice, or 0 for none", checkFlag, check, usualCheck)
	}
	link, err := cluster.Dial(ctx, a, cluster.Patience, logger(cmd))
	if err != nil {
		return nil, nil, err
	}
	c := &cluster.Coordinator{Link: link, Check: check}
	end := func(err error) {
		if c.Runs() == 0 && err == nil {
			link.Log.Warn("the cluster was not used, because all results existed or were computed in this process")
		}
		link.Close()
	}
	return work.WithExecutor(ctx, c), end, nil
}

func logger(cmd *cobra.Command) *slog.Logger {
	w := cmd.ErrOrStderr()
	if w == nil {
		w = os.Stderr
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.String(a.Key, a.Value.Time().Format("2006-01-02T15:04:05.000"))
		}
		return a
	}}))
}
