import { isHookwrightError, parseTimestamp, validationFailed } from "@hookwright/domain";

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
