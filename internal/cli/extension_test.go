package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"plyfit/catalog"
)

type colour struct{}

// TestExtension checks that an extension can add commands and flags, and can add a value to the
// context of the built-in commands.
func TestExtension(t *testing.T) {
	var log []string
	var named []string
	x := Extension{
		Commands: []func(*App) *cobra.Command{func(a *App) *cobra.Command {
			return &cobra.Command{Use: "paint", RunE: func(cmd *cobra.Command, _ []string) error {
				_, err := fmt.Fprintf(a.Stdout, "%v over %d games\n", cmd.Context().Value(colour{}), len(a.Catalog))
				return err
			}}
		}},
		Flags: func(name string, cmd *cobra.Command) {
			named = append(named, name)
			if name == "games" || name == "dataset info" {
				cmd.Flags().String("colour", "", "what colour it is")
			}
		},
		Begin: func(name string, cmd *cobra.Command) (context.Context, func(error), error) {
			log = append(log, "begin "+name)
			if f := cmd.Flags().Lookup("colour"); f != nil && f.Value.String() == "none" {
				return nil, nil, errors.New("--colour none: want a colour")
			}
			return context.WithValue(cmd.Context(), colour{}, "red"), func(err error) {
				if log = append(log, "end "+name); err != nil {
					log = append(log, "of an error")
				}
			}, nil
		},
	}
	for _, c := range []struct {
		args          []string
		code          int
		output, fault string
		log           []string
	}{
		{args: []string{"paint"}, output: fmt.Sprintf("red over %d games\n", len(catalog.All())), log: []string{"begin paint", "end paint"}},
		{args: []string{"games", "--colour", "blue"}, output: "2048", log: []string{"begin games", "end games"}},
		{args: []string{"games", "--colour", "none"}, code: 2, fault: "plyfit: --colour none: want a colour\n", log: []string{"begin games"}},
		{args: []string{"perft", "--colour", "blue"}, code: 2, fault: "unknown flag: --colour"},
		{args: []string{"dataset", "info", "--colour", "blue", "/nowhere"}, code: 2, fault: "not a data set", log: []string{"begin dataset info", "end dataset info", "of an error"}},
	} {
		log = nil
		code, out, fault := tryWith([]Extension{x}, "", c.args...)
		if code != c.code || !strings.Contains(out, c.output) || !strings.Contains(fault, c.fault) || !slices.Equal(log, c.log) {
			t.Errorf("%v: exit code %d, %q, %q, %q; want %d, %q, %q, %q", c.args, code, out, fault, log, c.code, c.output, c.fault, c.log)
		}
	}
	for _, want := range []string{"selfplay", "dataset relabel", "match", "tournament", "study", "learn"} {
		if !slices.Contains(named, want) {
			t.Errorf("flags are offered to %q, want %s among them", named, want)
		}
	}
}
