// Package gone names what earlier releases had and this one has not, and what to use
// instead.
package gone

import (
	"fmt"
	"strings"
)

const oneHub = "plyfit hub on one machine, plyfit worker on the others, and the command with --cluster"

// instead is the one table. A key is a command, a command and a flag, a command with a
// flag's value, a command and the ending of a file, an agent's kind, or a kind and its key.
var instead = map[string]string{
	"plyfit bench --vectors":         "want go test -bench SolveConnect4 ./search, which solves the same sets",
	"plyfit dataset merge":           "want " + oneHub,
	"plyfit dataset relabel --slice": "want " + oneHub,
	"plyfit match merge":             "want " + oneHub,
	"plyfit match --slice":           "want " + oneHub,
	"plyfit selfplay --slice":        "want " + oneHub,
	"plyfit study merge":             "want " + oneHub,
	"plyfit study --slice":           "want " + oneHub,
	"plyfit tournament --slice":      "want " + oneHub,
	"plyfit train --replicas":        "want --batch N, games played at once by the same weights, or --threads N over pattern tables",
	"plyfit train --round-games":     "want --batch N, games played at once by the same weights",
}

// Err returns the line for the thing that the words name, nil where it is not gone.
func Err(words ...string) error {
	name := strings.Join(words, " ")
	if want, ok := instead[name]; ok {
		return fmt.Errorf("%s is gone: %s", name, want)
	}
	return nil
}
