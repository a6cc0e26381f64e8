/** A program that uses Hookwright wrongly. `code` is stable; the message says what to change. */
export class ConfigurationError extends TypeError {
  readonly code = "invalid_option";
  readonly option: string;
  constructor(option: string, message: string) {
    super(`${option}: ${message}`);
    this.name = "ConfigurationError";
    this.option = option;
  }
}
