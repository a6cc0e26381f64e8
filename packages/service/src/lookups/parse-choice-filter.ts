import { validationFailed } from "@hookwright/domain";

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
