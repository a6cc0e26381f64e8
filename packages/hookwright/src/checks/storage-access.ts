import { endsWithin, systemClock } from "@hookwright/delivery";
import { ConfigurationError } from "@hookwright/domain";
import type { Store, StorageFacts } from "@hookwright/storage";
import { storeProblem } from "../options/store-problem.ts";

/** The storage as checks use it. It is opened at most once. */
export interface StorageAccess extends AsyncDisposable {
  /** @throws the error of the program's function */
  open(): Promise<Store>;
  /** Undefined until it is open. */
  readonly store: () => Store | undefined;
  /** Undefined: the storage tells nothing. */
  readonly facts: () => Promise<StorageFacts | undefined>;
}

/** A storage that does not answer must not hold the results. */
const closeMs = 5_000;

/** @param given an open store, which its owner closes, or a function that opens one, which is closed here */
export function createStorageAccess(given: Store | (() => Promise<Store>)): StorageAccess {
  let store = typeof given === "function" ? undefined : given;
  let opening: Promise<Store> | undefined;
  let facts: Promise<StorageFacts | undefined> | undefined;

  async function open(): Promise<Store> {
    if (typeof given !== "function") return given;
    opening ??= openStore(given);
    return (store = await opening);
  }

  return {
    open,
    store: () => store,
    facts: () => (facts ??= open().then((opened) => opened.readFacts?.())),
    async [Symbol.asyncDispose]() {
      // One that is opened after its time is closed then.
      const closed = opening?.then(
        (opened) => opened.close(),
        () => {},
      );
      if (closed === undefined) return;
      if (store === undefined) closed.catch(() => {});
      else await endsWithin(closed, { clock: systemClock, ms: closeMs, onFault: () => {} });
    },
  };
}

/** Programs without types may open it at once, or return something else. */
async function openStore(given: () => Promise<Store>): Promise<Store> {
  const opened = await given();
  if (storeProblem(opened) === undefined) return opened;
  throw new ConfigurationError({
    option: "store",
    message: "the function must return a store, such as `() => openFilesystemStore({ directory })`",
  });
}
