package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"net"
	"net/netip"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/internal/proc"
	"plyfit/internal/serve"
	"plyfit/internal/serve/stdio"
	"plyfit/internal/settings"
)

func (a *App) serveCommand() *cobra.Command {
	c := serve.Config{Catalog: a.Catalog}
	var listen string
	var standard, open bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a web page to play, explain values, unfold search trees and watch runs",
		RunE: func(cmd *cobra.Command, args []string) error {
			if standard {
				return a.speak(cmd)
			}
			if err := checkListen(listen, open, &c); err != nil {
				return err
			}
			if c.Token == "" && !open {
				c.Token = rand.Text()
			}
			for _, folder := range []string{c.Runs, c.Limits.Models} {
				if info, err := os.Stat(folder); folder != "" && (err != nil || !info.IsDir()) {
					return fmt.Errorf("%s: want an existing folder", folder)
				}
			}
			c.Log = log.New(a.Stderr, "plyfit serve: ", 0)
			s, err := serve.New(c)
			if err != nil {
				return err
			}
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return fmt.Errorf("--listen %s: %w; use a free address, such as 127.0.0.1:0", listen, err)
			}
			address := "http://" + l.Addr().String() + "/"
			if c.Token != "" {
				address += "?token=" + c.Token
			}
			if _, err := fmt.Fprintf(a.Stdout, "The page is at %s\nPress Ctrl-C to stop.\n", address); err != nil {
				l.Close()
				return proc.Failure(err)
			}
			return errors.Join(proc.Failure(s.Run(cmd.Context(), l)), cmd.Context().Err())
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&standard, "stdio", false, "answer JSON lines on standard input and output instead of serving a page")
	flags.StringVar(&listen, "listen", "127.0.0.1:8700", "address and port")
	flags.StringVar(&c.Token, "token", "", "token that browsers must present, at least 16 characters (default: a random one)")
	flags.BoolVar(&open, "no-token", false, "do not require a token, so that every user of this machine can play and use its CPU")
	flags.StringArrayVar(&c.Hosts, "host", nil, "host name to accept besides localhost; repeat the flag for several names")
	flags.StringVar(&c.Runs, "runs", "", "folder with the runs to show")
	bindFlags(cmd, settings.Of(&c.Limits), "")
	return cmd
}

// speak answers requests on standard input and output. A request may refer to files and programs,
// like the arguments of a command.
func (a *App) speak(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "stdio" && err == nil {
			err = fmt.Errorf("--%s: applies only to the page; use --stdio without other flags", f.Name)
		}
	})
	if err != nil {
		return err
	}
	server := &stdio.Server{Catalog: a.Catalog, Version: proc.Release()}
	return server.Serve(cmd.Context(), a.Stdin, a.Stdout)
}

// checkListen checks the listen address and the time limit. Without a token, the address must be
// local to this machine.
func checkListen(listen string, open bool, c *serve.Config) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--listen %s: want ADDRESS:PORT, such as 127.0.0.1:8700", listen)
	}
	if c.Limits.Time <= 0 {
		return fmt.Errorf("--time %v: want a positive time such as 10s", c.Limits.Time)
	}
	if !open {
		return nil
	}
	if c.Token != "" {
		return errors.New("--no-token: conflicts with --token; use only one of the two")
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return fmt.Errorf("--no-token: other machines can reach --listen %s; use a token", listen)
	}
	return nil
}
