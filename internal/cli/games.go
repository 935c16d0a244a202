package cli

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/rules"
	"plyfit/internal/list"
	"plyfit/internal/proc"
	"plyfit/internal/text"
)

type gameLine struct {
	Name        string                 `json:"name"`
	Doc         string                 `json:"doc"`
	Players     int                    `json:"players"`
	Chance      bool                   `json:"chance"`
	Sum         string                 `json:"sum,omitempty"` // sum of utilities: zero, constant or general; "" for a single player
	Information string                 `json:"information"`   // information: perfect or imperfect
	Sets        []setOf                `json:"sets"`
	Handwritten bool                   `json:"handwritten"`
	Learned     bool                   `json:"learned"`
	Models      []catalog.ShippedModel `json:"models"`
	Min         *float64               `json:"min,omitempty"`
	Max         *float64               `json:"max,omitempty"`
}

type setOf struct {
	Name     string `json:"name"`
	Features int    `json:"features"`
}

// kind describes the number of players, chance, the sum of utilities and the information.
func (g *gameLine) kind() string {
	parts := []string{text.Counted(g.Players, "player"), map[bool]string{true: "chance", false: "no chance"}[g.Chance]}
	if g.Sum != "" {
		parts = append(parts, g.Sum+" sum")
	}
	return strings.Join(append(parts, g.Information+" information"), ", ")
}

// modelNote formats a shipped model's rank and measured strength.
func modelNote(m catalog.ShippedModel) string {
	text := ""
	if m.Best {
		text = " (best)"
	}
	if m.Strength != "" {
		text += ": " + m.Strength
	}
	return text
}

func (a *App) gamesCommand() *cobra.Command {
	var asJSON, check bool
	cmd := &cobra.Command{
		Use:   "games [GAME]",
		Short: "List the games: kind, options, feature sets and shipped models",
		RunE: func(cmd *cobra.Command, args []string) error {
			table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
			names := list.Map(a.Catalog, func(e catalog.Entry) string { return e.Name })
			if len(args) == 1 {
				names = args
			}
			if check {
				return a.checkRules(args)
			}
			for _, name := range names {
				w, err := a.Catalog.World(name)
				if err != nil {
					return err
				}
				e := w.Entry
				_, chance := game.As[game.Chancer](w.New())
				line := gameLine{Name: e.Name, Doc: w.Doc, Players: w.Players, Chance: chance, Handwritten: e.Ships("handwritten"), Learned: e.Ships("learned"), Models: e.Shipped(), Information: "perfect"}
				if w.Hidden {
					line.Information = "imperfect"
				}
				if w.Players > 1 {
					line.Sum = [...]string{game.Zero: "zero", game.Constant: "constant", game.General: "general"}[w.Sum]
				}
				if w.Min-w.Min == 0 && w.Max-w.Max == 0 {
					line.Min, line.Max = &w.Min, &w.Max
				}
				for _, s := range w.Sets() {
					n := 0
					for _, b := range s.Blocks() {
						n += b.Len
					}
					line.Sets = append(line.Sets, setOf{s.Name(), n})
				}
				if asJSON {
					if err := WriteJSON(a.Stdout, line); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(table, "%s\t%s\n\t  %s\n", e.Name, w.Doc, line.kind())
				for _, s := range line.Sets {
					fmt.Fprintf(table, "\t  features %s (%d)\n", s.Name, s.Features)
				}
				for _, m := range line.Models {
					fmt.Fprintf(table, "\t  model %s/%s%s\n", e.Name, m.Name, modelNote(m))
					if m.Command != "" {
						fmt.Fprintf(table, "\t    %s: %s\n", m.Digest, m.Command)
					}
				}
			}
			return proc.Failure(table.Flush())
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "check a program with the rules of a game: rules:cmd=(PROGRAM)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per game")
	return cmd
}

// checkRules checks the program with the rules of the game in args, and prints what it found.
func (a *App) checkRules(args []string) error {
	if len(args) == 0 {
		return errors.New("games --check: want a game, such as rules:cmd=(python3 game.py)")
	}
	w, err := a.Catalog.World(args[0])
	if err != nil {
		return err
	}
	r := w.Entry.Rules
	if r == nil {
		return fmt.Errorf("games --check: the rules of %s are part of plyfit; want rules:cmd=(PROGRAM)", w.Entry.Name)
	}
	began, asked := time.Now(), r.Asked()
	if err := r.Check(); err != nil {
		return err
	}
	rate := float64(r.Asked()-asked) / time.Since(began).Seconds()
	return a.printf("%s, version %s: no mistakes at %d positions of random games. The program answers %.0f questions per second.\n", r.Name, r.Version, rules.Checked, rate)
}
