package serve

import (
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

// TestLearnPage: a page starts a run, saves its model and loads it again, and the model plays.
func TestLearnPage(t *testing.T) {
	c := Config{Runs: t.TempDir(), Learn: true, Limits: Limits{Models: t.TempDir()}}
	v := visit(t, c)
	for _, bad := range []url.Values{{"game": {"chess"}}, {"game": {"tictactoe"}, "games": {"-1"}}, {"game": {"tictactoe"}, "pairs": {"many"}}} {
		if code, body, _ := v.ask("/learn", bad); code != http.StatusBadRequest || !strings.Contains(body, "want") {
			t.Errorf("%v: %d %s", bad, code, body)
		}
	}
	if code, body, _ := v.ask("/learn", url.Values{"game": {"tictactoe"}, "games": {"100"}, "pairs": {"2"}, "seed": {"3"}}); code != http.StatusSeeOther {
		t.Fatalf("%d %s", code, body)
	}
	const file = "/learn/model?name=tictactoe-3.json"
	for begun := time.Now(); !strings.Contains(v.want("/learn", nil), file); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("no model: %s", v.want("/learn", nil))
		}
	}
	if report := v.want("/report?name=tictactoe-3", nil); !strings.Contains(report, "plyfit learn tictactoe --seed 3 --effort quick --games 100 --pairs 2") {
		t.Error("the report does not say how the run is repeated")
	}
	saved := v.want(file, nil)
	var body strings.Builder
	form := multipart.NewWriter(&body)
	part := vectors.Must(form.CreateFormFile("model", "mine (2).json"))
	vectors.Must(part.Write([]byte(saved)))
	vectors.Check(form.Close())
	if code, text, _ := v.asked("POST", "/learn/model", body.String(), map[string]string{"Content-Type": form.FormDataContentType()}); code != http.StatusSeeOther {
		t.Fatalf("%d %s", code, text)
	}
	mine := filepath.Join(c.Limits.Models, "mine-2.json")
	at := v.open(url.Values{"game": {"tictactoe"}, "seat0": {"minimax:depth=2,eval=" + mine}})
	v.want(at+"/answer", url.Values{})
	if code, _, _ := visit(t, Config{}).ask("/learn", url.Values{"game": {"tictactoe"}}); code != http.StatusNotFound {
		t.Errorf("a server that is not to learn answers %d", code)
	}
}
