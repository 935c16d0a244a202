package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/internal/session"
	"plyfit/internal/terminal"
	"plyfit/search"
	"plyfit/search/trace"
)

func (a *App) searchCommand() *cobra.Command {
	var position, agent string
	var asJSON, textbook bool
	var tracing tracing
	var seed uint64
	cmd := &cobra.Command{
		Use:   "search GAME",
		Short: "Search a position: best move, value, nodes, principal variation",
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			named := cmd.Flags().Changed("agent")
			switch first, err := w.New(), error(nil); {
			case textbook:
				if position != "" && position != "-" { // with "-", no position has been read yet
					first, err = w.ParseLine(position)
				}
				if err == nil {
					agent, err = w.Textbook(agent, first)
				}
				if err != nil {
					return err
				}
			case !named:
				agent = w.Planner()
			}
			if !asJSON && (textbook || !named) {
				fmt.Fprintf(a.Stdout, "agent     %s\n", agent)
			}
			if err := tracing.check(agent, position); err != nil {
				return err
			}
			options := catalog.AgentOptions{Complete: true}
			if tracing.wanted() {
				options.Observer = &tracing
				options.Complete = false // the trace covers only the search for the value
			}
			searcher, err := newAgent(w, agent, options)
			if err != nil {
				return err
			}
			defer search.Close(searcher)
			return a.eachPosition(w, position, func(s game.State) error {
				if err := w.CheckAssume(agent, s); err != nil {
					return err
				}
				searcher.Begin(seed)
				ctx, stop := context.WithCancel(cmd.Context())
				defer stop()
				tracing.Tree = trace.Tree{Limit: mostTraced, Stop: stop, Spelled: true}
				r, err := searcher.Search(ctx, s)
				if tracing.Full {
					return fmt.Errorf("--trace: %s visits more than %d nodes; reduce the depth", agent, mostTraced)
				}
				if err != nil {
					return err
				}
				stopped := cmd.Context().Err() // r is the best result so far, which is not printed with --json
				if stopped == nil && tracing.wanted() {
					out := a.Stdout
					if asJSON {
						out = a.Stderr // standard output is for results only
					}
					if err := tracing.show(out, w, agent, s, &r); err != nil {
						return err
					}
				}
				switch {
				case stopped != nil && asJSON:
				case asJSON:
					answer, seconds := session.AnswerOf(s, &r), r.Elapsed.Seconds()
					answer.Seconds, answer.BestNodes = &seconds, &r.BestNodes
					err = WriteJSON(a.Stdout, answer)
				default:
					err = printAnswer(a.Stdout, w.Game, agent, s, r)
				}
				return cmp.Or(err, stopped)
			})
		}),
	}
	positionFlag(cmd, &position)
	cmd.Flags().StringVarP(&agent, "agent", "a", "", "agent in the form KIND[:key=value,...], such as alphabeta:depth=8; default: the game's usual planner")
	cmd.Flags().BoolVar(&textbook, "textbook", false, "use the plain algorithm without move ordering, table, deepening, null windows or Star pruning")
	cmd.Flags().BoolVar(&tracing.print, "trace", false, "print the search tree with values (for player 0), windows and cutoffs; with --json, to stderr")
	cmd.Flags().StringVar(&tracing.path, "trace-to", "", "write the search tree to FILE.svg, FILE.dot (Graphviz) or FILE.html (interactive)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per position")
	seedFlag(cmd, &seed)
	return cmd
}

// natureNote describes how a search treats nature at the root, if this follows from the kind of
// agent.
func natureNote(agent string) string {
	kind, options, _ := strings.Cut(agent, ":")
	switch {
	case strings.Contains(options, "assume="):
	case kind == "expectimax", kind == "maxn", kind == "mcts":
		return ", the mean over nature's moves"
	case kind == "minimax", kind == "alphabeta":
		return ", for the worst of nature's moves"
	}
	return ""
}

// mostOdds is the maximum number of nature's moves in an answer.
const mostOdds = 8

// odds lists nature's moves with their probabilities.
func odds(s game.State) string {
	c, ok := game.As[game.Chancer](s)
	moves := s.Moves(nil)
	var list []string
	for _, m := range moves[:min(mostOdds, len(moves))] {
		text := game.Spelled(s, m)
		if ok {
			text += fmt.Sprintf(" p=%.4g", c.Prob(m))
		}
		list = append(list, text)
	}
	if rest := len(moves) - len(list); rest > 0 {
		list = append(list, fmt.Sprintf("and %d more (plyfit moves lists them)", rest))
	}
	return strings.Join(list, ", ")
}

func printAnswer(w io.Writer, g *game.Game, agent string, s game.State, r search.Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "position  %s\n", s)
	whose := "the mover's"
	switch {
	case r.Move != game.NoMove:
		fmt.Fprintf(&b, "move      %s\n", game.Spelled(s, r.Move))
	case s.Turn() == game.Nobody:
		b.WriteString("move      none, because the game is over\n")
		whose = "player 0's"
	case s.Turn() == game.Chance:
		b.WriteString("move      none, because nature moves next\n")
		fmt.Fprintf(&b, "nature    %s\n", odds(s))
		whose = "player 0's" + natureNote(agent)
	}
	exact := "estimated"
	if r.Exact {
		exact = "exact"
	}
	if len(r.Values) > 0 {
		fmt.Fprintf(&b, "value     %s (%s, %s)\n", terminal.Value(g, r.Value), whose, exact)
	} else {
		b.WriteString("value     none\n") // for the agent "random", and for engines that report no value
	}
	if len(r.Best) > 1 {
		b.WriteString("as good  ")
		for _, m := range r.Best {
			b.WriteString(" " + game.Spelled(s, m))
		}
		b.WriteByte('\n')
	}
	if len(r.PV) > 0 {
		fmt.Fprintf(&b, "line      %s\n", strings.Join(session.Line(s, r.PV, game.Spelled), " "))
	}
	rate := ""
	if r.Elapsed > 0 {
		rate = fmt.Sprintf(", %.3g M/s", float64(r.Nodes)/1e6/r.Elapsed.Seconds())
	}
	fmt.Fprintf(&b, "searched  depth %d, %d nodes in %.3fs%s\n", r.Depth, r.Nodes, r.Elapsed.Seconds(), rate)
	_, err := io.WriteString(w, b.String())
	return proc.Failure(err)
}
