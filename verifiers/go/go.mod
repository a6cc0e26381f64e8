module github.com/hookwright/hookwright/verifiers/go

go 1.21
