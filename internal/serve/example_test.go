package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"plyfit/catalog"
	"plyfit/internal/serve"
)

// A game is opened by a form, and a position by a link.
func Example() {
	s, err := serve.New(serve.Config{Catalog: catalog.All()})
	if err != nil {
		panic(err)
	}
	page := httptest.NewServer(s)
	defer page.Close()
	answer, err := http.PostForm(page.URL+"/tables", url.Values{"game": {"tictactoe"}, "seat1": {"alphabeta:depth=9"}})
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	fmt.Println(answer.StatusCode, strings.HasPrefix(answer.Request.URL.Path, "/tables/"))
	link, err := http.Get(page.URL + "/at?" + url.Values{"game": {"connect4"}, "position": {"4453"}}.Encode())
	if err != nil {
		panic(err)
	}
	defer link.Body.Close()
	fmt.Println(link.StatusCode)
	// Output:
	// 200 true
	// 200
}
