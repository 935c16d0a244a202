package command

import (
	"cmp"

	"github.com/spf13/cobra"

	"plyfit/cluster/hub"
	"plyfit/internal/cli"
)

func hubCommand(a *cli.App) *cobra.Command {
	var o hub.Options
	cmd := &cobra.Command{
		Use:   "hub",
		Short: "Hand out units of work to the workers of a cluster",
		Args:  cli.Exactly(),
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
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:4222", "where to listen, HOST:PORT; port 0 is any free one")
	flags.StringVar(&o.Store, "store", "hub", "folder of its streams; it may be deleted at any time")
	flags.BoolVar(&o.Sync, "sync", false, "write each message to the disk before it is acknowledged: slower, and loses no unit that was under way")
	flags.StringVar(&o.TokenFile, "token-file", "", "file with the token that others are to give, at least 16 characters")
	flags.StringArrayVar(&o.Nkeys, "nkey", nil, "public nkey that lets others in, in place of a token; may be repeated")
	flags.BoolVar(&o.Plain, "plain", false, "listen to other machines without TLS: tokens, models and results can be read on the way")
	flags.StringVar(&o.Certificate, "certificate", "", "file with the certificate for TLS")
	flags.StringVar(&o.Key, "key", "", "file with the key of the certificate")
	return cmd
}
