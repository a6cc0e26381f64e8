import type { Outbox, OutboxRejection, OutboxRow } from "@hookwright/storage";

export interface FakeOutbox extends Outbox {
  /** The rows, in any order. */
  readonly rows: OutboxRow[];
  readonly rejected: OutboxRejection[];
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
  const rejected: OutboxRejection[] = [];
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
    rejected,
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
    async reject(rejections) {
      takeFailure("reject");
      rejected.push(...rejections);
      remove(rejections.map(({ id }) => id));
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
