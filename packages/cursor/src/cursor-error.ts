export type CursorErrorCode = "empty_secret" | "invalid_position" | "position_too_long";

/** A mistake in the program that makes cursors. What clients send never throws; it is refused as a value. */
export class CursorError extends Error {
  override readonly name = "CursorError";
  readonly code: CursorErrorCode;

  constructor(code: CursorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
