/** One invalid option, and what it must be. */
export interface OptionProblem {
  readonly option: string;
  readonly message: string;
}

/** An error in the configuration. `code` is stable, and the message says what to change in every invalid option. */
export class ConfigurationError extends TypeError {
  readonly code = "invalid_option";
  /** The first invalid option. */
  readonly option: string;
  /** All invalid options. */
  readonly options: readonly string[];
  constructor(first: OptionProblem, ...others: readonly OptionProblem[]) {
    super([first, ...others].map(({ option, message }) => `${option}: ${message}`).join("; "));
    this.name = "ConfigurationError";
    this.option = first.option;
    this.options = [first, ...others].map(({ option }) => option);
  }
}
