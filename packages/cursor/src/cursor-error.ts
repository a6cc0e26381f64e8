export type CursorErrorCode = "empty_secret" | "invalid_position" | "position_too_long";

/** A programming error in the creation of cursors. Invalid cursors of clients never throw. */
export class CursorError extends Error {
  override readonly name = "CursorError";
  readonly code: CursorErrorCode;

  constructor(code: CursorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
