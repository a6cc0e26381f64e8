# Copy this file into your receiver: Ruby 2.7 or later, nothing to install.
require "openssl"

# Whether a delivery is genuine and its time at most `tolerance` seconds from `now`.
#
# body: the bytes that came, before anything parses them.
# headers: a hash, or pairs of name and value; names in any case.
# secrets: the webhook's signing secrets: one, or both while it is being rotated.
def verify_delivery(body, headers, secrets, tolerance: 300, now: Time.now.to_f)
  if secrets.empty? || secrets.any? { |secret| secret.to_s.empty? }
    raise ArgumentError, "secrets: pass a list of signing secrets, none of them empty"
  end
  read = ->(name) { headers.select { |key, _| key.downcase == name }.map { |_, value| value }.join(",") }
  timestamp = read.call("x-service-timestamp")
  return false unless timestamp.match?(/\A[0-9]{1,15}\z/)

  message = "#{timestamp}.".b + body.b
  expected = secrets.map { |secret| "v1=#{OpenSSL::HMAC.hexdigest('SHA256', secret, message)}" }
  given = read.call("x-service-signature").split(",").map(&:strip)
  matches = given.product(expected).map { |one, other| OpenSSL.secure_compare(one, other) }
  matches.any? && (now - timestamp.to_i).abs <= tolerance
end
