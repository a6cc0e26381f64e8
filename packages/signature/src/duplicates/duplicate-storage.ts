/**
 * The storage of a guard's marks. This package has `memoryDuplicates`, `redisDuplicates` and
 * `unstorageDuplicates`. A table with a unique column is another option.
 */
export interface DuplicateStorage {
  /**
   * Stores `mark` under `key` for `seconds` and returns null. If there is a mark already, it stays and is returned. This is
   * atomic: of two calls at once, exactly one gets null.
   */
  claim(key: string, mark: string, seconds: number): Awaitable<string | null | undefined>;
  /** Stores `mark` for `seconds`, and replaces any other mark. */
  put(key: string, mark: string, seconds: number): Awaitable<unknown>;
  /** Removes `mark`. If another mark has replaced it, that one stays. */
  remove(key: string, mark: string): Awaitable<unknown>;
}

export type Awaitable<Value> = Value | PromiseLike<Value>;
