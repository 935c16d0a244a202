package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"plyfit/catalog"
	"plyfit/learn/loop"
	"plyfit/models"
)

var learnRoutes = []route{
	{"GET /learn", (*Server).learnPage, "learn.html"},
	{"POST /learn", (*Server).learn, ""},
	{"POST /learn/stop", (*Server).stopLearning, ""},
	{"GET /learn/model", (*Server).giveModel, ""},
	{"POST /learn/model", (*Server).takeModel, ""},
}

// learning is the run that a page has started; there is one at a time.
type learning struct {
	catalog catalog.Catalog // whose agents may name the files of runs, which a page's may not

	mu    sync.Mutex
	stop  context.CancelFunc // nil: none is under way
	fault string             // of the last run
}

// learnable are the worlds that a page may learn: those that take a minute or two, and little
// memory. A test learns each of them.
var learnable = []string{"tictactoe", "2048:size=3"}

func (s *Server) mayLearn() error {
	if !s.config.Learn {
		return missing("nothing is learned on this page: want plyfit learn")
	}
	return nil
}

type learnView struct {
	Head   head
	Worlds []string
	Live   bool
	Fault  string
	Runs   any
	Models []string // files that can be saved
}

func (s *Server) learnPage(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.mayLearn(); err != nil {
		return nil, err
	}
	runs, err := s.runList(w, r)
	if err != nil {
		return nil, err
	}
	v := learnView{Head: s.head("Learn | plyfit", "learn"), Worlds: learnable, Runs: runs}
	for _, f := range s.modelFiles() {
		for _, path := range f.Kinds {
			v.Models = append(v.Models, filepath.Base(path))
		}
	}
	s.learning.mu.Lock()
	defer s.learning.mu.Unlock()
	v.Live, v.Fault = s.learning.stop != nil, s.learning.fault
	return v, nil
}

// learn starts a run: game=, seed=, and games= and pairs=, which the game's recipe has else.
func (s *Server) learn(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.mayLearn(); err != nil {
		return nil, err
	}
	numbers := map[string]int{}
	for _, key := range []string{"seed", "games", "pairs"} {
		text := r.PostFormValue(key)
		n, err := strconv.Atoi(cmp.Or(text, "0"))
		if err != nil || n < 0 || n > 1_000_000 {
			return nil, fmt.Errorf("%s %q: want a whole number up to 1,000,000", key, shortened(text))
		}
		numbers[key] = n
	}
	world, err := s.learning.catalog.World(r.PostFormValue("game"))
	if err != nil {
		return nil, err
	}
	if !slices.Contains(learnable, world.Spec) {
		return nil, fmt.Errorf("%s: want one of %s on this page; plyfit learn learns the others", world.Spec, strings.Join(learnable, ", "))
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
	s.learning.mu.Lock()
	defer s.learning.mu.Unlock()
	if s.learning.stop != nil {
		return nil, refusal{http.StatusConflict, errors.New("a run is under way: want its end, or stop it")}
	}
	ctx, stop := context.WithCancel(context.Background())
	s.learning.stop, s.learning.fault = stop, ""
	name := strings.NewReplacer(":", "-", "=", "").Replace(world.Spec) + "-" + strconv.Itoa(numbers["seed"])
	go s.run(ctx, name, loop.Options{
		Catalog: s.learning.catalog, World: world, Recipe: recipe, Seed: uint64(numbers["seed"]), Workers: 1,
		Dir: filepath.Join(s.config.Runs, name), Command: command, Log: s.config.Log.Writer(), Quiet: true,
	})
	http.Redirect(w, r, "/learn", http.StatusSeeOther)
	return nil, nil
}

// run learns in a folder that it empties first, and keeps the model.
func (s *Server) run(ctx context.Context, name string, o loop.Options) {
	err := os.RemoveAll(o.Dir)
	var result *loop.Result
	if err == nil {
		result, err = loop.Run(ctx, o)
	}
	var f *models.File
	if err == nil {
		f, err = models.Load(result.Model)
	}
	if err == nil {
		err = f.Save(filepath.Join(s.limits.Models, name+".json"))
	}
	s.learning.mu.Lock()
	defer s.learning.mu.Unlock()
	if err != nil && ctx.Err() == nil {
		s.learning.fault = err.Error()
	}
	s.learning.stop()
	s.learning.stop = nil
}

func (s *Server) stopLearning(w http.ResponseWriter, r *http.Request) (any, error) {
	s.learning.mu.Lock()
	if s.learning.stop != nil {
		s.learning.stop()
	}
	s.learning.mu.Unlock()
	http.Redirect(w, r, "/learn", http.StatusSeeOther)
	return nil, s.mayLearn()
}

// giveModel sends a model file, name=, its tables behind it, for the visitor's disk.
func (s *Server) giveModel(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.mayLearn(); err != nil {
		return nil, err
	}
	name := r.FormValue("name")
	if filepath.Base(name) != name || path.Ext(name) != ".json" {
		return nil, missing("no model %q", shortened(name))
	}
	f, err := models.Load(filepath.Join(s.limits.Models, name))
	if err != nil {
		return nil, missing("no model %q", shortened(name))
	}
	data, err := f.Bundle()
	if err != nil {
		return nil, err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	w.Write(data)
	return nil, nil
}

// takeModel keeps a model from the visitor's disk, the file of the form, as giveModel sends it.
func (s *Server) takeModel(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.mayLearn(); err != nil {
		return nil, err
	}
	in, header, err := r.FormFile("model")
	if err != nil {
		return nil, errors.New("no file: want a model, as this page or plyfit fit saves it")
	}
	defer in.Close()
	data := make([]byte, header.Size)
	if _, err := in.ReadAt(data, 0); err != nil {
		return nil, err
	}
	name := plainName.Replace(filepath.Base(header.Filename))
	f, err := models.ReadBundle(name, data)
	if err != nil {
		return nil, err
	}
	world, err := s.config.Catalog.World(f.Game)
	if err != nil {
		return nil, err
	}
	if _, _, err := world.Bind(name, f); err != nil {
		return nil, err
	}
	if err := f.Save(filepath.Join(s.limits.Models, strings.TrimSuffix(name, ".json")+".json")); err != nil {
		return nil, err
	}
	http.Redirect(w, r, "/learn", http.StatusSeeOther)
	return nil, nil
}

// plainName makes a file's name one that specs may have.
var plainName = strings.NewReplacer(" ", "-", ",", "-", ":", "-", "(", "", ")", "", "*", "", "+", "-", "\\", "-")
