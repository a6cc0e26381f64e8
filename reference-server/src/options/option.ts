/** A setting of the server: its names, its valid values and its default. */
export interface Option<Value> {
  /** Without the dashes. Undefined if there is only a variable. */
  readonly flag?: string;
  readonly variable: string;
  readonly description: string;
  /** The end of the sentence "… must be", such as "a whole number from 0 to 65535". */
  readonly allowed: string;
  readonly fallback: Value;
  /** The default as the user would write it, if that is not its text. */
  readonly shownDefault?: string;
  /** What the flag alone means, such as `on`. Undefined if the flag needs a value. */
  readonly bare?: string;
  /** True if messages must never show the value. */
  readonly secret?: boolean;
  /** True if the value can also be in a file that `<variable>_FILE` names. */
  readonly inFile?: boolean;
  /** True if an empty file counts as unset, so that a service can name the file before it is needed. */
  readonly fileMayBeEmpty?: boolean;
  /** Parses a text that is not empty and has no surrounding white space. Undefined if it is invalid. */
  readonly parse: (text: string) => Value | undefined;
  /** An additional sentence about an invalid text, if the intention is clear. */
  readonly explain?: (text: string) => string | undefined;
}

/** `--port (or PORT)`, the name of an option in messages. */
export function nameOf({ flag, variable }: Pick<Option<unknown>, "flag" | "variable">): string {
  return flag === undefined ? variable : `--${flag} (or ${variable})`;
}

/** The default as the user would write it. Undefined: there is none to show. */
export function showDefault({ shownDefault, fallback }: Option<unknown>): string | undefined {
  if (shownDefault !== undefined) return shownDefault;
  if (typeof fallback === "boolean") return fallback ? "on" : "off";
  const text = fallback === undefined ? "" : String(fallback);
  return text === "" ? undefined : text;
}
