package arena

import (
	"fmt"

	"plyfit/internal/text"
)

// String is the running score, such as "12 won, 3 drawn, 5 lost, 67.5% ± 12.1%, LLR 0.81".
func (p Progress) String() string {
	line := fmt.Sprintf("%d won, %d drawn, %d lost", p.Wins, p.Draws, p.Losses)
	if running := p.Running(); running.Bounded || running.Alike {
		if p.Measure == Wins {
			line += ", " + running.Percent()
		} else {
			line += ", A minus B " + running.Format(running.Decimals(), 1)
		}
	}
	if p.LLR != 0 {
		line += fmt.Sprintf(", LLR %.2f", p.LLR)
	}
	if n := p.Faults.All(); n > 0 {
		line += ", " + text.Counted(n, "fault")
	}
	return line
}
