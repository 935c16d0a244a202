package cli

import (
	"fmt"
	"reflect"

	"github.com/spf13/cobra"

	"plyfit/internal/settings"
)

// bindFlags adds a flag with its default for each setting of the struct at points to.
func bindFlags(cmd *cobra.Command, at any) {
	settings.Fill(at, "")
	for _, s := range settings.Of(at) {
		f := cmd.Flags().VarPF(s, s.Name, "", s.Help())
		if s.Is(reflect.Bool) {
			f.NoOptDefVal = "true"
		}
	}
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
		case s.Is(reflect.Map):
			for _, item := range s.Items() {
				text += fmt.Sprintf(" --%s %q", s.Name, item)
			}
		default:
			text += fmt.Sprintf(" --%s %s", s.Name, s)
		}
	}
	return text
}
