package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/learn/loop"
	"plyfit/models"
	"plyfit/search"
	"plyfit/work"
)

var learnRoutes = []route{
	{"GET /learn", ifLearning((*Server).learnPage), "learn.html"},
	{"POST /learn", ifLearning((*Server).learn), ""},
	{"POST /learn/match", ifLearning((*Server).compare), ""},
	{"POST /learn/stop", ifLearning((*Server).stopLearning), ""},
	{"POST /learn/play", ifLearning((*Server).playModel), ""},
	{"GET /learn/model", ifLearning((*Server).giveModel), ""},
	{"POST /learn/model", ifLearning((*Server).takeModel), ""},
}

// learning holds the run or match that a page has started. Only one can run at a time.
type learning struct {
	catalog catalog.Catalog // agents from this catalog may use the files of runs; agents from a page may not

	mu    sync.Mutex
	stop  context.CancelFunc // cancels the current run or match; nil if there is none
	fault string             // error of the last run or match
}

// learnable lists the worlds that a page may learn. Each takes a minute or two and little memory,
// and is learned in a test.
var learnable = []string{"tictactoe", "2048:size=3"}

// ifLearning adapts an answer that is available only if the server allows learning.
func ifLearning(h answer) answer {
	return func(s *Server, w http.ResponseWriter, r *http.Request) (any, error) {
		if !s.config.Learn {
			return nil, missing("learning is not enabled on this page; use plyfit learn")
		}
		return h(s, w, r)
	}
}

type learnView struct {
	Head   head
	Worlds []string
	Games  catalog.Catalog
	Live   bool
	Fault  string
	Runs   any
	Models []modelLine // files that can be downloaded
	Faults []string    // kept files that were skipped, with the reasons
}

func (s *Server) learnPage(w http.ResponseWriter, r *http.Request) (any, error) {
	v := learnView{Head: s.head("Learn | plyfit", "learn"), Worlds: learnable, Games: s.config.Catalog}
	s.learning.mu.Lock()
	v.Live, v.Fault = s.learning.stop != nil, s.learning.fault
	s.learning.mu.Unlock()
	var err error // the list, which is read next, contains the result of a run that has ended
	v.Runs, err = s.runList(w, r)
	v.Models, v.Faults = s.modelFiles()
	v.Faults = append(v.Faults, s.dropped...)
	return v, err
}

// Busy reports whether a run or a match that a page has started is still in progress.
func (s *Server) Busy() bool {
	s.learning.mu.Lock()
	defer s.learning.mu.Unlock()
	return s.learning.stop != nil
}

// learn starts a run for game= with seed=. If games= or pairs= is missing, the value in the game's
// recipe is used.
func (s *Server) learn(w http.ResponseWriter, r *http.Request) (any, error) {
	numbers := map[string]int{}
	for _, key := range []string{"seed", "games", "pairs"} {
		var err error
		if numbers[key], err = wholeNumber(r, key, 0, 0, 1_000_000); err != nil {
			return nil, err
		}
	}
	spec := r.PostFormValue("game")
	if !slices.Contains(learnable, spec) { // checked first, because the catalog has no restrictions
		return nil, fmt.Errorf("%s: this page can learn only %s; use plyfit learn for other games", shortened(spec), strings.Join(learnable, ", "))
	}
	world, err := s.learning.catalog.World(spec)
	if err != nil {
		return nil, err
	}
	recipe, err := catalog.Size("quick").At(world.Recipe())
	if err != nil {
		return nil, err
	}
	command := fmt.Sprintf("plyfit learn %s --seed %d --effort quick", world.Spec, numbers["seed"])
	if n := numbers["games"]; n > 0 {
		recipe = recipe.WithGames(n)
		command += fmt.Sprintf(" --games %d", n)
	}
	if n := numbers["pairs"]; n > 0 {
		recipe.Pairs, recipe.TwinPairs = n, n
		command += fmt.Sprintf(" --pairs %d", n)
	}
	name := strings.NewReplacer(":", "-", "=", "").Replace(world.Label()) + "-" + strconv.Itoa(numbers["seed"])
	return nil, s.background(w, r, func(ctx context.Context) error {
		_, err := s.run(ctx, filepath.Join(s.limits.Models, name+".json"), loop.Options{
			World: world, Recipe: recipe, Seed: uint64(numbers["seed"]), Dir: filepath.Join(s.config.Runs, name), Command: command,
		})
		return err
	})
}

// background runs a function in the background and shows the page again. It returns an error if
// another task is running.
func (s *Server) background(w http.ResponseWriter, r *http.Request, do func(ctx context.Context) error) error {
	l := &s.learning
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil {
		return refusal{http.StatusConflict, errors.New("a run is in progress; wait until the run ends, or stop the run")}
	}
	ctx, stop := context.WithCancel(context.Background())
	l.stop, l.fault = stop, ""
	go func() {
		err := do(ctx)
		l.mu.Lock()
		defer l.mu.Unlock()
		if err != nil && ctx.Err() == nil {
			l.fault = err.Error()
		}
		stop()
		l.stop = nil
	}()
	http.Redirect(w, r, "/learn", http.StatusSeeOther)
	return nil
}

