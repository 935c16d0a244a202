package fitting

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/internal/cli/shell"
	"plyfit/learn/fit"
	"plyfit/study/diagnose"
)

// Quarters fits a model again, by the command in its provenance, to each of four disjoint
// quarters of the games that it learned from, which lie in dir. It is an error where all of
// those do not give the model.
func Quarters(ctx context.Context, shared *shell.App, w *catalog.World, e *catalog.Evaluation, dir string, workers int) (q diagnose.Quarters, err error) {
	if e.Model == nil || e.Model.Provenance == nil {
		return q, fmt.Errorf("--data %s: %s was not fitted to games: want a model that plyfit fit made", dir, e.Name)
	}
	p := e.Model.Provenance
	data, err := datasets.Open(dir)
	if err != nil {
		return q, err
	}
	if p.Data != data.Digest {
		return q, fmt.Errorf("--data %s: %s did not learn from this data set: want its own", dir, e.Name)
	}
	from, err := (app{shared}).fitSource(ctx, dir, "")
	if err != nil {
		return q, err
	}
	c, err := repeated(p.Command, from)
	if err != nil {
		return q, fmt.Errorf("--data %s: %w", dir, err)
	}
	c.Workers = workers
	f, err := from.fit(ctx, *c)
	if err != nil {
		return q, err
	}
	defer f.Close()
	again, err := from.world.EvaluationOf(e.Name, f.Set, f.Model)
	if err != nil {
		return q, err
	}
	if again.Digest != e.Digest {
		return q, fmt.Errorf("--data %s: %q gives another model than %s: want one of this build", dir, p.Command, e.Name)
	}
	models, err := f.Parts(ctx, 4)
	if err != nil {
		return q, fmt.Errorf("--data %s: %w", dir, err)
	}
	for i, m := range models {
		part, err := w.EvaluationOf(fmt.Sprintf("%s, quarter %d", e.Name, i+1), f.Set, m)
		if err != nil {
			return q, err
		}
		q.Evaluations = append(q.Evaluations, part)
	}
	q.Games = f.Report.Episodes
	return q, nil
}

// repeated are the options of a fit by the command that is in its model's provenance.
func repeated(command string, from *fitSource) (*fit.Options, error) {
	args, err := words(command)
	if err != nil || len(args) < 3 || args[0] != "plyfit" || args[1] != "fit" || args[2] != "DATA" {
		return nil, fmt.Errorf("the model was made by %q: want one that plyfit fit made of a data set", command)
	}
	var c fit.Options
	var g fitFlags
	cmd := &cobra.Command{Use: "fit", SilenceErrors: true, SilenceUsage: true}
	g.add(cmd, &c)
	if err := cmd.ParseFlags(args[3:]); err != nil {
		return nil, fmt.Errorf("%q: %w", command, err)
	}
	for _, other := range []string{g.distill, c.PriorName} {
		if other == "TEACHER" || other == "PRIOR" {
			return nil, fmt.Errorf("the model was made by %q: its %s is not at hand: want a model without", command, strings.ToLower(other))
		}
	}
	return &c, g.complete(cmd, from, &c)
}

// words are those of a command; some may be quoted as Go strings are.
func words(command string) (out []string, err error) {
	for rest := strings.TrimSpace(command); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] != '"' {
			word, after, _ := strings.Cut(rest, " ")
			out, rest = append(out, word), after
			continue
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, err
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		out, rest = append(out, word), rest[len(quoted):]
	}
	return out, nil
}
