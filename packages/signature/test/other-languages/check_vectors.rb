# Checks `authentic` of every vector: ruby check_vectors.rb test-vectors.json
require "json"
require_relative "verify"

def authentic?(vector)
  body = vector["body"]["base64"].unpack1("m")
  options = { tolerance: vector["toleranceSeconds"], now: vector["now"] }
  verify_delivery(body, vector["headers"], vector["secrets"], **options)
rescue ArgumentError
  false # no secret, or an empty one
end

vectors = JSON.parse(File.read(ARGV[0], encoding: "UTF-8"))["vectors"]
wrong = vectors.reject { |vector| authentic?(vector) == vector["authentic"] }
puts "#{vectors.length} vectors, #{wrong.length} wrong", wrong.map { |vector| vector["name"] }
exit(wrong.empty? && !vectors.empty?)