// run learns in the folder o.Dir, which it empties first, and stores the model in file.
func (s *Server) run(ctx context.Context, file string, o loop.Options) (*loop.Result, error) {
	o.Catalog, o.Workers, o.Log, o.Quiet = s.learning.catalog, 1, s.config.Log.Writer(), true
	if err := os.RemoveAll(o.Dir); err != nil {
		return nil, err
	}
	result, err := loop.Run(ctx, o)
	if err != nil {
		return nil, err
	}
	f, err := models.Load(result.Model)
	if err != nil {
		return nil, err
	}
	return result, f.Save(file)
}

// Default and maximum number of pairs in a match on the page.
const (
	usualPairs = 100
	mostPairs  = 1000
)

// compare plays a match in game= between a= and b=, each of which is a level, an agent or an
// evaluation. The number of pairs is in pairs=.
func (s *Server) compare(w http.ResponseWriter, r *http.Request) (any, error) {
	world, err := s.config.Catalog.World(r.PostFormValue("game"))
	if err != nil {
		return nil, err
	}
	pairs, err := wholeNumber(r, "pairs", usualPairs, 1, mostPairs)
	if err != nil {
		return nil, err
	}
	out := filepath.Join(s.config.Runs, time.Now().Format("match-20060102-150405.000")+".jsonl")
	cfg := arena.Config{Game: world.Game, Pairs: pairs, Out: out, Progress: func(p arena.Progress) {
		work.ProgressWriter(out)(int64(p.Pairs), int64(p.Of), fmt.Sprintf("%d of %d pairs: %v", p.Pairs, p.Of, p))
	}}
	if world.Players == 2 && !world.Chancy() {
		cfg.Openings.Plies = 6 // same default as plyfit match
	}
	for i, entrant := range []*search.Factory{&cfg.A, &cfg.B} {
		text := strings.TrimSpace(r.PostFormValue([]string{"a", "b"}[i]))
		for _, l := range world.Levels() {
			if l.Name == text {
				text = l.Agent
			}
		}
		if *entrant, err = world.Entrant(text, world.Planner()); err != nil {
			return nil, err
		}
	}
	return nil, s.background(w, r, func(ctx context.Context) error {
		_, err := arena.Run(ctx, cfg)
		return err
	})
}

func (s *Server) stopLearning(w http.ResponseWriter, r *http.Request) (any, error) {
	s.learning.mu.Lock()
	if s.learning.stop != nil {
		s.learning.stop()
	}
	s.learning.mu.Unlock()
	http.Redirect(w, r, "/learn", http.StatusSeeOther)
	return nil, nil
}

// playModel starts a game against the model in name=. In a single-player game, the model plays
// alone.
func (s *Server) playModel(w http.ResponseWriter, r *http.Request) (any, error) {
	f, path, err := s.kept(r)
	if err != nil {
		return nil, err
	}
	world, err := s.worldOf(path, f)
	if err != nil {
		return nil, err
	}
	seat := "others"
	if world.Players == 1 {
		seat = "seat0"
	}
	r.PostForm = url.Values{"game": {world.Spec}, seat: {catalog.WithEval(world.Planner(), path)}}
	return s.open(w, r)
}

// kept loads the model specified by the request from the models folder.
func (s *Server) kept(r *http.Request) (f *models.File, path string, err error) {
	path = filepath.Join(s.limits.Models, filepath.Base(r.FormValue("name")))
	if f, err = models.Load(path); err != nil {
		return nil, "", missing("no model %q", shortened(filepath.Base(path)))
	}
	return f, path, nil
}

// giveModel sends the model in name=, with its tables, as a download.
func (s *Server) giveModel(w http.ResponseWriter, r *http.Request) (any, error) {
	f, path, err := s.kept(r)
	if err != nil {
		return nil, err
	}
	data, err := f.Bundle()
	if err != nil {
		return nil, err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", filepath.Base(path)))
	w.Write(data)
	return nil, nil
}

// takeModel stores an uploaded model, which must have the format that giveModel sends.
func (s *Server) takeModel(w http.ResponseWriter, r *http.Request) (any, error) {
	in, header, err := r.FormFile("model")
	if err != nil {
		return nil, errors.New("no file was sent; choose a model file from this page or from plyfit fit")
	}
	defer in.Close()
	data := make([]byte, header.Size)
	if _, err := in.ReadAt(data, 0); err != nil {
		return nil, err
	}
	name := plainName(header.Filename)
	f, err := models.ReadBundle(name, data)
	if err != nil {
		return nil, err
	}
	if _, err := s.worldOf(name, f); err != nil {
		return nil, err
	}
	if err := f.Save(filepath.Join(s.limits.Models, name)); err != nil {
		return nil, err
	}
	http.Redirect(w, r, "/learn", http.StatusSeeOther)
	return nil, nil
}

// worldOf returns the world that a model fits: the plain game, or a world that a page may learn.
func (s *Server) worldOf(name string, f *models.File) (world *catalog.World, err error) {
	var first error
	for _, spec := range append([]string{f.Game}, learnable...) {
		world, err := s.config.Catalog.World(spec)
		if err == nil {
			_, _, err = world.Bind(name, f)
		}
		if err == nil {
			return world, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// longestName is the maximum length of a model's name on the page, in characters.
const longestName = 60

// plainName makes the name of an uploaded file safe for specs and URLs. It replaces unsafe
// characters with hyphens and truncates long names.
func plainName(name string) string {
	parts := strings.FieldsFunc(strings.TrimSuffix(path.Base(name), ".json"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-", r)
	})
	runes := []rune(cmp.Or(strings.Trim(strings.Join(parts, "-"), ".-"), "model"))
	return string(runes[:min(len(runes), longestName)]) + ".json"
}
