package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"plyfit/catalog"
	"plyfit/train"
)

// A run's page goes on by itself while the run does.
func TestBrowserWatchesARun(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "pig"), 0o755); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(folder, "pig", logName)
	if err := os.WriteFile(log, []byte(runLog), 0o644); err != nil {
		t.Fatal(err)
	}
	b := browse(t, Config{Runs: folder})
	b.run(chromedp.Navigate(b.URL+"/runs"), chromedp.Click("tbody a", chromedp.ByQuery))
	b.until(`document.querySelectorAll("#run circle").length === 2`)
	more := runLog[:strings.LastIndex(runLog, "{")] + `{"event":"point","episodes":3000,"seconds":6,"strength":{"value":0.7,"low":0.6,"high":0.8}}` + "\n" + `{"event":"end"}` + "\n"
	if err := os.WriteFile(log, []byte(more), 0o644); err != nil {
		t.Fatal(err)
	}
	b.until(`document.querySelectorAll("#run circle").length === 3 && document.querySelector("#run").innerText.includes("Finished")`)
}

// A train that is under way is watched: its curve grows in the browser while it learns.
func TestBrowserWatchesTraining(t *testing.T) {
	w, err := catalog.All().World("pig")
	if err != nil {
		t.Fatal(err)
	}
	o, err := train.Defaults(w, train.TD, "")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	o.Dir, o.Episodes, o.Workers, o.Seed, o.Command = filepath.Join(folder, "pig"), 10_000_000, 1, 1, "train pig"
	o.Curve.Every, o.Curve.Pairs = 200, 10
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := train.Run(ctx, w, o)
		ended <- err
	}()
	b := browse(t, Config{Runs: folder})
	b.run(chromedp.Navigate(b.URL + "/runs"))
	b.until(`document.querySelector("tbody a") !== null || (location.reload(), false)`)
	b.run(chromedp.Click("tbody a", chromedp.ByQuery))
	b.until(`document.querySelectorAll("#run circle").length >= 2`)
	var seen int
	b.run(chromedp.Evaluate(`document.querySelectorAll("#run circle").length`, &seen))
	b.until(fmt.Sprintf(`document.querySelectorAll("#run circle").length > %d`, seen))
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("training ended by itself: %v", err)
	}
}
