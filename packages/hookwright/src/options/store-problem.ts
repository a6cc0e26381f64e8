import type { Store } from "@hookwright/storage";

const functions = ["get", "getMany", "list", "commit", "watch", "close"] as const satisfies (keyof Store)[];

/** Describes why a value is not a store. Undefined if it is one. */
export function storeProblem(store: unknown): string | undefined {
  if (store === undefined || store === null) return "is required. Pass memoryStore() or another store";
  if (isPromise(store))
    return "is a promise. Await it, as in `store: await openFilesystemStore({ directory })`";
  const missing = functions.filter((name) => !hasFunction(store, name));
  if (missing.length === 0) return undefined;
  return `is not a store, because it has no function ${missing.join(", ")}. Pass memoryStore() or another store`;
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return hasFunction(value, "then");
}

function hasFunction(value: unknown, name: string): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return typeof Reflect.get(value, name) === "function";
}
