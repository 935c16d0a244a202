// Package program runs external programs that read and write lines, such as engines and the rules
// of games.
//
// The life of a program has three steps:
//
//  1. [ReadCommand] parses the user's command line into a [Command] and finds the program.
//
//  2. A [Launcher] starts the program and waits until it is ready.
//
//  3. An [Engine] exchanges lines with the program. Each answer has a deadline. Closing the
//     Engine also ends the processes in the program's group.
//
// An [EngineError] describes a fault of the program. Its kind determines how a match counts it.
package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// A Launcher starts engines with the same command. Only Command needs to be set. A Launcher is safe
// for concurrent use.
type Launcher struct {
	Command Command

	mu     sync.Mutex
	worked bool  // whether an engine has become ready
	failed error // error of the first start
}

// Start starts an engine and returns it after greet has returned. A first start can be slow because
// of disk access, so Start tries again if the first engine is late. It remembers a failure, so that
// it waits only once, rather than in every game, for a program that does not speak the protocol.
func (l *Launcher) Start(ctx context.Context, greet func(*Engine) error) (*Engine, error) {
	l.mu.Lock()
	failed, worked := l.failed, l.worked
	l.mu.Unlock()
	if failed != nil {
		return nil, failed
	}
	e, err := l.start(greet)
	if late := new(EngineError); !worked && errors.As(err, &late) && late.Kind == Time && ctx.Err() == nil {
		e, err = l.start(greet)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.worked = true
		return e, nil
	case !l.worked && ctx.Err() == nil:
		l.failed = err
	}
	return nil, err
}

func (l *Launcher) start(greet func(*Engine) error) (*Engine, error) {
	e, err := start(l.Command)
	if err == nil {
		if err = greet(e); err != nil {
			e.Close("")
		}
	}
	return e, err
}

// A Command is a program with its arguments.
type Command struct {
	Path        string
	Args        []string
	Env         []string // variables NAME=value, in addition to the environment of this process
	CompleteEnv bool     // whether Env is the complete environment
	Dir         string   // working directory; "" means the current one
	Direct      bool     // whether Ask reads the answers, so that Line and Await cannot be used
	MostLine    int      // maximum length of a line of output in bytes; 0 means 65,536. The rest of a longer line is dropped
}

// Name returns the program's name for use in messages.
func (c Command) Name() string { return filepath.Base(c.Path) }

// gameFolders lists directories for games that are often not on the PATH, for example on Debian.
var gameFolders = []string{"/usr/games", "/usr/local/games"}

// ReadCommand parses a program and its arguments, separated by spaces. Arguments with spaces must
// be quoted. The program is a path, or the name of a program on the PATH or in one of the system's
// game directories.
func ReadCommand(text string) (Command, error) {
	words, err := split(text)
	if err != nil {
		return Command{}, err
	}
	if len(words) == 0 {
		return Command{}, errors.New("want a program")
	}
	path, err := find(words[0])
	if err != nil {
		return Command{}, err
	}
	return Command{Path: path, Args: words[1:]}, nil
}

func find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil {
		return path, nil
	}
	if errors.Is(err, exec.ErrDot) {
		return "", fmt.Errorf("%s: the program is in the current folder but not on the PATH; use %s", name, "."+string(filepath.Separator)+name)
	}
	if strings.ContainsRune(name, filepath.Separator) {
		return "", fmt.Errorf("%s: not an executable program", name)
	}
	for _, folder := range gameFolders {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	if runtime.GOOS == "windows" {
		return "", fmt.Errorf("%s: no such program on the PATH", name)
	}
	return "", fmt.Errorf("%s: no such program on the PATH or in %s", name, strings.Join(gameFolders, ", "))
}

// split splits text at unquoted spaces.
func split(text string) (words []string, err error) {
	var word strings.Builder
	quote, inside := rune(0), false
	for _, c := range text {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inside = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inside {
				words = append(words, word.String())
				word.Reset()
				inside = false
			}
		default:
			word.WriteRune(c)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("want a closing %c", quote)
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}
