// Package command is the plyfit command with a cluster: the same commands, with
// --cluster where units of work can be done elsewhere, and hub, worker and cluster
// beside them.
//
// A stranger's game gets it in a main of five lines:
// command.Main(append(catalog.All(), mygame.Entry)).
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

// Main runs the command over the games of c with the process's arguments, and exits.
func Main(c catalog.Catalog) {
	cli.Main(c, cli.Extension{
		Commands: []func(*cli.App) *cobra.Command{hubCommand, workerCommand, clusterCommand},
		Help:     help,
		Flags:    addFlags,
		Begin:    begin,
	})
}

// elsewhere are the commands whose work other machines can do.
var elsewhere = []string{"selfplay", "dataset relabel", "match", "tournament", "study", "learn"}

// here are commands that might be expected to take --cluster, with the reason why they refuse it.
var here = map[string]string{
	"fit":   "rows are summed where they are read",
	"train": "a learner that plays learns from one game after the other",
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
	flags.String(nkeyFlag, "", "file with the seed of an nkey that the hub knows")
	flags.String(caFlag, "", "file with the certificates to trust; default: those of the system")
}

func access(cmd *cobra.Command) cluster.Access {
	text := func(name string) string { return cmd.Flags().Lookup(name).Value.String() }
	return cluster.Access{URL: text(clusterFlag), TokenFile: text(tokenFlag), NkeyFile: text(nkeyFlag), CA: text(caFlag)}
}

type hubRun func(ctx context.Context, link *cluster.Link, args []string) error

// atHub completes cmd, which cannot do without a hub: run gets a link to it. It waits this long for the hub.
func atHub(cmd *cobra.Command, wait time.Duration, run hubRun) *cobra.Command {
	accessFlags(cmd, "where the hub is, nats://HOST:PORT or tls://HOST:PORT")
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
	if slices.Contains(elsewhere, name) || here[name] != "" {
		accessFlags(cmd, "have units computed by the workers of a hub, nats://HOST:PORT or tls://HOST:PORT")
		cmd.Flags().Int(checkFlag, usualCheck, "with --cluster: compute one unit in N twice and compare, to detect faulty machines; 0: none")
	}
}

const usualCheck = 20

// begin hands a command's work to the workers of a hub if requested.
func begin(name string, cmd *cobra.Command) (context.Context, func(error), error) {
	ctx := cmd.Context()
	if !slices.Contains(elsewhere, name) && here[name] == "" {
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
	if why := here[name]; why != "" {
		return nil, nil, fmt.Errorf("--%s: %s, so it is not for %s", clusterFlag, why, cmd.CommandPath())
	}
	check, err := cmd.Flags().GetInt(checkFlag)
	if err != nil || check < 0 {
		return nil, nil, fmt.Errorf("--%s %d: want one unit in how many is computed twice, such as %d, or 0 for none", checkFlag, check, usualCheck)
	}
	link, err := cluster.Dial(ctx, a, cluster.Patience, logger(cmd))
	if err != nil {
		return nil, nil, err
	}
	c := &cluster.Coordinator{Link: link, Check: check}
	end := func(err error) {
		if c.Runs() == 0 && err == nil {
			link.Log.Warn("no unit went to the cluster: all was there, or was done here")
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
