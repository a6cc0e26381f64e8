# frozen_string_literal: true

require "json"
require "openssl"

# Verifies webhook deliveries. Ruby 3.0 or later, the standard library only.
module Hookwright
  # Why a delivery was refused. It contains no secret and no expected signature, so it may be logged.
  class SignatureError < StandardError
    STATUSES = {
      "no_secret" => 500, "invalid_option" => 500, "body_not_raw" => 500,
      "invalid_json" => 400, "invalid_envelope" => 400
    }.freeze

    # The code never changes, for example "signature_mismatch". The status is the HTTP status to answer with.
    attr_reader :code, :status

    def initialize(code, message)
      super(message)
      @code = code
      @status = STATUSES.fetch(code, 401)
    end
  end

  # Hookwright::Signature.verify(body, headers, secrets)
  module Signature
    MILLISECONDS = 1e11 # later than any date in seconds
    private_constant :MILLISECONDS

    class << self
      # Returns the event of a delivery that is genuine. It has "test" => true if it is a test from the console.
      #
      # body: the bytes that came, before anything parses them.
      # headers: a hash, or pairs of name and value; names in any case. The environment of Rack will do.
      # secrets: the webhook's signing secret, or several while it is being rotated.
      # tolerance: seconds that the time of the delivery may differ from now (Unix seconds).
      # header_prefix: the prefix of the header names, if the sender has one of its own.
      #
      # Raises SignatureError.
      def verify(body, headers, secrets, tolerance: 300, now: Time.now.to_f, header_prefix: "X-Service")
        unless body.is_a?(String)
          kind = body.nil? ? "missing" : "parsed (#{body.class})"
          refuse("body_not_raw", "the body is #{kind}: pass the bytes that came")
        end
        keys = Array(secrets)
        # Anybody can sign with an empty key, so it is refused even beside others.
        if keys.empty? || !keys.all? { |key| key.is_a?(String) && !key.empty? }
          refuse("no_secret", "a secret is empty or missing: is its variable set?")
        end
        unless [now, tolerance].all?(Numeric) && tolerance >= 0 && now == now # NaN is not equal to itself
          refuse("invalid_option", "tolerance or now is negative or not a number")
        end
        unless header_prefix.match?(/\A[A-Za-z0-9-]{1,40}\z/)
          refuse("invalid_option", "header_prefix is not like X-Acme")
        end
        prefix = header_prefix.downcase
        found = read_headers(headers, "#{prefix}-")

        timestamp = required(found, "#{prefix}-timestamp")
        signature = required(found, "#{prefix}-signature")
        unless timestamp.match?(/\A[0-9]+\z/)
          refuse("malformed_header", "#{prefix}-timestamp is repeated or not an integer")
        end
        given = signature.split(",").map(&:strip).grep(/\Av1=[0-9a-f]{64}\z/)
        if given.empty?
          refuse("malformed_header", "#{prefix}-signature is not v1= and 64 lower-case hex digits")
        end
        check_time(timestamp.to_f, now, tolerance, prefix)

        message = "#{timestamp}.".b + body.b
        expected = keys.map { |key| "v1=#{OpenSSL::HMAC.hexdigest('SHA256', key, message)}" }
        # All are compared, so the time tells nothing.
        matches = given.product(expected).map { |one, other| OpenSSL.fixed_length_secure_compare(one, other) }
        refuse("signature_mismatch", explain_mismatch(body, keys)) unless matches.any?
        event = parse_event(body)
        if found.fetch("#{prefix}-event", event["event"]) != event["event"]
          refuse("event_mismatch", "#{prefix}-event is not the event in the body")
        end
        event["test"] = true if found["#{prefix}-test"] == "1"
        event
      end

      private

      def refuse(code, message)
        raise SignatureError.new(code, message), cause: nil
      end

      # By lower-case name. A repeated header is joined with commas, so a repeated timestamp is no integer.
      # Values are bytes: patterns raise ArgumentError for a text that is no UTF-8.
      def read_headers(headers, prefix)
        headers.each_with_object({}) do |(name, values), found|
          key = name.to_s.b.sub(/\AHTTP_/, "").tr("_", "-").downcase
          # The environment of Rack has streams, too, which must not be read.
          next unless key.start_with?(prefix)

          Array(values).each { |value| found[key] = [*found[key], value.to_s.b].join(",") }
        end
      end

      def required(found, name)
        value = found[name]
        refuse("missing_header", "no #{name}: pass all headers") if value.nil? || value.empty?
        value
      end

      def check_time(sent, now, tolerance, prefix)
        distance = (now - sent).abs
        return if distance <= tolerance

        reason = "a replay, or a wrong clock"
        if (now >= MILLISECONDS) != (sent >= MILLISECONDS)
          reason = "#{now >= MILLISECONDS ? 'now' : "#{prefix}-timestamp"} is in milliseconds"
        end
        side = now > sent ? "behind" : "ahead of"
        refuse("timestamp_outside_tolerance",
               "the timestamp is #{format('%.3f', distance)} s #{side} now, the limit is #{tolerance} s: #{reason}")
      end

      def explain_mismatch(body, keys)
        return "the body is empty: it was never read, or something read it before" if body.empty?

        trimmed = keys.any? { |key| key != key.strip } ? ", trimmed" : ""
        "no signature matches: the secret is wrong (pass the whole whsec_ text#{trimmed}), " \
          "or the body was changed (parsed, re-encoded, or still base64)"
      end

      def parse_event(body)
        text = body.dup.force_encoding(Encoding::UTF_8).scrub.delete_prefix("\uFEFF")
        begin
          event = JSON.parse(text, max_nesting: 512)
        rescue JSON::ParserError
          refuse("invalid_json", "the signature matches, but the body is not JSON")
        end
        # {type, timestamp, data, id, project}, the other form that a sender may choose.
        if event.is_a?(Hash) && !event.key?("event") && event["timestamp"].is_a?(String)
          event["event"] = event["type"]
        end
        return event if event.is_a?(Hash) && event["id"].is_a?(String) && event["event"].is_a?(String) &&
                        object?(event["project"]) && object?(event["data"])

        refuse("invalid_envelope", "the signature matches, but the body is not {id, event, project, data}")
      end

      def object?(value)
        value.is_a?(Hash) || value.is_a?(Array)
      end
    end
  end
end
