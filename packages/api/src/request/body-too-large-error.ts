import { HookwrightError } from "@hookwright/domain";

/** A body that is longer than its route permits. Most of it may still be on its way. */
export class BodyTooLargeError extends HookwrightError {
  constructor(limitBytes: number) {
    super("validation_failed", `body: must be at most ${limitBytes} bytes long`, { status: 413 });
  }
}
