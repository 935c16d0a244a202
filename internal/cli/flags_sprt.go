package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/arena/stats"
	"plyfit/internal/spec"
)

type sprtFlags struct{ bounds, scale, errors string }

// add adds them; bounds are the default LOW,HIGH, "" for no test.
func (t *sprtFlags) add(cmd *cobra.Command, bounds string) {
	flags := cmd.Flags()
	flags.StringVar(&t.bounds, "sprt", bounds, "LOW,HIGH: end when a sequential test rejects one of these differences in Elo; where utilities decide, a t-test")
	flags.StringVar(&t.scale, "sprt-scale", string(stats.Normalised), "of LOW and HIGH: normalised (against the noise of the games), or logistic (of the score; wins and losses only)")
	flags.StringVar(&t.errors, "sprt-errors", "0.05,0.05", "ALPHA,BETA: how often the test may accept HIGH if LOW is true, and LOW if HIGH is true")
}

// read is the test; nil: none.
func (t *sprtFlags) read() (*stats.SPRT, error) {
	alpha, beta, err := twoNumbers("sprt-errors", t.errors, "two probabilities, ALPHA,BETA")
	if err != nil {
		return nil, err
	}
	if !(alpha > 0 && alpha < 0.5 && beta > 0 && beta < 0.5) {
		return nil, fmt.Errorf("--sprt-errors %s: want two probabilities above 0 and below 0.5", t.errors)
	}
	if t.bounds == "" {
		return nil, nil
	}
	low, high, err := twoNumbers("sprt", t.bounds, "two numbers of Elo, LOW,HIGH")
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
