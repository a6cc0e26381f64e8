import type { SignatureErrorCode } from "@hookwright/signature";

/** The possible faults of a delivery, and the error codes of `verify` of `@hookwright/signature`. */
export const deliveryFaults = {
  /** A valid signature that is an hour old: a replay. */
  expired: "timestamp_outside_tolerance",
  /** A valid signature that is an hour in the future: a wrong clock. */
  from_the_future: "timestamp_outside_tolerance",
  /** Signed with an unknown secret. */
  wrong_secret: "signature_mismatch",
  /** One byte was added after signing. */
  tampered_body: "signature_mismatch",
  /** Parsed and serialised again after signing: the same JSON in other bytes. */
  rendered_again: "signature_mismatch",
  /** `X-Service-Event`, which is not signed, names another event than the body. */
  event_mismatch: "event_mismatch",
  no_signature: "missing_header",
  no_timestamp: "missing_header",
  /** Upper-case hex, which the service never sends. */
  malformed_signature: "malformed_header",
  /** A valid signature, but the body is not JSON. */
  no_json: "invalid_json",
  /** A valid signature, but the body is not `{id, event, project, data}`. */
  no_envelope: "invalid_envelope",
} as const satisfies Readonly<Record<string, SignatureErrorCode>>;

export type DeliveryFault = keyof typeof deliveryFaults;
