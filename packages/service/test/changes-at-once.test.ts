import type { WebhookHealthRow } from "@hookwright/delivery";
import { sampleDeliveryBody } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { expect, it } from "vitest";
import type { Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";

const email = "ada@example.com";

async function openSite(plan: object = {}): Promise<Service> {
  const { service } = openService();
  await service.accounts.put("acc_1", { email: "owner@example.com", plan });
  await service.projects.put("site_1", { account_id: "acc_1" });
  await service.contacts.write("acc_1", { project_id: "site_1", email });
  await service.subscribers.put("site_1", email, {});
  return service;
}

type Change = (service: Service, fields: object) => Promise<unknown>;

it.each<[what: string, change: Change, fields: readonly object[]]>([
  [
    "an account",
    async ({ accounts }, fields) => (await accounts.put("acc_1", fields)).account,
    [{ name: "Bakery" }, { timezone: "Europe/London" }, { demo: true }],
  ],
  [
    "a site",
    async ({ projects }, fields) => (await projects.put("site_1", fields)).project,
    [{ name: "Shop" }, { timezone: "Europe/London" }],
  ],
  [
    "a contact",
    async ({ contacts }, fields) =>
      (await contacts.write("acc_1", { project_id: "site_1", email, ...fields })).contact,
    [{ name: "Ada" }, { phone: "+44 1" }, { notes: "likes rye" }],
  ],
  [
    "a subscriber",
    async ({ subscribers }, fields) => (await subscribers.put("site_1", email, fields)).subscriber,
    [{ name: "Ada" }, { status: "unsubscribed" }, { tags: ["vip"] }],
  ],
])("concurrent changes of %s do not undo each other", async (_, change, fields) => {
  const service = await openSite();
  await Promise.all(fields.map((each) => change(service, each)));
  expect(await change(service, {})).toMatchObject(Object.assign({}, ...fields));
});

it("concurrent posts do not exceed the plan limit of a project", async () => {
  const service = await openSite({ blog_posts_per_site: 3 });
  const drafts = await Promise.allSettled(
    Array.from({ length: 8 }, (_, number) =>
      service.blogPosts.create("acc_1", { project_id: "site_1", title: `Post ${number}` }),
    ),
  );
  const refused = drafts.filter(({ status }) => status === "rejected");
  expect(refused).toMatchObject(
    Array.from({ length: 5 }, () => ({ reason: { code: "plan_limit_reached" } })),
  );
});

it("two concurrent creations of a project or list create one", async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const { service } = openService({
    wrap: (store) => ({
      ...store,
      async commit(partition, commit) {
        // After the commit that claims the id.
        const isRow = commit.mutations.some(({ key }) => key[1] === "project" || key[1] === "email-list");
        const first = isRow ? meanwhile : undefined;
        if (isRow) meanwhile = undefined;
        await first?.();
        return store.commit(partition, commit);
      },
    }),
  });
  const { accounts, projects, emailLists } = service;
  await accounts.put("acc_1", { email: "owner@example.com" });
  const createSite = () => projects.put("site_1", { account_id: "acc_1" });
  const createList = () => emailLists.put("lst_1", { project_id: "site_1" });
  for (const create of [createSite, createList]) {
    meanwhile = create;
    expect((await create()).created).toBe(false);
  }
  expect((await projects.list("acc_1", { limit: 10 })).rows).toHaveLength(1);
  expect((await emailLists.list("acc_1", {}, { limit: 10 })).rows).toHaveLength(1);
});

it("two concurrent removals remove a record once", async () => {
  const { records, publish } = await openSite();
  const data = { ...sampleDeliveryBody("order.created").data, id: "ord_1" };
  await publish({ event: "order.created", project_id: "site_1", data });
  const removed = await Promise.allSettled([1, 2].map(() => records.remove("acc_1", "orders", "ord_1")));
  expect(removed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(removed.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "resource_not_found" },
  });
});

it("a webhook can be paused and resumed while its deliveries are recorded all the time", async () => {
  let recorded = 0;
  let webhookId = "";
  const { service } = openService({
    wrap: (store) => ({
      ...store,
      async commit(partition, commit) {
        recorded += 1;
        const health: WebhookHealthRow = {
          consecutive_failures: 0,
          last_success_at: recorded,
          last_failure_at: null,
          last_warning_at: null,
        };
        const key = [partitionOf("acc_1"), "webhook-health", "acc_1", webhookId] as const;
        if (webhookId !== "")
          await store.commit(partition, {
            mutations: [{ type: "set", key, value: JSON.stringify(health) }],
          });
        return store.commit(partition, commit);
      },
    }),
  });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  const { webhook } = await service.webhooks.create(
    { accountId: "acc_1", credential: { type: "console" } },
    { event: "order.created", target_url: "https://example.com/hooks" },
  );
  webhookId = webhook.id;
  expect((await service.webhooks.pause("acc_1", webhookId)).status).toBe("paused");
  expect((await service.webhooks.resume("acc_1", webhookId)).status).toBe("active");
});
