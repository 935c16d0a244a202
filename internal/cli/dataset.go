package cli

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/internal/proc"
	"plyfit/internal/progress"
	"plyfit/internal/report"
	"plyfit/internal/text"
	"plyfit/selfplay"
	"plyfit/work"
)

func (a *App) datasetCommand() *cobra.Command {
	return Group("dataset", "Import, inspect, verify, relabel and export data sets",
		a.datasetImportCommand(), a.datasetInfoCommand(), a.datasetHeadCommand(), a.datasetVerifyCommand(),
		a.datasetRelabelCommand(), a.datasetExportCommand())
}

func (a *App) datasetInfoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info DIR",
		Short: "Show the contents and the provenance of a data set",
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := datasets.ReadManifest(args[0])
			if err != nil {
				return err
			}
			if err := m.CheckShards(args[0]); err != nil {
				return err
			}
			if asJSON {
				return WriteJSON(a.Stdout, m)
			}
			fmt.Fprintf(a.Stdout, "game      %s\n", m.Game)
			if m.Imported() {
				fmt.Fprintf(a.Stdout, "imported  from files with the digest %s\n", m.Source)
				return a.printManifest(m, false)
			}
			for i, name := range m.Agents {
				who := "all seats"
				if len(m.Agents) > 1 {
					who = fmt.Sprintf("player %d", i)
				}
				fmt.Fprintf(a.Stdout, "played by %s (%s)\n", name, who)
			}
			fmt.Fprintf(a.Stdout, "openings  up to %d random decisions, then random moves with probability %v\nseed      %d\n", m.Openings, m.Explore, m.Seed)
			if !m.Complete {
				return a.printf("The data set is not complete. Run the original command again to reach %d episodes.\n", m.Episodes)
			}
			return a.printManifest(m, false)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

type recordLine struct {
	Episode   uint64    `json:"episode"`
	Ply       int32     `json:"ply"`
	Position  string    `json:"position"`
	View      string    `json:"view,omitempty"` // what the mover can observe of the position, if cards are hidden
	Mover     int       `json:"mover"`
	Move      string    `json:"move"`
	Explored  bool      `json:"explored"`
	Value     *float64  `json:"value"` // null if the position was not searched
	Depth     int32     `json:"depth"`
	Outcome   []float64 `json:"outcome"`
	Truncated bool      `json:"truncated"`
	ID        string    `json:"id,omitempty"`     // name of the episode in its source, if imported
	Made      string    `json:"made,omitempty"`   // the move that was made, if it differs from the chosen one
	Proven    bool      `json:"proven,omitempty"` // whether the value is proven
}

func (a *App) datasetHeadCommand() *cobra.Command {
	var asJSON bool
	var n int
	cmd := &cobra.Command{
		Use:   "head DIR",
		Short: "Print the first records",
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := datasets.Open(args[0])
			if err != nil {
				return err
			}
			t := report.Table{Head: []string{"episode", "ply", "position", "view", "mover", "move", "value", "depth", "outcome"}, Words: 4}
			left, veiled := n, false
			for r, err := range set.Records() {
				if err != nil {
					return err
				}
				if left--; left < 0 {
					break
				}
				line := recordLine{r.Episode, r.Ply, r.Position, r.View, int(r.Mover), r.Move, r.Explored, nil, r.Depth, r.Outcome, r.Truncated, r.ID, "", r.Proven}
				if r.Made != r.Move {
					line.Made = r.Made
				}
				value := "-"
				if r.HasValue {
					line.Value, value = &r.Value, fmt.Sprintf("%.4g", r.Value)
				}
				if asJSON {
					if err := WriteJSON(a.Stdout, line); err != nil {
						return err
					}
					continue
				}
				move, outcome := r.Move, fmt.Sprint(r.Outcome)
				if r.Explored {
					move += " (random)"
				}
				if line.Made != "" {
					move += " (slipped: " + line.Made + ")"
				}
				if r.Truncated {
					outcome = "cut off"
				}
				t.Rows = append(t.Rows, []string{fmt.Sprint(r.Episode), fmt.Sprint(r.Ply), r.Position, r.View, fmt.Sprint(r.Mover), move, value, fmt.Sprint(r.Depth), outcome})
				veiled = veiled || r.View != ""
			}
			if asJSON {
				return nil
			}
			if !veiled {
				t = withoutColumn(t, slices.Index(t.Head, "view"))
			}
			return proc.Failure(t.Print(a.Stdout))
		},
	}
	wholeFlag(cmd, &n, "rows", "n", 10, 1, "how many")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per record")
	return cmd
}

