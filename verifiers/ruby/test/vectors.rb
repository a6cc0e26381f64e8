# frozen_string_literal: true

# Checks every shared vector: ruby test/vectors.rb [test-vectors.json]
require "json"
require_relative "../lib/hookwright/signature"

def result_of(vector)
  options = { tolerance: vector["toleranceSeconds"], now: vector["now"] }
  options[:header_prefix] = vector["headerPrefix"] if vector.key?("headerPrefix")
  event = Hookwright::Signature.verify(vector["body"]["base64"].unpack1("m"), vector["headers"], vector["secrets"], **options)
  event["test"] ? { "eventId" => event["id"], "test" => true } : { "eventId" => event["id"] }
rescue Hookwright::SignatureError => e
  puts "#{e.code}: #{e.message}"
  { "error" => e.code }
end

file = ARGV[0] || File.join(__dir__, "../../../packages/signature/test-vectors.json")
vectors = JSON.parse(File.read(file, encoding: "UTF-8"))["vectors"]
wrong = vectors.reject { |vector| result_of(vector) == vector["expected"] }
puts "#{vectors.length} vectors, #{wrong.length} wrong", wrong.map { |vector| vector["name"] }
exit(wrong.empty? && !vectors.empty?)
