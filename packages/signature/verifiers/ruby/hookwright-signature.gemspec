# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = "hookwright-signature"
  spec.version = "0.0.0"
  spec.summary = "Verifies webhook deliveries of Hookwright, and says why one is refused."
  spec.authors = ["The Hookwright authors"]
  spec.homepage = "https://github.com/hookwright/hookwright/tree/main/packages/signature/verifiers/ruby"
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.0"
  spec.files = ["lib/hookwright/signature.rb", "README.md", "LICENSE"]
end
