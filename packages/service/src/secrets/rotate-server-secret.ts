import { setTimeout as delay } from "node:timers/promises";
import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { reencryptPartition } from "./reencrypt.ts";
import { createSecretBox, keyIdOf } from "./secret-box.ts";
import type { SecretBox } from "./secret-box.ts";
import {
  bindServerSecret,
  checkRowKey,
  opensCheckRow,
  parseCheckRow,
  renderCheckRow,
} from "./server-secret-match.ts";
import type { ServerSecretMatch, ServerSecretOptions } from "./server-secret-match.ts";

export interface RotateServerSecretOptions extends ServerSecretOptions {
  /** The secrets that the data may be written with. */
  readonly previousSecrets: readonly string[];
  /**
   * Resolves after some seconds, before the last pass: commits in progress end meanwhile. It must keep the process alive.
   *
   * @default 5 s
   */
  readonly settle?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Ends the rotation between two commits. Run it again to continue. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each partition with the rows of the pass so far. */
  readonly onProgress?: ((progress: RotationProgress) => void) | undefined;
}

export interface RotationProgress {
  readonly pass: number;
  readonly rows: number;
  readonly reencrypted: number;
}

export type ServerSecretRotation =
  | {
      readonly ok: true;
      /** Rows with encrypted values: webhooks and listeners. */
      readonly rows: number;
      /** Rows that this run encrypted again. */
      readonly reencrypted: number;
      /** Ids of webhooks with a value that none of the secrets decrypts. They are unchanged. */
      readonly unreadable: readonly string[];
    }
  /** Nothing was changed. `rotating`: a rotation from or to a third secret has not ended. */
  | { readonly ok: false; readonly reason: Exclude<ServerSecretMatch, "same" | "unused"> };

const settleMs = 5_000;

/**
 * Encrypts everything in a store with a new server secret while processes use it. All of them must have been started with both secrets. Then
 * the store accepts the new secret alone.
 *
 * Each commit checks that a row has not changed. After a crash, run it again with the same secrets.
 *
 * @throws HookwrightError `internal_error` after 50 conflicts on a row in a row
 * @throws StorageError
 */
export async function rotateServerSecret(options: RotateServerSecretOptions): Promise<ServerSecretRotation> {
  const { store, secret, previousSecrets, settle = pause, signal } = options;
  const box = createSecretBox({ secret, previousSecrets });
  const match = await bindServerSecret({ store, secret, previousSecrets });
  if (match !== "same") return { ok: false, reason: match };
  if (!(await begin(store, box))) return { ok: false, reason: "other" };
  let reencrypted = 0;
  for (let pass = 1; ; pass++) {
    // A process may have encrypted a value just before the rotation began, and commit it now.
    if (pass === 2) await settle(signal);
    const result = await runPass({ ...options, box, pass });
    reencrypted += result.reencrypted;
    if (pass === 1 || result.reencrypted > 0) continue;
    if (!(await end(store, box))) return { ok: false, reason: "other" };
    return { ok: true, rows: result.rows, reencrypted, unreadable: result.unreadable };
  }
}

/** From now on, processes write with the new secret. */
function begin(store: Store, box: SecretBox): Promise<boolean> {
  return commitUntilDone(store, checkRowKey[0], async () => {
    const value = await store.get(checkRowKey);
    const row = value === undefined ? undefined : parseCheckRow(value);
    if (row === undefined || !opensCheckRow(box, row)) return { result: false };
    const written = keyIdOf(row.sealed);
    if (written === box.keyId) return { result: true };
    const previous = [...new Set([...(row.previous ?? []), written])].filter((each) => each !== box.keyId);
    return {
      commit: {
        checks: [{ key: checkRowKey, value }],
        mutations: [{ type: "set", key: checkRowKey, value: renderCheckRow(box, box.keyId, previous) }],
      },
      result: true,
    };
  });
}

/** From now on, the new secret is enough. False if another rotation has begun meanwhile. */
function end(store: Store, box: SecretBox): Promise<boolean> {
  return commitUntilDone(store, checkRowKey[0], async () => {
    const value = await store.get(checkRowKey);
    const row = value === undefined ? undefined : parseCheckRow(value);
    if (row === undefined || keyIdOf(row.sealed) !== box.keyId) return { result: false };
    if ((row.previous ?? []).length === 0) return { result: true };
    return {
      commit: {
        checks: [{ key: checkRowKey, value }],
        mutations: [{ type: "set", key: checkRowKey, value: renderCheckRow(box, box.keyId) }],
      },
      result: true,
    };
  });
}

interface PassOptions extends Pick<RotateServerSecretOptions, "store" | "signal" | "onProgress"> {
  readonly box: SecretBox;
  readonly pass: number;
}

async function runPass({ store, box, pass, signal, onProgress }: PassOptions) {
  let rows = 0;
  let reencrypted = 0;
  const unreadable: string[] = [];
  for (const partition of partitions) {
    const done = await reencryptPartition({ store, box, partition, signal });
    rows += done.rows;
    reencrypted += done.reencrypted;
    unreadable.push(...done.unreadable);
    onProgress?.({ pass, rows, reencrypted });
  }
  return { rows, reencrypted, unreadable };
}

function pause(signal: AbortSignal | undefined): Promise<void> {
  return delay(settleMs, undefined, signal && { signal });
}
