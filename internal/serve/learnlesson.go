package serve

import (
	"context"
	"crypto/rand"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"plyfit/catalog"
	"plyfit/internal/report"
	"plyfit/learn/loop"
)

// The last step of the lesson learns an evaluation for tic-tac-toe. On every machine, the result is
// the same as that of lessonCommand.
const (
	lessonGame    = "tictactoe"
	lessonSeed    = 7
	lessonCommand = "plyfit learn tictactoe --seed 7 --effort quick"
	lessonAgent   = "alphabeta:depth=1,eval=learned" // plays with the learned evaluation
)

// lessonModels contains the shipped models of the lesson's game and the model learned in the
// lesson. Agents can use the name "learned" for that model, because no model of that name is
// shipped.
type lessonModels struct {
	fs.FS
	file string // file of the learned model; missing before the first run
}

func (l *lessonModels) Open(name string) (fs.File, error) {
	if name == "learned/"+lessonGame+".json" {
		return os.Open(l.file)
	}
	return l.FS.Open(name)
}

// addLessonModel adds the lesson's model to a catalog and returns the path of its file. If keep is
// true, the file is in folder; otherwise it is a temporary file.
func addLessonModel(c catalog.Catalog, keep bool, folder string) (file string) {
	file = filepath.Join(os.TempDir(), "plyfit-lesson-"+rand.Text()+".json")
	if keep {
		file = filepath.Join(folder, lessonGame+"-lesson.json")
	}
	for i := range c {
		if c[i].Name == lessonGame && c[i].Models != nil {
			c[i].Models = &lessonModels{c[i].Models, file}
		}
	}
	return file
}

// lessonView shows what the lesson has learned and offers a game against it.
type lessonView struct {
	Game, Agent, Verdict string
	Table                report.Table
}

// learnLesson learns the evaluation and keeps only the model. The run is short, so it has no time
// limit. It ends early only if the request is cancelled.
func (s *Server) learnLesson(_ http.ResponseWriter, r *http.Request) (any, error) {
	world, err := s.learning.catalog.World(lessonGame)
	if err != nil {
		return nil, err
	}
	recipe, err := catalog.Size("quick").At(world.Recipe())
	if err != nil {
		return nil, err
	}
	recipe.Twin = "none" // matches in the twin world would not be shown
	dir, err := os.MkdirTemp("", "plyfit-lesson-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var result *loop.Result
	err = s.turn(r.Context(), func(context.Context) (err error) {
		result, err = s.run(r.Context(), s.lesson, loop.Options{World: world, Recipe: recipe, Seed: lessonSeed, Dir: dir, Command: lessonCommand})
		return err
	})
	if err != nil {
		return nil, busy(err)
	}
	return lessonView{lessonGame, lessonAgent, result.Verdict(), result.Table()}, nil
}
