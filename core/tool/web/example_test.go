package web_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/tool/web"
)

// A page becomes the text that a model reads, and the text of a model cannot leave its part of an address.
func Example() {
	fmt.Println(web.Text("text/html", "<title>Pets</title><script>run()</script><p>Cats &amp; <b>dogs</b></p>"))
	fmt.Println(web.WithQuery("https://a.example/find", web.Query([][2]string{{"q", "x&admin=1#top"}})))
	fmt.Println(web.CheckURL("file:///etc/passwd"))
	// Output:
	// Pets
	// Cats & dogs
	// https://a.example/find?q=x%26admin%3D1%23top
	// expected https:// or http://
}
