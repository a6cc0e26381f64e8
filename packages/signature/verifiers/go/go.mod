module github.com/hookwright/hookwright/packages/signature/verifiers/go

go 1.21
