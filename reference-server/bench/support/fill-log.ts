import { createDelivery, endDelivery } from "@hookwright/delivery";
import type { AttemptRow } from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";

const dayMs = 24 * 60 * 60 * 1_000;
const atOnce = 500;

/**
 * Writes this many deliveries to an account's log. They were accepted 31 days ago, one day before the retention limit.
 */
export async function fillLog(
  store: Store,
  { accountId, count }: { readonly accountId: string; readonly count: number },
): Promise<void> {
  const at = Date.now() - 31 * dayMs;
  for (let first = 0; first < count; first += atOnce) {
    const size = Math.min(atOnce, count - first);
    const mutations = Array.from({ length: size }, (_, index) => ended(accountId, first + index, at)).flat();
    await store.commit(partitionOf(accountId), { mutations });
  }
}

function ended(accountId: string, number: number, at: number) {
  const webhook = { id: "wh_bench", target_url: "https://hooks.example.com/orders" };
  const event = "order.created";
  const delivery = createDelivery({
    id: `dlv_${String(number).padStart(32, "0")}`,
    webhook,
    event,
    recordId: `ord_${number}`,
    recordArrival: number,
    projectId: "site_bench",
    kind: "event",
    now: at,
  });
  const attempt: AttemptRow = {
    number: 1,
    started_at: at,
    duration_ms: 20.5,
    request_form: 1,
    signature: `v1=${"0".repeat(64)}`,
    body: { version: number, project_name: "Bench", project_timezone: "UTC" },
    status: 204,
    headers: ["date", new Date(at).toUTCString(), "connection", "keep-alive"],
    excerpt: "",
    error: null,
    detail: null,
    next_attempt_at: null,
  };
  return endDelivery({ accountId, delivery, attempt, endedAt: at }).mutations;
}
