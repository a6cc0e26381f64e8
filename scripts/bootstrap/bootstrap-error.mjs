/** A problem the person at the keyboard can solve; the message says how, so no stack is printed. */
export class BootstrapError extends Error {
  /**
   * @param {string} message What happened and what to do next.
   * @param {{ output?: string }} [options] `output`: the last words of the program that failed.
   */
  constructor(message, { output = "" } = {}) {
    super(message);
    this.name = "BootstrapError";
    this.output = output;
  }
}
