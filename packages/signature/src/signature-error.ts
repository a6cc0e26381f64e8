/** The stable code of an error. Messages may change. */
export type SignatureErrorCode =
  /** Programming error: the signing secret is missing or empty. */
  | "no_secret"
  /** Programming error: an option such as `now`, `toleranceSeconds` or `timestamp` has an unusable value. */
  | "invalid_option"
  /** Programming error: the body is missing, or it was parsed before it was verified. */
  | "body_not_raw"
  /** `X-Service-Timestamp` or `X-Service-Signature` is absent or empty. */
  | "missing_header"
  /** The timestamp is repeated or not an integer, or there is no well-formed `v1=` signature. */
  | "malformed_header"
  /** The timestamp differs from `now` by more than the tolerance, in either direction. */
  | "timestamp_outside_tolerance"
  /** No signature matches the body under any of the secrets. */
  | "signature_mismatch"
  /** The signature matches, but the body is not JSON. */
  | "invalid_json"
  /** The signature matches, but the body is not a delivery envelope. */
  | "invalid_envelope"
  /** `X-Service-Event`, which is not signed, names another event than the signed body. */
  | "event_mismatch";

/**
 * The HTTP status to answer with: 401 if the delivery cannot be trusted, 400 if its signature matches but its body is
 * not an event, 500 if the receiver's own program is wrong.
 */
export type SignatureErrorStatus = 400 | 401 | 500;

const otherStatuses: Partial<Record<SignatureErrorCode, SignatureErrorStatus>> = {
  no_secret: 500,
  invalid_option: 500,
  body_not_raw: 500,
  invalid_json: 400,
  invalid_envelope: 400,
};

/**
 * The only error class of this package. Its message names the likely cause. It never contains a secret or an
 * expected signature, so it may be logged.
 *
 * @example
 * if (error instanceof SignatureError) return new Response(error.code, { status: error.status });
 */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
  declare readonly code: SignatureErrorCode;
  declare readonly status: SignatureErrorStatus;

  constructor(code: SignatureErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = otherStatuses[code] ?? 401;
  }
}
