/** One setting of the server: how it is given, what it may be, and what it is when it is not given. */
export interface Option<Value> {
  /** Without the dashes; undefined for what is given by its variable alone. */
  readonly flag?: string;
  readonly variable: string;
  readonly description: string;
  /** Ends the sentence "… must be", as in "a whole number from 0 to 65535". */
  readonly allowed: string;
  readonly fallback: Value;
  /** The default as a reader would write it; undefined where there is none to show. */
  readonly shownDefault?: string;
  /** Its value is never shown, wherever it is wrong. */
  readonly secret?: boolean;
  /** The value of a text that is neither empty nor surrounded by white space; undefined when it is refused. */
  readonly parse: (text: string) => Value | undefined;
  /** A sentence more about a refused text, where what was meant can be told. */
  readonly explain?: (text: string) => string | undefined;
}

/** `--port (or PORT)`, as messages call an option. */
export function nameOf({ flag, variable }: Pick<Option<unknown>, "flag" | "variable">): string {
  return flag === undefined ? variable : `--${flag} (or ${variable})`;
}
