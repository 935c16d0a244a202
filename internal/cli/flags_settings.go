package cli

import (
	"fmt"
	"reflect"

	"github.com/spf13/cobra"

	"plyfit/internal/settings"
)

// forColumns and forGame are the kinds of data that settings of fits are for: tables of any
// columns, and positions of a game.
const (
	forColumns = "columns"
	forGame    = "game"
)

// bindFlags adds a flag with its default for each setting. The help of settings for
// columns begins with the prefix.
func bindFlags(cmd *cobra.Command, all []settings.Setting, prefix string) {
	for _, s := range all {
		s.Fill()
		help := s.Help()
		if s.For() == forColumns {
			help = prefix + help
		}
		f := cmd.Flags().VarPF(s, s.Name, "", help)
		if s.Is(reflect.Bool) {
			f.NoOptDefVal = "true"
		}
	}
}

// changed returns the name of the first of these settings that was given; "": none.
func changed(cmd *cobra.Command, all []settings.Setting) string {
	for _, s := range all {
		if cmd.Flags().Changed(s.Name) {
			return s.Name
		}
	}
	return ""
}

// givenFlags copies the settings given as flags and refuses those that the method does not read.
func givenFlags(cmd *cobra.Command, from, to any, method string) error {
	target := settings.Of(to)
	for i, s := range settings.Of(from) {
		switch {
		case !cmd.Flags().Changed(s.Name):
		case !s.ReadBy(method):
			return fmt.Errorf("--%w", s.Unread(method))
		default:
			target[i].Copy(s)
		}
	}
	return nil
}

// repeatedFlags are the given flags in the form of a command line.
func repeatedFlags(cmd *cobra.Command, at any) (text string) {
	for _, s := range settings.Of(at) {
		switch {
		case !cmd.Flags().Changed(s.Name):
		case s.Is(reflect.Bool) && s.String() == "true":
			text += " --" + s.Name
		case s.Is(reflect.Bool):
			text += " --" + s.Name + "=false"
		case s.Repeats():
			for _, item := range s.Items() {
				text += fmt.Sprintf(" --%s %q", s.Name, item)
			}
		default:
			text += fmt.Sprintf(" --%s %s", s.Name, s)
		}
	}
	return text
}
