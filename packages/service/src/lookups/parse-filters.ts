import { isHookwrightError, parseTimestamp, validationFailed } from "@hookwright/domain";

/**
 * The value of a filter with a closed set of values. Otherwise a typing error would look like an empty list.
 *
 * @throws HookwrightError `validation_failed`, which names the filter and the values
 */
export function parseChoiceFilter<Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw validationFailed([`${name}: must be one of ${choices.join(", ")}`]);
  return choice;
}

/**
 * The time of a filter in milliseconds since the epoch. Undefined if the filter is left out.
 *
 * @throws HookwrightError `validation_failed`, which names the filter
 */
export function parseTimeFilter(name: string, text: string | undefined): number | undefined {
  try {
    return text === undefined ? undefined : parseTimestamp(text);
  } catch (error) {
    if (!isHookwrightError(error)) throw error;
    throw validationFailed([`${name}: ${error.message}`]);
  }
}
