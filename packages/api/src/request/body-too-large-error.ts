import { HookwrightError } from "@hookwright/domain";

/** A body that is longer than its route takes. Most of it is still on its way when this is noticed. */
export class BodyTooLargeError extends HookwrightError {
  constructor(limitBytes: number) {
    super("validation_failed", `body: must be at most ${limitBytes} bytes long`, { status: 413 });
  }
}
