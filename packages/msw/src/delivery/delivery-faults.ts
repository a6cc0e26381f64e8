import type { SignatureErrorCode } from "@hookwright/signature";

/** What can be wrong with a delivery, and the code with which `verify` of `@hookwright/signature` refuses it. */
export const deliveryFaults = {
  /** Signed well, an hour ago: a replay. */
  expired: "timestamp_outside_tolerance",
  /** Signed well, in an hour: somebody's clock is wrong. */
  from_the_future: "timestamp_outside_tolerance",
  /** Signed with a secret that nobody holds. */
  wrong_secret: "signature_mismatch",
  /** One byte was added on its way. */
  tampered_body: "signature_mismatch",
  /** Parsed and rendered again on its way: the same JSON in other bytes. */
  rendered_again: "signature_mismatch",
  /** `X-Service-Event`, which is not signed, names another event than the body. */
  event_mismatch: "event_mismatch",
  no_signature: "missing_header",
  no_timestamp: "missing_header",
  /** Upper-case hex, which the service never sends. */
  malformed_signature: "malformed_header",
  /** Signed well, but no JSON. */
  no_json: "invalid_json",
  /** Signed well, but no `{id, event, project, data}`. */
  no_envelope: "invalid_envelope",
} as const satisfies Readonly<Record<string, SignatureErrorCode>>;

export type DeliveryFault = keyof typeof deliveryFaults;
