/**
 * Where a guard keeps what it knows of events. `memoryDuplicates`, `redisDuplicates` and `unstorageDuplicates` are here; a table with a
 * unique column makes another.
 */
export interface DuplicateStorage {
  /**
   * Keeps `mark` under `key` for so many seconds, unless there is one already: that one is answered then. A single step: of two that
   * ask at once, one is answered null.
   */
  claim(key: string, mark: string, seconds: number): Awaitable<string | null | undefined>;
  /** Keeps `mark` for so many seconds, whatever was there. */
  put(key: string, mark: string, seconds: number): Awaitable<unknown>;
  /** Removes `mark`; another one that has taken its place stays. */
  remove(key: string, mark: string): Awaitable<unknown>;
}

export type Awaitable<Value> = Value | PromiseLike<Value>;
