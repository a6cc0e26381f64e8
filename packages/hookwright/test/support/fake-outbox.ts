import type { Outbox, OutboxRejection, OutboxRow, RejectedOutboxRow, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";

export interface FakeOutbox extends Outbox {
  /** The rows, in any order. */
  readonly rows: OutboxRow[];
  readonly rejections: OutboxRejection[];
  /** Adds a row as a transaction of a host does, which notifies only a relay that sleeps. */
  commit(id: number, record: string): void;
  /** Adds a row and notifies. */
  add(id: number, record: string, more?: Partial<OutboxRow>): void;
  /** Ends the session, as a lost connection does. */
  lose(): void;
  /** Errors of the next calls. */
  failNext(call: "readState" | "openSession" | "read" | "reject" | "remove", error: Error): void;
  readonly sessions: number;
  readonly reads: number;
  /** Reads of a relay that polls, and is not notified. */
  readonly awakeReads: number;
  /** Called at the start of each read. */
  onRead: () => void;
}

const toRow = (id: number, record: string): OutboxRow => ({
  id: String(id),
  event: "order.created",
  projectId: "site_1",
  data: JSON.stringify({ id: record, number: id }),
});

/** An outbox in memory. */
export function createFakeOutbox(): FakeOutbox {
  const rows: OutboxRow[] = [];
  const rejections: OutboxRejection[] = [];
  /** With their rows, newest first. */
  const rejectedRows: RejectedOutboxRow[] = [];
  let lastId = 1_000;
  const failures = new Map<string, Error[]>();
  let listener: Parameters<Outbox["openSession"]>[0] | undefined;
  let sessions = 0;
  let reads = 0;
  let awakeReads = 0;
  let isAsleep = true;

  function takeFailure(call: string): void {
    const error = failures.get(call)?.shift();
    if (error !== undefined) throw error;
  }

  function remove(ids: readonly string[]): void {
    for (const id of ids) {
      const at = rows.findIndex((row) => row.id === id);
      if (at >= 0) rows.splice(at, 1);
    }
  }

  const outbox: FakeOutbox = {
    onRead() {},
    identity: "fake",
    schema: "hookwright",
    rows,
    rejections,
    get sessions() {
      return sessions;
    },
    get reads() {
      return reads;
    },
    get awakeReads() {
      return awakeReads;
    },
    commit(id, record) {
      rows.push(toRow(id, record));
      if (isAsleep && listener?.notify !== false) listener?.onRows();
    },
    add(id, record, more = {}) {
      rows.push({ ...toRow(id, record), ...more });
      if (listener?.notify !== false) listener?.onRows();
    },
    lose() {
      const lost = listener;
      listener = undefined;
      lost?.onLost();
    },
    failNext(call, error) {
      failures.set(call, [...(failures.get(call) ?? []), error]);
    },
    async openSession(given) {
      takeFailure("openSession");
      if (listener !== undefined) return undefined;
      listener = given;
      sessions += 1;
      return {
        maximumBytes: 1_048_576,
        async read({ after, limit, isAwake = false }) {
          reads += 1;
          if (isAwake) awakeReads += 1;
          isAsleep = !isAwake;
          outbox.onRead();
          takeFailure("read");
          return rows
            .filter(({ id }) => BigInt(id) > BigInt(after))
            .toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
            .slice(0, limit);
        },
        [Symbol.dispose]() {
          if (listener === given) listener = undefined;
        },
      };
    },
    async reject(given) {
      takeFailure("reject");
      rejections.push(...given);
      for (const { id, code, message } of given) {
        const row = rows.find((each) => each.id === id);
        if (row === undefined) continue;
        const at = Date.parse("2026-11-20T09:30:00Z");
        rejectedRows.unshift({ ...row, key: `${id}-1`, code, message, createdAt: at, rejectedAt: at });
      }
      remove(given.map(({ id }) => id));
    },
    rejected: {
      async list({ before, limit }) {
        const start = rejectedRows.findIndex(({ key }) => key === before) + 1;
        return rejectedRows.slice(start, start + limit);
      },
      get: async (key) => rejectedRows.find((row) => row.key === key),
      async retry(key, { projectId, data }) {
        const at = rejectedRows.findIndex((row) => row.key === key);
        const [row] = at < 0 ? [] : rejectedRows.splice(at, 1);
        if (row === undefined) return undefined;
        const { event, traceParent, eventId } = row;
        const id = String((lastId += 1));
        rows.push({ id, event, projectId, data: data ?? row.data, traceParent, eventId });
        listener?.onRows();
        return id;
      },
      async remove(key) {
        const at = rejectedRows.findIndex((row) => row.key === key);
        if (at >= 0) rejectedRows.splice(at, 1);
        return at >= 0;
      },
      count: async (limit) => Math.min(limit, rejectedRows.length),
    },
    async remove(ids) {
      takeFailure("remove");
      remove(ids);
    },
    async removeOfProjects() {
      throw new Error("no test removes an account");
    },
    readOver: async () => undefined,
    async readState() {
      takeFailure("readState");
      const [oldest] = rows.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)));
      return {
        oldest: oldest === undefined ? undefined : { id: oldest.id, seconds: 90 },
        relay:
          listener === undefined
            ? undefined
            : { session: "4711", program: "hookwright", address: "10.0.0.7" },
      };
    },
    oldestSeconds: async () => 0,
  };
  return outbox;
}

/** A store in memory whose commits take rows of the outbox, as those of PostgreSQL do. */
export function memoryStoreWith(outbox: FakeOutbox): Store {
  const store = memoryStore();
  return {
    ...store,
    outbox,
    async commit(partition, { takes = [], ...commit }) {
      const committed = await store.commit(partition, commit);
      if (committed.ok) await outbox.remove(takes);
      return committed;
    },
  };
}
