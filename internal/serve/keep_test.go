package serve

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// TestKeptGames checks that a second server reopens games of every kind unchanged, even after moves
// by agents and an undone move. A damaged file must be deleted.
func TestKeptGames(t *testing.T) {
	c := Config{Games: t.TempDir()}
	first := visit(t, c)
	pages := map[string]string{}
	for _, e := range catalog.All() {
		form := url.Values{"game": {e.Name}, "seed": {"5"}}
		for _, seat := range []string{"seat0", "seat1", "seat2"} {
			form.Set(seat, "random")
		}
		at := first.open(form)
		for range 3 {
			first.want(at+"/answer", url.Values{})
		}
		first.want(at+"/undo", url.Values{})
		first.want(at+"/flip", url.Values{})
		pages[at] = first.want(at, nil)
	}
	damaged := filepath.Join(c.Games, "0123456789abcdef.json")
	vectors.Check(os.WriteFile(damaged, []byte(`{"game":"chess","moves":[{"Move":1,"By":0}]}`), 0o644))
	second := visit(t, c)
	for at, want := range pages {
		if got := second.want(at, nil); got != want {
			t.Errorf("%s: reopened, it is\n%s\nwant\n%s", at, got, want)
		}
	}
	if _, err := os.Stat(damaged); err == nil {
		t.Error("a damaged file was not deleted")
	}
}

// TestLearnPage checks that a page can learn each of the worlds it offers. The model must be saved,
// and it must be possible to reload it and play against it. A run must show its progress and stop
// promptly on request, both during games and during fits. The page must also be able to play a
// match. Only one run or match may be in progress.
func TestLearnPage(t *testing.T) {
	c := Config{Runs: t.TempDir(), Learn: true, Limits: Limits{Models: t.TempDir(), Body: 64 << 20}}
	v := visit(t, c)
	post := func(want int, address string) {
		t.Helper()
		path, form, _ := strings.Cut(address, "?")
		if code, body, _ := v.ask(path, vectors.Must(url.ParseQuery(form))); code != want {
			t.Fatalf("%s: %d %s: want %d", address, code, body, want)
		}
	}
	until := func(most time.Duration, path, text string, there bool) (page string) {
		t.Helper()
		for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			if page = v.want(path, nil); strings.Contains(page, text) == there {
				return page
			}
			if time.Since(begun) > most {
				t.Fatalf("%q is %v there after %v: %s", text, !there, most, page)
			}
		}
	}
	for _, spec := range learnable {
		post(http.StatusSeeOther, "/learn?games=100&pairs=2&seed=3&game="+spec)
		until(time.Minute, "/learn", "/learn/stop", false)
		name := strings.NewReplacer(":", "-", "=", "").Replace(spec) + "-3"
		if report := v.want("/report?name="+name, nil); !strings.Contains(report, "plyfit learn "+spec+" --seed 3 --effort quick --games 100 --pairs 2") || strings.Contains(report, "<script") {
			t.Error("the report lacks the command of the run, or contains a script, which the page must not run")
		}
		body := "--b\r\nContent-Disposition: form-data; name=\"model\"; filename=\"mine (" + name + ").json\"\r\n\r\n" + v.want("/learn/model?name="+name+".json", nil) + "\r\n--b--\r\n"
		if code, text, _ := v.asked("POST", "/learn/model", body, map[string]string{"Content-Type": "multipart/form-data; boundary=b"}); code != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", spec, code, text)
		}
		at := v.open(url.Values{"game": {spec}, "seat0": {"greedy:eval=" + filepath.Join(c.Limits.Models, "mine-"+name+".json")}})
		v.want(at+"/answer", url.Values{})
		v.want("/model?"+url.Values{"game": {strings.Split(spec, ":")[0]}, "name": {filepath.Join(c.Limits.Models, name+".json")}}.Encode(), nil)
		code, text, header := v.asked("POST", "/learn/play", "name="+name+".json", map[string]string{"Content-Type": "application/x-www-form-urlencoded"})
		if code != http.StatusSeeOther {
			t.Fatalf("%s against the learned model: %d %s", spec, code, text)
		}
		if page := v.want(header.Get("Location"), nil); !strings.Contains(page, name+".json") {
			t.Errorf("%s: the model does not play: %s", spec, page)
		}
	}
	const match = "/learn/match?game=tictactoe&a=easy&b=random&pairs="
	for _, shown := range []string{"round 1 of 2: games", "the fit to"} {
		post(http.StatusSeeOther, "/learn?game=2048:size=3&games=3000")
		until(time.Minute, "/runs", shown, true)
		post(http.StatusConflict, match+"20")
		post(http.StatusSeeOther, "/learn/stop")
		if page := until(time.Second, "/learn", "/learn/stop", false); strings.Contains(page, `class="error"`) {
			t.Errorf("stopped: %s", page)
		}
	}
	for _, bad := range []string{"/learn?game=chess", "/learn?game=tictactoe&games=-1", "/learn?game=tictactoe&pairs=many", match + "0", "/learn/match?game=tictactoe&a=friend&b=random"} {
		post(http.StatusBadRequest, bad)
	}
	post(http.StatusSeeOther, match+"20")
	if page := until(time.Minute, "/learn", "/learn/stop", false); !strings.Contains(page, " won, ") || !strings.Contains(page, "match: a mix of random (50%)") {
		t.Errorf("no result: %s", page)
	}
	v = visit(t, Config{})
	post(http.StatusNotFound, "/learn?game=tictactoe")
}
