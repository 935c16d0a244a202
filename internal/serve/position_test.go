package serve

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

// positions contains positions in the standard notations of three games, as a visitor would paste
// them.
var positions = map[string]string{
	"chess":      "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
	"checkers":   "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
	"backgammon": "XGID=-BBBBB-------------bbbbb--:0:0:1:61:0:0:0:0:10",
}

var linkField = regexp.MustCompile(`href="(/at\?[^"]*)"`)

// TestPastedPositions checks, for every game without hidden information, that a position can be
// pasted both at the start and later, and that its link contains the position. A malformed position
// must be rejected with a one-line error, and the game must remain unchanged.
func TestPastedPositions(t *testing.T) {
	v := visit(t, Config{})
	for _, e := range catalog.All() {
		w, err := catalog.All().World(e.Name)
		if err != nil || w.Hidden {
			continue // positions with hidden information cannot be pasted
		}
		t.Run(e.Name, func(t *testing.T) {
			pasted := positions[e.Name]
			if pasted == "" {
				left := 6
				for s := range gametest.Games(w.Game, 1, 5) {
					pasted = s.String()
					if left--; e.Name == "tree" || left < 0 && s.Turn() >= 0 {
						break
					}
				}
			}
			state := vectors.Must(w.Parse(pasted))
			want := state.String()
			at := v.open(url.Values{"game": {e.Name}, "position": {"  " + pasted + "\n"}})
			board := v.want(at, nil)
			if got := positionOf(board); got != want {
				t.Errorf("started at %q: position is %q", want, got)
			}
			link := linkField.FindStringSubmatch(board)
			if link == nil {
				t.Fatalf("no link to the position: %.300s", board)
			}
			if page := html.UnescapeString(v.want(html.UnescapeString(link[1]), nil)); !strings.Contains(page, `name="position" value="`+want+`"`) {
				t.Errorf("the link %s does not contain %q", link[1], want)
			}
			if got := positionOf(v.want(at+"/position", url.Values{"position": {""}})); got == "" {
				t.Error("not begun anew")
			}
			if got := positionOf(v.want(at+"/position", url.Values{"position": {pasted}})); got != want {
				t.Errorf("after setting up %q: position is %q", want, got)
			}
			for _, bad := range []string{"nonsense", pasted + " and more", pasted[:len(pasted)/2], "<script>", strings.Repeat("8", 5000), "\x00\xff"} {
				if _, err := w.Parse(strings.TrimSpace(bad)); err == nil {
					continue // half of it is also a valid position
				}
				for path, form := range map[string]url.Values{"/tables": {"game": {e.Name}, "position": {bad}}, at + "/position": {"position": {bad}}} {
					code, text, _ := v.asked("POST", path, form.Encode(), nil)
					if code != http.StatusBadRequest || strings.Count(strings.TrimSpace(text), "\n") > 0 || !strings.Contains(text, "want") {
						t.Errorf("%s %.60q: %d %.200q, want one line that says what is expected", path, bad, code, text)
					}
				}
			}
			if got := positionOf(v.want(at, nil)); got != want {
				t.Errorf("after a refused position: %q", got)
			}
		})
	}
}

// TestDisagreement checks that evaluations that differ by a constant do not disagree about any
// move.
func TestDisagreement(t *testing.T) {
	for _, constant := range []float64{0, -3, 13807} {
		moves := []assessed{{Name: "a", Gap: constant}, {Name: "b", Gap: constant}, {Name: "c", Over: true}}
		if most, mean := disagreement(moves); most != "" || mean != constant {
			t.Errorf("constant %v: they disagree about %q, on average %v", constant, most, mean)
		}
		moves[0].Gap, moves[1].Gap = constant+30, constant-30
		if most, mean := disagreement(moves); most != "a" || mean != constant {
			t.Errorf("constant %v and 30: they disagree about %q, on average %v", constant, most, mean)
		}
	}
}

// TestRefusedPage checks that a browser receives an error as a page with a link back, and that a
// program receives it as one line.
func TestRefusedPage(t *testing.T) {
	v := visit(t, Config{})
	for path, want := range map[string]int{"/nothing": 404, "/tables/none": 404, "/lesson/12": 404, "/at?game=<script>": 400} {
		code, page, _ := v.asked("GET", path, "", map[string]string{"Accept": "text/html,*/*"})
		_, line, _ := v.asked("GET", path, "", nil)
		if code != want || !strings.Contains(page, `href="/">Show all games`) || strings.Contains(page, "<script>") || !strings.Contains(page, html.EscapeString(strings.TrimSpace(line))) {
			t.Errorf("%s: %d, want %d\n%s", path, code, want, page)
		}
	}
}
