/** One option that is wrong, and what it must be. */
export interface OptionProblem {
  readonly option: string;
  readonly message: string;
}

/** A program that uses Hookwright wrongly. `code` is stable; the message says what to change, of every option that is wrong. */
export class ConfigurationError extends TypeError {
  readonly code = "invalid_option";
  /** The first option that is wrong. */
  readonly option: string;
  /** Every option that is. */
  readonly options: readonly string[];
  constructor(first: OptionProblem, ...others: readonly OptionProblem[]) {
    super([first, ...others].map(({ option, message }) => `${option}: ${message}`).join("; "));
    this.name = "ConfigurationError";
    this.option = first.option;
    this.options = [first, ...others].map(({ option }) => option);
  }
}
