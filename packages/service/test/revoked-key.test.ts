import { partitionOf } from "@hookwright/storage";
import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

/** An account with a key. A test may act before the rows of a webhook are written, or after webhooks are listed. */
async function openAccount() {
  let beforeCommit: (() => Promise<unknown>) | undefined;
  let afterList: (() => Promise<unknown>) | undefined;
  const { service } = openService({
    wrap: (store) => ({
      ...store,
      async list(options) {
        const entries = await store.list(options);
        const act = options.prefix[1] === "webhook" ? afterList : undefined;
        if (act !== undefined) afterList = undefined;
        await act?.();
        return entries;
      },
      async commit(partition, commit) {
        const act = commit.mutations.some(({ key }) => key[1] === "webhook") ? beforeCommit : undefined;
        beforeCommit = undefined;
        await act?.();
        return store.commit(partition, commit);
      },
    }),
  });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  const key = await service.apiKeys.create("acc_1", { name: "a tool" });
  const caller = await service.authenticate(key.api_key);
  return {
    service,
    caller,
    revoke: () => service.apiKeys.revoke(key.id),
    atCommit: (act: () => Promise<unknown>) => (beforeCommit = act),
    whenListed: (act: () => Promise<unknown>) => (afterList = act),
  };
}

const input = { event: "order.paid", target_url: "https://example.com/hook" };

it.each(["before its webhook is prepared", "while its webhook is written"])(
  "a key that is revoked %s leaves no webhook",
  async (when) => {
    const { service, caller, revoke, atCommit } = await openAccount();
    if (when.startsWith("before")) await revoke();
    else atCommit(revoke);
    await expect(service.webhooks.create(caller, input)).rejects.toMatchObject({ code: "invalid_api_key" });
    expect((await service.webhooks.list("acc_1", { limit: 10 })).rows).toEqual([]);
  },
);

it("revoking a key removes its webhook", async () => {
  const { service, caller, revoke } = await openAccount();
  await service.webhooks.create(caller, input);
  expect((await service.webhooks.list("acc_1", { limit: 10 })).rows).toHaveLength(1);
  await revoke();
  expect((await service.webhooks.list("acc_1", { limit: 10 })).rows).toEqual([]);
});

it.each([0, 1])(
  "a webhook that is added while the %i of its key are removed is removed too",
  async (count) => {
    const { service, caller, revoke, whenListed } = await openAccount();
    for (let number = 0; number < count; number++)
      await service.webhooks.create(caller, { ...input, target_url: `https://example.com/${number}` });
    whenListed(() => service.webhooks.create(caller, input));
    await revoke();
    expect((await service.webhooks.list("acc_1", { limit: 10 })).rows).toEqual([]);
  },
);

it("revoking a key removes the notice that it ends", async () => {
  const { service, store } = openService();
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  const expires_at = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString();
  const { id } = await service.apiKeys.create("acc_1", { name: "a tool", expires_at });
  const notices = () => store.list({ prefix: [partitionOf("acc_1"), "notice"], limit: 10 });
  expect(await notices()).toHaveLength(1);
  await service.apiKeys.revoke(id);
  expect(await notices()).toEqual([]);
});
