import { readLedger, sumPoints } from "@hookwright/delivery";
import type { DeliveryRow, LedgerCounts } from "@hookwright/delivery";
import type { Missed } from "./watch-store.ts";
import type { Judged } from "./judged.ts";
import { accountIds, siteOf } from "./operations.ts";
import type { Simulation } from "./simulation.ts";

const hourMs = 60 * 60_000;
/** The clock of a process may be ahead. */
const aheadMs = 60_000;
const periods = [
  { stepSeconds: 60, lengthMs: hourMs },
  { stepSeconds: 900, lengthMs: 24 * hourMs },
  { stepSeconds: 3_600, lengthMs: 7 * 24 * hourMs },
  { stepSeconds: 21_600, lengthMs: 30 * 24 * hourMs },
];

type Numbers = Omit<LedgerCounts, "durations">;

/** The ledger must say what happened, in each of its steps. Webhooks add up to their site, and sites to the account. */
export async function findWrongLedger(
  { store, history, network }: Simulation,
  all: readonly Judged[],
): Promise<string[]> {
  const breaches: string[] = [];
  const now = network.clock.now() + aheadMs;
  for (const accountId of accountIds) {
    const own = all.filter((one) => one.accountId === accountId);
    const missed = history.missed.filter((one) => one.accountId === accountId);
    const webhookIds = [
      ...new Set([...own.map(({ row }) => row.webhook_id), ...missed.map((one) => one.webhookId)]),
    ];
    for (const { stepSeconds, lengthMs } of periods) {
      const query = { accountId, webhookIds, since: now - lengthMs, until: now + 1, stepSeconds, now };
      const { since, all: points, byWebhook } = await readLedger(store, query);
      const truth = (id?: string): readonly Numbers[] =>
        toTruth(
          own.filter(({ row }) => atOf(row) >= since && (id ?? row.webhook_id) === row.webhook_id),
          missed.filter(({ at, webhookId }) => at >= since && (id ?? webhookId) === webhookId),
          own,
        );
      const ofSite = await readLedger(store, {
        ...query,
        webhookIds: undefined,
        projectId: siteOf(accountId),
      });
      const sums = [
        ["all", sumPoints(points), truth()],
        ["site", sumPoints(ofSite.all), truth()],
        ...webhookIds.map((id) => [id, sumPoints(byWebhook.get(id) ?? []), truth(id)] as const),
      ] as const;
      for (const [name, { durations, ...counted }, possible] of sums) {
        if (durations.reduce((sum, count) => sum + count, 0) !== counted.attempts)
          breaches.push(`ledger of ${accountId}, ${name}, ${stepSeconds} s: durations without attempts`);
        if (!possible.some((one) => isSame(one, counted)))
          breaches.push(
            `ledger of ${accountId}, ${name}, ${stepSeconds} s: ${JSON.stringify(counted)} is not ${JSON.stringify(possible)}`,
          );
      }
    }
  }
  return breaches;
}

function isSame(one: Numbers, other: Numbers): boolean {
  return Object.entries(one).every(([name, value]) =>
    Object.entries(other).some((pair) => pair[0] === name && pair[1] === value),
  );
}

/** If the first delivery of an event was swept before a resend was accepted, both numbers are possible. */
function toTruth(
  own: readonly Judged[],
  missed: readonly Missed[],
  everything: readonly Judged[],
): readonly Numbers[] {
  const published = own.filter(({ row }) => row.kind === "event");
  const events = published.filter(({ row }) => row.missed_at === undefined);
  const madeUp = published.filter(({ row }) => row.missed_at !== undefined);
  const attempts = events.flatMap(({ row }) => row.attempts);
  const count = (isLate: boolean): Numbers => {
    const ended = { pending: 0, delivered: 0, failed: 0, cancelled: 0 };
    for (const event of events) ended[outcomeOf(event, everything, isLate)] += 1;
    const accepted = madeUp.filter((one) => outcomeOf(one, everything, isLate) === "delivered").length;
    return {
      ...ended,
      delivered: ended.delivered + accepted,
      due: events.length + missed.length,
      notSent: missed.length - accepted,
      retried: attempts.filter(({ number }) => number > 1).length,
      attempts: attempts.length,
      failedAttempts: attempts.filter(({ error }) => error !== null).length,
      firstAccepted: attempts.filter(({ number, error }) => number === 1 && error === null).length,
    };
  };
  return [count(false), count(true)];
}

/** When the event was published. */
function atOf({ missed_at, created_at }: DeliveryRow): number {
  return missed_at ?? created_at;
}

function outcomeOf(
  { row, sweptAt = Number.POSITIVE_INFINITY }: Judged,
  all: readonly Judged[],
  isLate: boolean,
): DeliveryRow["status"] {
  const isMoved = all.some(
    ({ row: other }) =>
      other.kind === "resend" &&
      other.status === "delivered" &&
      (other.root ?? other.resent_from) === row.id &&
      (isLate || (other.completed_at ?? 0) < sweptAt),
  );
  return isMoved ? "delivered" : row.status;
}
