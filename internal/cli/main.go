// Package cli implements the plyfit command. Each command has its own file, which parses the flags
// and prints the results.
//
// A program for your own game gets every command if its main function calls
// plyfit.Main(catalog.All().With(mygame.Entry)). An [Extension] adds further commands and flags.
//
// All commands follow the same conventions. Results go to standard output; progress and logs go to
// standard error. Bad input leads to exit code 2 and one line that states the fault, its location
// and the expected value. An interrupted run ends with exit code 130, and any other failure leads
// to exit code 1.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/internal/proc"
	"plyfit/internal/protocol/engines"
	"plyfit/internal/spec"
	"plyfit/internal/terminal"
	"plyfit/learn/train"
)

// Main runs the command with the games in c and the process's arguments, and then exits.
func Main(c catalog.Catalog, more ...Extension) {
	proc.Adopt()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, stop := context.WithCancel(context.Background())
	a := newApp(c, os.Stdin, os.Stdout, os.Stderr)
	go func() {
		<-signals
		stop()
		select {
		case <-signals: // a second signal ends the process at once
		case <-time.After(patience):
		}
		proc.EndAll()
		os.Exit(a.interrupted())
	}()
	code := a.run(ctx, os.Args[1:], more)
	proc.EndAll()
	os.Exit(code)
}

// patience is the time that a command has to stop after a signal. After that, the process ends, and
// so do the programs that it has started. No finished work is lost.
const patience = 400 * time.Millisecond

// Exit codes.
const (
	exitFailure     = 1   // failure during the run
	exitBadInput    = 2   // unusable arguments or files
	exitInterrupted = 130 // stopped by a signal; finished work is kept
)

// Run is like Main, but it takes the arguments and streams as parameters and returns the exit code.
func Run(ctx context.Context, c catalog.Catalog, args []string, stdin io.Reader, stdout, stderr io.Writer, more ...Extension) int {
	return newApp(c, stdin, stdout, stderr).run(ctx, args, more)
}

func newApp(c catalog.Catalog, stdin io.Reader, stdout, stderr io.Writer) *App {
	a := &App{Stdin: stdin, Stdout: terminal.Guarded(stdout), Stderr: stderr}
	a.Catalog = c.WithKinds(engines.Kinds()...).WithLost(a.lost)
	return a
}

// lost ends the process because the program with the rules of a game has failed. Finished work has
// been stored.
func (a *App) lost(err error) {
	a.stopped.Do(func() { fmt.Fprintln(a.Stderr, "plyfit: "+terminal.OneLine(err.Error())) })
	proc.EndAll()
	os.Exit(exitFailure)
}

func (a *App) run(ctx context.Context, args []string, more []Extension) int {
	var err error
	root := a.root()
	end := a.extend(root, more)
	defer func() { end(err) }()
	root.SetArgs(args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	help, unknown := root.HelpFunc(), error(nil)
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if unknown = misnamed(cmd); unknown == nil {
			help(cmd, args)
		}
	})
	cmd, words, _ := root.Find(args)
	if err = replaced(cmd, words); err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err = cmp.Or(err, unknown); err == nil {
		return 0
	}
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return a.interrupted()
	}
	message := strings.TrimPrefix(terminal.OneLine(err.Error()), "plyfit ") // messages about a command begin with its path
	fmt.Fprintln(a.Stderr, "plyfit: "+message)
	if proc.Failed(err) {
		return exitFailure
	}
	return exitBadInput
}

// interrupted prints, at most once, that a signal ended the command, and returns the exit code.
func (a *App) interrupted() int {
	message := "plyfit: interrupted"
	if a.resumable.Load() {
		message += "; run the same command again to resume"
	}
	if a.forgetful.Load() {
		message += "; to make a run resumable, start it with --out"
	}
	a.stopped.Do(func() { fmt.Fprintln(a.Stderr, message) })
	return exitInterrupted
}

func (a *App) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "plyfit",
		Short: "Learn evaluation functions for game search and measure their strength",
		Long: `plyfit learns evaluation functions for game search and measures their strength.

Self-play generates positions, which are labelled with the outcome or by a deep
search. Regression fits the weights of a linear evaluation to these positions. Minimax
and expectimax play with the evaluation. Paired matches measure the gain, with intervals.

Start with:  plyfit learn 2048`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlyCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		return missingFlags(cmd)
	}
	for _, group := range commands {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, make := range group.make {
			cmd := make(a)
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	addHelp(root, helpFiles)
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	a.complete(root, map[string][]string{"fit": fitMethods(), "train": train.Names()})
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Args, completion.RunE = onlyCommands, root.RunE
		for _, c := range completion.Commands() {
			c.Args = counted
		}
	}
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Args = func(cmd *cobra.Command, args []string) error {
			if topic, rest, err := root.Find(args); err != nil || len(rest) > 0 {
				if err := spec.Gone(root.CommandPath(), strings.Join(args, " ")); err != nil {
					return err
				}
				return fmt.Errorf("%s: %q is not a command; see %s --help", cmd.CommandPath(), strings.Join(args, " "), topic.CommandPath())
			}
			return nil
		}
	}
	eachCommand(root, countArguments)
	return root
}

// commands lists the commands, grouped as in the help.
var commands = []struct {
	title string
	make  []func(*App) *cobra.Command
}{
	{"Learn:", []func(*App) *cobra.Command{(*App).learnCommand, (*App).selfplayCommand, (*App).fitCommand, (*App).trainCommand, (*App).tuneCommand}},
	{"Play and inspect:", []func(*App) *cobra.Command{(*App).playCommand, (*App).searchCommand, (*App).evalCommand, (*App).movesCommand, (*App).perftCommand}},
	{"Measure:", []func(*App) *cobra.Command{(*App).matchCommand, (*App).tournamentCommand, (*App).diagnoseCommand, (*App).exploitCommand, (*App).opponentCommand, (*App).studyCommand, (*App).gradeCommand}},
	{"Data and models:", []func(*App) *cobra.Command{(*App).datasetCommand, (*App).modelCommand, (*App).gamesCommand, (*App).agentsCommand}},
	{"Serve:", []func(*App) *cobra.Command{(*App).serveCommand, (*App).uciCommand, (*App).gtpCommand}},
}
