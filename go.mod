module github.com/stile-playground/stile

go 1.26
