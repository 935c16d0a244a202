package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/arena/stats"
	"plyfit/internal/spec"
)

type sprtFlags struct{ bounds, scale, errors string }

// noTest is the value of --sprt for a match without a test.
const noTest = "off"

// add adds them; bounds are the default LOW,HIGH, or off.
func (t *sprtFlags) add(cmd *cobra.Command, bounds string) {
	flags := cmd.Flags()
	flags.StringVar(&t.bounds, "sprt", bounds, "LOW,HIGH: end when a sequential test rejects one of these differences in Elo (if utilities decide, a t-test); off: play all pairs")
	flags.StringVar(&t.scale, "sprt-scale", string(stats.Normalised), "of LOW and HIGH: normalised (against the noise of the games), or logistic (of the score; wins and losses only)")
	flags.StringVar(&t.errors, "sprt-errors", "0.05,0.05", "ALPHA,BETA: how often the test may accept HIGH if LOW is true, and LOW if HIGH is true")
}

// read returns the test, or nil if there is none.
func (t *sprtFlags) read(cmd *cobra.Command) (*stats.SPRT, error) {
	for _, flag := range []string{"sprt-scale", "sprt-errors"} {
		if t.bounds == noTest && cmd.Flags().Changed(flag) {
			return nil, fmt.Errorf("--%s: of a sequential test: want --sprt LOW,HIGH with it", flag)
		}
	}
	alpha, beta, err := twoNumbers("sprt-errors", t.errors, "two probabilities, ALPHA,BETA")
	if err != nil {
		return nil, err
	}
	if !(alpha > 0 && alpha < 0.5 && beta > 0 && beta < 0.5) {
		return nil, fmt.Errorf("--sprt-errors %s: want two probabilities above 0 and below 0.5", t.errors)
	}
	if t.bounds == noTest {
		return nil, nil
	}
	low, high, err := twoNumbers("sprt", t.bounds, "two numbers of Elo, LOW,HIGH, or off")
	if err != nil {
		return nil, err
	}
	return &stats.SPRT{Low: low, High: high, Alpha: alpha, Beta: beta, Scale: stats.Scale(t.scale)}, nil
}

func twoNumbers(flag, text, want string) (x, y float64, err error) {
	first, second, ok := strings.Cut(text, ",")
	x, errX := spec.Number(first)
	y, errY := spec.Number(second)
	if !ok || errX != nil || errY != nil {
		return 0, 0, fmt.Errorf("--%s %s: want %s", flag, text, want)
	}
	return x, y, nil
}
