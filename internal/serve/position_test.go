package serve

import (
	"html"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
)

// positions are some in the notation of the field, as they are pasted.
var positions = map[string]string{
	"chess":      "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
	"checkers":   "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
	"backgammon": "XGID=-BBBBB-------------bbbbb--:0:0:1:61:0:0:0:0:10",
}

var linkField = regexp.MustCompile(`href="(/at\?[^"]*)"`)

// In every game a position can be pasted, when the game begins and later; its link
// holds it; a malformed one is refused in one line, and the table stays as it is.
func TestPastedPositions(t *testing.T) {
	v := visit(t, Config{})
	for _, e := range catalog.All() {
		w, err := catalog.All().World(e.Name)
		if err != nil || w.Hidden {
			continue // what is hidden is not pasted
		}
		t.Run(e.Name, func(t *testing.T) {
			pasted := positions[e.Name]
			if pasted == "" {
				rng := rand.New(rand.NewPCG(5, 6))
				s := w.New()
				for k := 0; k < 6 || s.Turn() == game.Chance; k++ {
					moves := s.Moves(nil)
					if len(moves) == 0 || e.Name == "tree" {
						break
					}
					s.Play(moves[rng.IntN(len(moves))])
				}
				pasted = s.String()
			}
			state := vectors.Must(w.Parse(pasted))
			want := state.String()
			at := v.open(url.Values{"game": {e.Name}, "position": {"  " + pasted + "\n"}})
			board := v.want(at, nil)
			if got := positionOf(board); got != want {
				t.Errorf("begun from %q: at %q", want, got)
			}
			link := linkField.FindStringSubmatch(board)
			if link == nil {
				t.Fatalf("no link to the position: %.300s", board)
			}
			if page := html.UnescapeString(v.want(html.UnescapeString(link[1]), nil)); !strings.Contains(page, `name="position" value="`+want+`"`) {
				t.Errorf("the link %s does not hold %q", link[1], want)
			}
			if got := positionOf(v.want(at+"/position", url.Values{"position": {""}})); got == "" {
				t.Error("not begun anew")
			}
			if got := positionOf(v.want(at+"/position", url.Values{"position": {pasted}})); got != want {
				t.Errorf("set up %q: at %q", want, got)
			}
			for _, bad := range []string{"nonsense", pasted + " and more", pasted[:len(pasted)/2], "<script>", strings.Repeat("8", 5000), "\x00\xff"} {
				if _, err := w.Parse(strings.TrimSpace(bad)); err == nil {
					continue // half of it is a position, too
				}
				for path, form := range map[string]url.Values{"/tables": {"game": {e.Name}, "position": {bad}}, at + "/position": {"position": {bad}}} {
					code, text, _ := v.asked("POST", path, form.Encode(), nil)
					if code != http.StatusBadRequest || strings.Count(strings.TrimSpace(text), "\n") > 0 || !strings.Contains(text, "want") {
						t.Errorf("%s %.60q: %d %.200q, want one line with what is wanted", path, bad, code, text)
					}
				}
			}
			if got := positionOf(v.want(at, nil)); got != want {
				t.Errorf("what was refused left %q", got)
			}
		})
	}
}
