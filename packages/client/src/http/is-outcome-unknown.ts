/**
 * Whether a change may have been made, judging by an answer's status. A 4xx says that nothing was done, whoever gave it,
 * and however its body ended; without an answer, behind a 5xx, and in a success that cannot be read, anything may have been.
 */
export function isOutcomeUnknown(status: number | undefined, earlierUnknown: boolean): boolean {
  const isRefusal = status !== undefined && status >= 400 && status < 500;
  return isRefusal ? earlierUnknown : true;
}
