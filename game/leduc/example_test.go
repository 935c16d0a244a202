package leduc_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/leduc"
)

// A king is raised and called; the jack on the table pairs nobody.
func Example() {
	g, err := leduc.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("Ks Qh rc Jh")
	if err != nil {
		panic(err)
	}
	for _, m := range []game.Move{leduc.Call, leduc.Raise, leduc.Call} {
		s.Play(m)
	}
	fmt.Println(s.(game.HiddenState).Info(1))
	fmt.Println(s.Utility(0), s.Utility(1))
	// Output:
	// ? Qh rc Jh crc
	// 7 -7
}
