package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/search"
	"plyfit/search/trace"
)

// mostTraced is the maximum number of nodes in a trace. The largest trace takes several hundred
// megabytes.
const mostTraced = 1_000_000

// tracing contains the flags of a trace and records the search tree.
type tracing struct {
	trace.Tree
	print bool
	path  string
}

func (t *tracing) wanted() bool { return t.print || t.path != "" }

// check returns an error, before the search, if the search cannot be traced.
func (t *tracing) check(agent, position string) error {
	if kind, _, _ := strings.Cut(agent, ":"); t.wanted() && !slices.Contains(trace.Kinds, kind) {
		return fmt.Errorf("--trace: %s does not report nodes; want one of %s", agent, strings.Join(trace.Kinds, ", "))
	}
	if ending := filepath.Ext(t.path); t.path != "" && !slices.Contains([]string{".svg", ".dot", ".html"}, ending) {
		return fmt.Errorf("--trace-to %s: want a name that ends with .svg, .dot or .html", t.path)
	}
	if t.path != "" && position == "-" {
		return fmt.Errorf("--trace-to %s: cannot trace several positions in one file; want a single --position", t.path)
	}
	return nil
}

// show prints the search tree or writes it to a file, as the flags request. The search started from
// s and had the result r.
func (t *tracing) show(out io.Writer, w *catalog.World, agent string, s game.State, r *search.Result) error {
	t.Finish(s, r)
	if t.print {
		if err := t.WriteText(out); err != nil {
			return proc.Failure(err)
		}
	}
	if t.path == "" {
		return nil
	}
	title := fmt.Sprintf("%s in %s of %s", agent, w.Spec, s)
	err := disk.Write(t.path, func(file io.Writer) error {
		switch filepath.Ext(t.path) {
		case ".svg":
			return t.WriteSVG(file)
		case ".dot":
			return t.WriteDOT(file)
		}
		return t.WriteHTML(file, title)
	})
	if err != nil {
		return fmt.Errorf("--trace-to %s: %w", t.path, err)
	}
	return nil
}
