/** A setting of the library and of the standalone server: its valid values, its default, and its help. */
export interface Setting<Value> {
  /** For the help of the server. */
  readonly description: string;
  /** The end of the sentence "… must be", such as "a whole number from 0 to 100". */
  readonly allowed: string;
  readonly fallback: Value;
  /** Whether a program may pass this value. */
  readonly isValid: (value: unknown) => value is Value;
  /** Reads a text that is not empty and has no surrounding white space. Undefined if it is invalid. */
  readonly parse: (text: string) => Value | undefined;
}

interface NumberSetting {
  readonly description: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly fallback: number;
  /** What the number counts, such as "seconds". */
  readonly unit?: string;
  /** The minimum as it is shown, if it is no short number. */
  readonly shownMinimum?: string;
}

/** Only decimal digits. Other forms that `Number` accepts (`0x10`, `1e3`, `Infinity`) are probably mistakes. */
const digits = /^\d+$/u;
const decimal = /^(?:\d+(?:\.\d*)?|\.\d+)$/u;

export function wholeNumberSetting(setting: NumberSetting): Setting<number> {
  return rangeSetting("a whole number", digits, setting, Number.isInteger);
}

export function decimalSetting(setting: NumberSetting): Setting<number> {
  return rangeSetting("a number", decimal, setting, (value) => typeof value === "number");
}

function rangeSetting(
  kind: string,
  pattern: RegExp,
  { description, minimum, maximum, fallback, unit, shownMinimum = String(minimum) }: NumberSetting,
  isNumber: (value: unknown) => boolean,
): Setting<number> {
  const isValid = (value: unknown): value is number =>
    isNumber(value) && Number(value) >= minimum && Number(value) <= maximum;
  return {
    description,
    allowed: `${kind}${unit === undefined ? "" : ` of ${unit}`} from ${shownMinimum} to ${maximum}`,
    fallback,
    isValid,
    parse: (text) => (pattern.test(text) && isValid(Number(text)) ? Number(text) : undefined),
  };
}

/** True or false. In a text it is `on` or `off`. */
export function switchSetting(description: string, fallback = false): Setting<boolean> {
  return {
    description,
    allowed: "true or false",
    fallback,
    isValid: (value): value is boolean => typeof value === "boolean",
    parse: (text) => (text === "on" ? true : text === "off" ? false : undefined),
  };
}

/** The first value is the default. */
export function choiceSetting<const Value extends string>(
  description: string,
  values: readonly [Value, ...Value[]],
): Setting<Value> {
  const isValid = (value: unknown): value is Value => values.some((each) => each === value);
  const [fallback] = values;
  return {
    description,
    allowed: `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`,
    fallback,
    isValid,
    parse: (text) => (isValid(text) ? text : undefined),
  };
}
