import { StorageError, type StorageErrorCode } from "../storage-error.ts";

/** Thrown by a contract case if the store does not fulfil it. */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation";
}

export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepEqual(actual, expected)) {
    throw new ContractViolation(`${what}: expected ${show(expected)}, got ${show(actual)}`);
  }
}

export function assertTrue(condition: boolean, what: string): void {
  if (!condition) throw new ContractViolation(what);
}

/** Asserts that the call fails with a `StorageError` of this code. It may also throw synchronously. */
export async function assertRefused(
  call: () => unknown,
  code: StorageErrorCode,
  what: string,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (error instanceof StorageError && error.code === code) return;
    throw new ContractViolation(`${what}: expected a StorageError "${code}", got ${String(error)}`, {
      cause: error,
    });
  }
  throw new ContractViolation(`${what}: expected a StorageError "${code}", but it was accepted`);
}

export function isDeepEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const leftEntries = Object.entries(left);
  const rightEntries = new Map(Object.entries(right));
  return (
    leftEntries.length === rightEntries.size &&
    leftEntries.every(([name, value]) => rightEntries.has(name) && isDeepEqual(value, rightEntries.get(name)))
  );
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
