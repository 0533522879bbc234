module github.com/postern/postern/kits/go

go 1.24
