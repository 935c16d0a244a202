package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/train"
)

// A run's page goes on by itself while the run does, and where there is no room for its
// stream, too.
func watchesARun(t *testing.T, open opener) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "pig"), 0o755); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(folder, "pig", logName)
	b := open(Config{Runs: folder, Limits: Limits{Streams: 1}})
	for _, room := range []bool{true, false} {
		if err := os.WriteFile(log, []byte(runLog), 0o644); err != nil {
			t.Fatal(err)
		}
		if !room {
			b.listen("/changes", "")
		}
		b.run(chromedp.Navigate(b.URL+"/run?name=pig"), chromedp.WaitVisible("#run circle", chromedp.ByQuery))
		b.until(`document.querySelectorAll("#run circle").length === 2`)
		script[bool](b, `(document.querySelector("#run details").open = !document.querySelector("#run details").open)`)
		open := script[bool](b, `document.querySelector("#run details").open`)
		more := runLog[:strings.LastIndex(runLog, "{")] + `{"event":"point","episodes":3000,"seconds":6,"strength":{"value":0.7,"low":0.6,"high":0.8}}` + "\n"
		if err := os.WriteFile(log, []byte(more), 0o644); err != nil {
			t.Fatal(err)
		}
		b.until(`document.querySelectorAll("#run circle").length === 3`)
		b.until(fmt.Sprintf(`document.querySelector("#run details").open === %v`, open)) // what a person opened stays so
		if err := os.WriteFile(log, []byte(more+`{"event":"end"}`+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		b.until(`document.querySelector("#run").innerText.includes("Finished")`)
		streams := b.Config.Handler.(*Server).streams
		for deadline := time.Now().Add(2 * time.Second); room && len(streams) > 0 && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond)
		}
		if room && len(streams) > 0 {
			t.Error("the page of a run that has ended still listens")
		}
	}
}

// A train that is under way is watched: its curve grows in the browser while it learns.
func watchesTraining(t *testing.T, open opener) {
	w, err := catalog.All().World("pig")
	if err != nil {
		t.Fatal(err)
	}
	o, err := train.Defaults(w, features.Training{})
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
	b := open(Config{Runs: folder})
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

// Real commands, each a process of its own, are watched while they run: what a page says
// is done grows again and again without being asked for by hand, because the stream told.
// A folder that a cluster's command writes into is no other than these.
func watchesCommands(t *testing.T, open opener) {
	folder := t.TempDir()
	b := open(Config{Runs: folder})
	command := filepath.Join(t.TempDir(), "plyfit")
	if out, err := exec.Command("go", "build", "-o", command, "plyfit/cmd/plyfit").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, c := range []struct{ name, done, arguments string }{
		{"m.jsonl", `([0-9]+) pairs`, "match connect4 alphabeta:depth=5 alphabeta:depth=3 --pairs 100000 --out m.jsonl"},
		{"data", `([0-9]+) of 1000000 episodes`, "selfplay tictactoe --games 1000000 --games-per-shard 100 -o data"},
		{"thrashing", `([0-9]+) cells`, "study thrashing --quick --out thrashing"},
		{"pig", `stage-1: ([0-9]+) of 50000 episodes`, "learn pig --games 50000 --pairs 2 --out pig"},
	} {
		t.Run(strings.Fields(c.arguments)[0], func(t *testing.T) {
			b.TB = t
			process := exec.CommandContext(t.Context(), command, append(strings.Fields(c.arguments), "--workers", "1", "--quiet")...)
			process.Dir = folder
			var said strings.Builder
			process.Stderr = &said
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- process.Wait() }()
			defer func() {
				process.Process.Kill()
				<-ended
			}()
			b.run(chromedp.Navigate(b.URL + "/runs"))
			quoted, _ := json.Marshal(c.name)
			b.until(fmt.Sprintf(`[...document.querySelectorAll("tbody a")].some((a) => a.textContent === %s && (a.click(), true))`, quoted))
			b.until(`document.querySelector("#run")`)
			done := fmt.Sprintf(`Number((document.querySelector("#run").innerText.match(/%s/) || [0, 0])[1])`, c.done)
			begin := time.Now()
			seen := []int{script[int](b, done)}
			for range 2 {
				b.until(fmt.Sprintf("%s > %d && document.querySelector('#run').innerText.includes('Under way')", done, seen[len(seen)-1]))
				seen = append(seen, script[int](b, done))
			}
			select {
			case err := <-ended:
				ended <- err
				t.Errorf("the command ended before it was seen to go on: %v %s", err, said.String())
			default:
			}
			if n := len(b.Config.Handler.(*Server).streams); n != 1 {
				t.Errorf("%d pages listen, want 1", n)
			}
			t.Logf("%v done within %v", seen, time.Since(begin).Round(time.Millisecond))
		})
	}
	b.TB = t
	b.quiet()
}
