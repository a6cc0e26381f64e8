module receiver

go 1.21

require github.com/hookwright/hookwright/packages/signature/verifiers/go v0.0.0

replace github.com/hookwright/hookwright/packages/signature/verifiers/go => ./signature
