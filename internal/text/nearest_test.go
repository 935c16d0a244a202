package text

import "testing"

func TestHint(t *testing.T) {
	names := []string{"alphabeta", "minimax", "maxn", "chess", "checkers", "mcts", "tournament", "--openings", "--openings-fixed"}
	for word, want := range map[string]string{
		"alfabeta": "alphabeta", "ches": "chess", "cehss": "chess", "MCTS": "mcts", "alph": "alphabeta",
		"tourney": "tournament", "tour": "tournament", "touring": "tournament", "--opals": "", "zebra": "", "ch": "", "": "",
	} {
		if want != "" {
			want = `; did you mean "` + want + `"?`
		}
		if got := Hint(word, names); got != want {
			t.Errorf("Hint(%q) is %q, want %q", word, got, want)
		}
	}
}
