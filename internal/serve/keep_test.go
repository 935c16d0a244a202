package serve

import (
	"maps"
	"mime/multipart"
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

// TestKeptGames: another server opens the games as they were, in every game, after moves of agents
// and one that is taken back; a file that is damaged is dropped.
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
			t.Errorf("%s: opened again it is\n%s\nwant\n%s", at, got, want)
		}
	}
	if _, err := os.Stat(damaged); err == nil {
		t.Error("a damaged file is still there")
	}
}

// TestLearnPage: a page learns each world that it offers, saves the model and loads it again, and the
// model plays.
func TestLearnPage(t *testing.T) {
	c := Config{Runs: t.TempDir(), Learn: true, Limits: Limits{Models: t.TempDir(), Body: 64 << 20}}
	v := visit(t, c)
	for _, bad := range []url.Values{{"game": {"chess"}}, {"game": {"tictactoe"}, "games": {"-1"}}, {"game": {"tictactoe"}, "pairs": {"many"}}} {
		if code, body, _ := v.ask("/learn", bad); code != http.StatusBadRequest || !strings.Contains(body, "want") {
			t.Errorf("%v: %d %s", bad, code, body)
		}
	}
	for _, spec := range learnable {
		v.begins("/learn", url.Values{"game": {spec}, "games": {"100"}, "pairs": {"2"}, "seed": {"3"}})
		v.ends(time.Minute)
		name := strings.NewReplacer(":", "-", "=", "").Replace(spec) + "-3"
		if report := v.want("/report?name="+name, nil); !strings.Contains(report, "plyfit learn "+spec+" --seed 3 --effort quick --games 100 --pairs 2") {
			t.Error("the report does not say how the run is repeated")
		}
		saved := v.want("/learn/model?name="+name+".json", nil)
		var body strings.Builder
		form := multipart.NewWriter(&body)
		part := vectors.Must(form.CreateFormFile("model", "mine ("+name+").json"))
		vectors.Must(part.Write([]byte(saved)))
		vectors.Check(form.Close())
		if code, text, _ := v.asked("POST", "/learn/model", body.String(), map[string]string{"Content-Type": form.FormDataContentType()}); code != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", spec, code, text)
		}
		mine := filepath.Join(c.Limits.Models, "mine-"+name+".json")
		at := v.open(url.Values{"game": {spec}, "seat0": {"greedy:eval=" + mine}})
		v.want(at+"/answer", url.Values{})
	}
	if code, _, _ := visit(t, Config{}).ask("/learn", url.Values{"game": {"tictactoe"}}); code != http.StatusNotFound {
		t.Errorf("a server that is not to learn answers %d", code)
	}
}

// begins has the page do something.
func (v *visitor) begins(path string, form url.Values) {
	v.Helper()
	if code, body, _ := v.ask(path, form); code != http.StatusSeeOther {
		v.Fatalf("%s %v: %d %s", path, form, code, body)
	}
}

// ends waits for the end of what the page does, at most so long.
func (v *visitor) ends(most time.Duration) (page string) {
	v.Helper()
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if page = v.want("/learn", nil); !strings.Contains(page, "/learn/stop") {
			return page
		}
		if time.Since(begun) > most {
			v.Fatalf("not ended: %s", page)
		}
	}
}

// TestLearnPageStops: a run shows its progress and ends soon when it is stopped, in its games and in
// its fits, and then a match is played; there is one of them at a time.
func TestLearnPageStops(t *testing.T) {
	v := visit(t, Config{Runs: t.TempDir(), Learn: true, Limits: Limits{Models: t.TempDir()}})
	match := url.Values{"game": {"tictactoe"}, "a": {"medium"}, "b": {"random"}, "pairs": {"20"}}
	for _, shown := range []string{"<progress", "the fit to"} {
		v.begins("/learn", url.Values{"game": {"2048:size=3"}, "games": {"3000"}})
		for begun := time.Now(); !strings.Contains(v.want("/runs", nil), shown); time.Sleep(10 * time.Millisecond) {
			if time.Since(begun) > time.Minute {
				t.Fatalf("never %q: %s", shown, v.want("/runs", nil))
			}
		}
		if code, body, _ := v.ask("/learn/match", match); code != http.StatusConflict {
			t.Errorf("a match during a run: %d %s", code, body)
		}
		v.begins("/learn/stop", url.Values{})
		if page := v.ends(2 * time.Second); strings.Contains(page, `class="error"`) {
			t.Errorf("stopped: %s", page)
		}
	}
	for key, bad := range map[string]string{"pairs": "0", "a": "a friend", "game": "bridge"} {
		form := maps.Clone(match)
		form.Set(key, bad)
		if code, body, _ := v.ask("/learn/match", form); code != http.StatusBadRequest {
			t.Errorf("%v: %d %s", form, code, body)
		}
	}
	v.begins("/learn/match", match)
	if page := v.ends(time.Minute); !strings.Contains(page, " won, ") || !strings.Contains(page, "match: a mix of random (10%)") {
		t.Errorf("no result: %s", page)
	}
}