func (a *App) datasetVerifyCommand() *cobra.Command {
	var world string
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Verify the digests and the outcomes of a data set",
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := datasets.Verify(args[0])
			if err != nil {
				return err
			}
			set, w, err := a.recorded(args[0], world)
			if err != nil {
				return err
			}
			for _, err := range set.In(w.Game).Records() {
				if err != nil {
					return err
				}
			}
			without := ""
			if m.Seal == "" {
				without = "; " + datasets.ManifestFile + " has no seal, so the agents and the seed could not be checked"
			}
			return a.printf("%s: verified %d records of %d episodes in %s, with digest %s%s\n", args[0], m.Records, m.Episodes, text.Counted(len(m.Shards), "shard"), m.Digest, without)
		},
	}
	recordedFlag(cmd, &world)
	return cmd
}

func (a *App) datasetRelabelCommand() *cobra.Command {
	var c selfplay.RelabelConfig
	var agent, world string
	var quiet bool
	cmd := &cobra.Command{
		Use:   "relabel DIR -o DIR --agent SPEC",
		Short: "Search the positions of a data set again with another agent",
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := datasets.Open(args[0])
			if err != nil {
				return err
			}
			w, err := a.Catalog.World(cmp.Or(world, set.Game))
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			p, err := w.Agent(agent, catalog.AgentOptions{})
			if err != nil {
				return err
			}
			if p.Valueless {
				return fmt.Errorf("agent %s: does not report values; want an agent that reports values, such as alphabeta:depth=4", agent)
			}
			c.Game, c.From, c.Agent, c.Once = w.Game, args[0], p.Factory, p.Program
			if p.Program {
				if c.Agent, err = selfplay.Repeatable(cmd.Context(), w.Game, p.Factory); err != nil {
					return err
				}
			} else if p.Unrepeatable {
				return fmt.Errorf("agent %s: a time limit or several threads make values unrepeatable; use one thread and limit depth, nodes or simulations", agent)
			}
			bar := progress.New(a.Stderr, "episodes of "+w.Spec, int64(set.Episodes), quiet)
			bar.OnProgress(work.ProgressWriter(c.To))
			c.Progress = func(n int) { bar.Set(int64(n)) }
			a.resumable.Store(true)
			m, err := selfplay.Relabel(cmd.Context(), c)
			bar.Finish()
			if err != nil {
				return runFailure(err)
			}
			valued, err := selfplay.Valued(c.To, m)
			switch {
			case err != nil:
				return runFailure(err)
			case valued == 0:
				return fmt.Errorf("agent %s: reported no value for any of the %d positions; want an agent that reports values", agent, m.Records)
			}
			if err := a.printManifest(m, false); err != nil {
				return err
			}
			return a.printf("%d records: %d with a value and %d without a value\n", m.Records, valued, m.Records-valued)
		},
	}
	flags := cmd.Flags()
	outFlag(cmd, &c.To, "folder for the new data set")
	flags.StringVarP(&agent, "agent", "a", "", "agent that searches the positions")
	cmd.MarkFlagRequired("agent")
	flags.StringVar(&world, "game", "", "game, with a model's path in place of its digest; default: the recorded game")
	flags.BoolVar(&quiet, "quiet", false, "do not print progress")
	runFlags(cmd, &c.Seed, &c.Workers)
	return cmd
}
