import type { Resend } from "@hookwright/domain";
import { accountId } from "./fake-world.ts";
import { openRecoveries } from "./open-recoveries.ts";
import type { Recoveries } from "./open-recoveries.ts";

export const owner = { accountId, credential: { type: "console" } } as const;

/** The URLs of the webhooks. The first one is that of `openRecoveries`. */
export const urls = ["hook", "hook_2", "hook_3"].map((path) => `https://example.com/${path}`);

/** Three webhooks of one event. */
export async function openThree(options?: Parameters<typeof openRecoveries>[0]) {
  const opened = await openRecoveries(options);
  const ids = [opened.webhookId];
  for (const target_url of urls.slice(1)) {
    const { webhook } = await opened.service.webhooks.create(owner, { event: "order.created", target_url });
    ids.push(webhook.id);
  }
  return { opened, webhookIds: ids, ...toJobs(opened) };
}

function toJobs({ service, world }: Recoveries) {
  const finish = async (job: Resend): Promise<Resend> => {
    for (let step = 0; step < 1_200; step++) {
      await world.clock.advance(500);
      const now = await service.resends.get(accountId, job.id);
      if (now.status !== "running") return now;
    }
    throw new Error(`job ${job.id} never ends: ${String(world.errors.at(-1))}`);
  };
  return {
    start: (filter: object, others: object = {}) => service.resends.start(accountId, { filter, ...others }),
    finish,
    run: async (filter: object, others: object = {}) =>
      finish(await service.resends.start(accountId, { filter, ...others })),
    preview: (filter: object, others: object = {}) =>
      service.resends.preview(accountId, { filter, ...others }),
    log: async (limit = 100) => (await service.deliveries.list(accountId, {}, { limit })).rows,
  };
}

/** How often each URL got each record since the last call. */
export function timesSent({ world }: Recoveries, from = 0): Map<string, number> {
  const times = new Map<string, number>();
  for (const { targetUrl, body } of world.transport.sent.slice(from)) {
    const { data }: { readonly data: { readonly id: string } } = JSON.parse(body);
    const name = `${targetUrl} ${data.id}`;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  return times;
}
