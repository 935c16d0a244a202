package protocol

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

// Launcher starts engines by one command. It needs only Command, and many goroutines may use it.
type Launcher struct {
	Command Command

	mu     sync.Mutex
	worked bool  // one was ready
	failed error // why the first was not
}

// Start starts an engine and waits until greet returns. The first start may read much from disk, so
// an engine that is late gets a second one. A failure is then remembered, so that a program that
// does not speak the protocol costs its time-out once, not in every game.
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

// Command is a program with its arguments.
type Command struct {
	Path string
	Args []string
	Env  []string // NAME=value beside our own environment
	Bare bool     // Env is all of its environment: ours is not handed on
	Dir  string   // where it runs; "": where we do
}

// Name is what the program is called in messages.
func (c Command) Name() string { return filepath.Base(c.Path) }

// gameFolders hold games that are not on the PATH, mostly on Debian.
var gameFolders = []string{"/usr/games", "/usr/local/games"}

// ReadCommand reads a program and its arguments, separated by blanks; parts with blanks are quoted.
// The program is a path, or a name on the PATH or in the system's game folders.
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
		return "", fmt.Errorf("%s: in the folder that you are in, and not on the PATH: want %s", name, "."+string(filepath.Separator)+name)
	}
	if strings.ContainsRune(name, filepath.Separator) {
		return "", fmt.Errorf("%s: no program that can be run there", name)
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

// split cuts text at unquoted blanks.
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
