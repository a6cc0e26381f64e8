import type { Pool, PoolClient } from "pg";
import { StorageError } from "../storage-error.ts";
import { runStatement, type Parameter, type Row } from "./statement.ts";
import { connectError, isConnectionLost, isTemporary, poolError, statementError } from "./postgres-errors.ts";

/** A connection that is out of the pool. Its errors do not end the process. */
export interface CheckedOut {
  readonly client: PoolClient;
  /** Returns it to the pool, or closes it. */
  release(isBroken: boolean): void;
}

/** Runs statements, each in a transaction of its own. */
export interface Link {
  /** @throws {StorageError} `unavailable`, `corrupted` */
  run(text: string, values: readonly Parameter[]): Promise<readonly Row[]>;
  /** Like {@link Link.run}, for read-only statements. Repeats them once if the connection is lost. */
  read(text: string, values: readonly Parameter[]): Promise<readonly Row[]>;
  /**
   * Takes a connection out of the pool. The caller releases it.
   *
   * @throws {StorageError} `unavailable`, `invalid_argument`
   */
  checkOut(): Promise<CheckedOut>;
  /** Returns the error of a failed statement. It names the server, and what to do. */
  toError(cause: unknown): StorageError;
  /** Resolves when no statement is running. */
  settled(): Promise<void>;
}

const retryDelayMs = 100;
/** Our own pool then reports first whether it has no free connection or the server does not reply. */
const poolMarginMs = 500;

export function createLink(options: {
  readonly pool: Pool;
  readonly serverAddress: string;
  readonly schema: string;
  /** The time limit of a statement, and of waiting for a connection. */
  readonly timeoutMs: number;
}): Link {
  const { pool, serverAddress, schema, timeoutMs } = options;
  const running = new Set<Promise<unknown>>();
  let downSince: number | undefined;
  let role = "";

  /** In a short outage statements wait for a connection. In a long one they fail at once. */
  async function checkOut(): Promise<CheckedOut> {
    const begunAt = performance.now();
    for (;;) {
      try {
        const checkedOut = await takeClient(pool, serverAddress, timeoutMs + poolMarginMs);
        downSince = undefined;
        role = checkedOut.client.user ?? role;
        return checkedOut;
      } catch (error) {
        if (error instanceof StorageError) throw error;
        downSince ??= begunAt;
        if (!isTemporary(error) || performance.now() - downSince >= timeoutMs)
          throw connectError(serverAddress, error);
        await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
      }
    }
  }

  const toError = (cause: unknown): StorageError => statementError({ serverAddress, schema, role }, cause);

  async function attempt(text: string, values: readonly Parameter[]): Promise<readonly Row[]> {
    const { client, release } = await checkOut();
    let isBroken = true;
    try {
      const rows = await runStatement(client, text, values, timeoutMs);
      isBroken = false;
      return rows;
    } finally {
      // After an error the connection is closed: it may be broken, busy, or lead to a server that is now a standby.
      release(isBroken);
    }
  }

  async function track<Result>(work: Promise<Result>): Promise<Result> {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  return {
    run: (text, values) =>
      track(attempt(text, values)).catch((error: unknown) => {
        throw toError(error);
      }),
    read: (text, values) =>
      track(
        attempt(text, values).catch((error: unknown) => {
          if (error instanceof StorageError || !isConnectionLost(error)) throw error;
          return attempt(text, values);
        }),
      ).catch((error: unknown) => {
        throw toError(error);
      }),
    checkOut,
    toError,
    async settled() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

function ignore(): void {}

/** A pool of the caller may have no time-out. */
function takeClient(pool: Pool, serverAddress: string, timeoutMs: number): Promise<CheckedOut> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    let isSettled = false;
    const timer = setTimeout(() => {
      // After a blocked event loop, timers run before the connections that became free meanwhile.
      setImmediate(() => {
        if (isSettled) return;
        isLate = true;
        reject(poolError(serverAddress, timeoutMs));
      });
    }, timeoutMs);
    // The callback runs before the next event of the connection, a promise after it. An `error` event without a listener ends
    // the process.
    pool.connect((error, client) => {
      isSettled = true;
      clearTimeout(timer);
      if (client === undefined) {
        const isFull = error?.message.startsWith("timeout exceeded when trying") === true;
        return reject(isFull ? poolError(serverAddress, timeoutMs) : error);
      }
      if (isLate) return client.release();
      client.on("error", ignore);
      return resolve({
        client,
        release(isBroken) {
          client.off("error", ignore);
          client.release(isBroken);
        },
      });
    });
  });
}
