interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

const wholeNumber = /^\d+$/u;
const decimalNumber = /^(?:\d+(?:\.\d*)?|\.\d+)$/u;

/** Accepts only decimal digits. Other forms that `Number` accepts (`0x10`, `1e3`, `Infinity`) are probably mistakes. */
export function parseWholeNumber(text: string, { minimum, maximum }: Range): number | undefined {
  return wholeNumber.test(text) ? within(Number(text), minimum, maximum) : undefined;
}

/** Same as {@link parseWholeNumber}, with fractions. */
export function parseDecimal(text: string, { minimum, maximum }: Range): number | undefined {
  return decimalNumber.test(text) ? within(Number(text), minimum, maximum) : undefined;
}

function within(value: number, minimum: number, maximum: number): number | undefined {
  return value >= minimum && value <= maximum ? value : undefined;
}
