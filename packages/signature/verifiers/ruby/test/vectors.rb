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

file = ARGV[0] || File.join(__dir__, "../../../test-vectors.json")
vectors = JSON.parse(File.read(file, encoding: "UTF-8"))["vectors"]

# What no vector can have: bytes that are no UTF-8, and the streams in an environment of Rack.
class UnreadStream
  def each
    raise "a stream was read"
  end
  include Enumerable
end
good = vectors.find { |vector| vector["expected"]["eventId"] && !vector.key?("headerPrefix") }
names = good["headers"].to_h { |name, value| ["HTTP_#{name.upcase.tr('-', '_')}", value] }
expected = { "environment" => good["expected"], "bytes" => { "error" => "malformed_header" } }
{
  "environment" => names.merge("rack.input" => UnreadStream.new, "rack.errors" => $stderr, "REQUEST_PATH" => "/\xff"),
  "bytes" => names.merge("HTTP_X_SERVICE_SIGNATURE" => "\xff, é".dup.force_encoding("UTF-8"))
}.each do |name, headers|
  result = result_of(good.merge("headers" => headers))
  abort("#{name}: #{result}") unless result == expected[name]
end

wrong = vectors.reject { |vector| result_of(vector) == vector["expected"] }
puts "#{vectors.length} vectors, #{wrong.length} wrong", wrong.map { |vector| vector["name"] }
exit(wrong.empty? && !vectors.empty?)
