package serve

import (
	"cmp"
	"context"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"plyfit/catalog"
	"plyfit/learn/loop"
	"plyfit/models"
	"plyfit/study/report"
)

// The last step of the lesson learns an evaluation of tic-tac-toe as lessonCommand does, with the same
// result on every machine.
const (
	lessonGame    = "tictactoe"
	lessonSeed    = 7
	lessonCommand = "plyfit learn tictactoe --seed 7 --effort quick"
	lessonAgent   = "alphabeta:depth=1,eval=learned" // plays what was learned
	lessonFile    = "tictactoe-lesson.json"
	lessonTime    = 2 * time.Minute // at most; it takes a second, and some seconds in a browser
)

// lessonModels are the shipped models of the lesson's game and the one that the lesson has learned,
// which agents name as learned: none is shipped.
type lessonModels struct {
	fs.FS
	mu     sync.Mutex
	folder string // that has the learned model; "": none was learned since the server started
	own    bool   // the folder is a temporary one
}

// Open implements [fs.FS].
func (l *lessonModels) Open(name string) (fs.File, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.folder != "" && name == "learned/"+lessonGame+".json" {
		if f, err := os.Open(filepath.Join(l.folder, lessonFile)); err == nil {
			return f, nil
		}
	}
	return l.FS.Open(name)
}

// keep stores the learned model.
func (l *lessonModels) keep(f *models.File) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.folder == "" {
		l.folder, err = os.MkdirTemp("", "plyfit-lesson-")
		l.own = err == nil
	}
	return cmp.Or(err, f.Save(filepath.Join(l.folder, lessonFile)))
}

// remove removes the temporary folder.
func (l *lessonModels) remove() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own {
		os.RemoveAll(l.folder)
		l.folder, l.own = "", false
	}
}

// lessonView shows what the lesson learned.
type lessonView struct {
	Verdict     string
	Table       report.Table
	Game, Agent string // of a game against it
}

// learnLesson learns in a temporary folder and keeps the model.
func (s *Server) learnLesson(_ http.ResponseWriter, r *http.Request) (any, error) {
	v := lessonView{Game: lessonGame, Agent: lessonAgent}
	err := s.turnOf(r.Context(), lessonTime, func(ctx context.Context) error {
		result, err := s.lessonRun(ctx)
		if err == nil {
			v.Verdict, v.Table = result.Verdict(), result.Table()
		}
		return err
	})
	return v, busy(err)
}

func (s *Server) lessonRun(ctx context.Context) (*loop.Result, error) {
	world, err := s.learning.catalog.World(lessonGame)
	if err != nil {
		return nil, err
	}
	recipe, err := catalog.Size("quick").At(world.Recipe())
	if err != nil {
		return nil, err
	}
	recipe.Twin = "none" // the matches in the other world are not shown
	dir, err := os.MkdirTemp("", "plyfit-lesson-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	result, err := loop.Run(ctx, loop.Options{
		Catalog: s.learning.catalog, World: world, Recipe: recipe, Seed: lessonSeed, Workers: 1,
		Dir: filepath.Join(dir, "run"), Command: lessonCommand, Log: s.config.Log.Writer(), Quiet: true,
	})
	if err != nil {
		return nil, err
	}
	f, err := models.Load(result.Model)
	if err != nil {
		return nil, err
	}
	return result, s.lesson.keep(f)
}
