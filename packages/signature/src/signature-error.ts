/** What went wrong, as a word that never changes; messages may be reworded. */
export type SignatureErrorCode =
  /** Programming error: no signing secret, or an empty one, was passed. */
  | "no_secret"
  /** Programming error: `now`, `toleranceSeconds` or `timestamp` is not a usable number. */
  | "invalid_option"
  /** Programming error: there is no body, or it was parsed before it was verified. */
  | "body_not_raw"
  /** `X-Service-Timestamp` or `X-Service-Signature` is absent or empty. */
  | "missing_header"
  /** The timestamp is repeated or no integer, or no well-formed `v1=` signature is there. */
  | "malformed_header"
  /** The timestamp is further from `now` than the tolerance allows, in either direction. */
  | "timestamp_outside_tolerance"
  /** No signature matches the body under any of the secrets. */
  | "signature_mismatch"
  /** The signature is right, the body is no JSON. */
  | "invalid_json"
  /** The signature is right, the body is JSON and no delivery envelope. */
  | "invalid_envelope"
  /** `X-Service-Event`, which is not signed, names another event than the signed body. */
  | "event_mismatch";

/**
 * The one error of this package. Its message names the likely cause; it never holds a secret or an
 * expected signature, so it may be logged.
 *
 * @example
 * if (error instanceof SignatureError && error.code === "signature_mismatch") return new Response(null, { status: 401 });
 */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
  declare readonly code: SignatureErrorCode;

  constructor(code: SignatureErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
