import { memoryStore } from "@hookwright/storage/memory";
import { expect, expectTypeOf, it } from "vitest";
import { createHookwright } from "../src/index.ts";
import type {
  AccountInput,
  BlogPostInput,
  Caller,
  ContactInputBody,
  DeliveryFilters,
  EmailListInput,
  ErasureInput,
  ErrorCode,
  EventName,
  Hookwright,
  HostAccount,
  ConsoleLinkInput,
  HostAccounts,
  HostApiKeys,
  HostBlogPosts,
  HostContacts,
  HostDeliveries,
  HostEmailLists,
  HostErasures,
  HostEventTypes,
  HostOrders,
  HostPage,
  HostProjects,
  HostSessions,
  HostSubscriberInput,
  HostSubscribers,
  HostSuppressions,
  HostWebhooks,
  LinkCodeInput,
  Order,
  ProjectInput,
  PublishInput,
  RecordUseCases,
  RecoveryInput,
  Scheduler,
  SchedulerStats,
  SignInInput,
  SubscriberInputBody,
  SuppressionInput,
  WebhookCreation,
  WebhookInputBody,
} from "../src/index.ts";

const openHookwright = () =>
  createHookwright({ store: memoryStore(), secret: "a test secret of 32 characters!!", role: "api" });

it("every function declares its input", () => {
  expectTypeOf<Hookwright["accounts"]["put"]>().parameter(1).toEqualTypeOf<AccountInput>();
  expectTypeOf<Hookwright["projects"]["put"]>().parameter(1).toEqualTypeOf<ProjectInput>();
  expectTypeOf<Hookwright["emailLists"]["put"]>().parameter(1).toEqualTypeOf<EmailListInput>();
  expectTypeOf<Hookwright["webhooks"]["create"]>().parameter(1).toEqualTypeOf<WebhookInputBody>();
  expectTypeOf<Hookwright["webhooks"]["recover"]>().parameter(2).toEqualTypeOf<RecoveryInput>();
  expectTypeOf<Hookwright["webhooks"]["recoverAny"]>().parameter(1).toEqualTypeOf<RecoveryInput>();
  expectTypeOf<Hookwright["contacts"]["write"]>().parameter(1).toEqualTypeOf<ContactInputBody>();
  expectTypeOf<Hookwright["erasures"]["start"]>().parameter(1).toEqualTypeOf<ErasureInput>();
  expectTypeOf<Hookwright["subscribers"]["subscribe"]>().parameter(1).toEqualTypeOf<SubscriberInputBody>();
  expectTypeOf<Hookwright["subscribers"]["put"]>().parameter(2).toEqualTypeOf<HostSubscriberInput>();
  expectTypeOf<Hookwright["suppressions"]["put"]>().parameter(1).toEqualTypeOf<SuppressionInput>();
  expectTypeOf<Hookwright["blogPosts"]["create"]>().parameter(1).toEqualTypeOf<BlogPostInput>();
  expectTypeOf<Hookwright["sessions"]["create"]>().parameter(0).toEqualTypeOf<SignInInput>();
  expectTypeOf<Hookwright["sessions"]["createLink"]>()
    .parameter(1)
    .toEqualTypeOf<ConsoleLinkInput | undefined>();
  expectTypeOf<Hookwright["sessions"]["exchangeLink"]>().parameter(0).toEqualTypeOf<LinkCodeInput>();
  expectTypeOf<Hookwright["publishMany"]>().parameter(0).toEqualTypeOf<readonly PublishInput[]>();
});

it("no function of the host takes an unknown type", () => {
  type Functions<Group> = Extract<Group[keyof Group], (...parameters: never[]) => unknown>;
  type Groups = Exclude<
    keyof Hookwright,
    "app" | "scheduler" | "fetch" | "handler" | "answerClientError" | "close"
  >;
  type Taken<Group> = Parameters<Functions<Group>>[number];
  type IsUnknown<Value> = unknown extends Value ? true : false;
  type TakesUnknown = { [Name in Groups]: IsUnknown<Taken<Hookwright[Name]>> }[Groups];
  expectTypeOf<TakesUnknown>().toEqualTypeOf<false>();
});

it("the compiler finds the errors that a call would have", async () => {
  await using hookwright = await openHookwright();
  const { accounts, projects, apiKeys } = hookwright;
  // @ts-expect-error a number is no account
  await expect(accounts.put("acc_1", 42)).rejects.toMatchObject({ code: "validation_failed" });
  // @ts-expect-error a status that there is not
  await expect(accounts.put("acc_1", { status: "gone" })).rejects.toMatchObject({
    code: "validation_failed",
  });
  // @ts-expect-error a field that is misspelt
  await expect(accounts.put("acc_1", { emial: "a@example.com" })).rejects.toThrow("email: is required");
  // @ts-expect-error nothing at all
  await expect(projects.put("site_1")).rejects.toMatchObject({ code: "validation_failed" });
  // @ts-expect-error a key has a name
  await expect(apiKeys.create("acc_1", { integration: true })).rejects.toThrow("name: is required");
  // @ts-expect-error a field of the plan that is misspelt
  await accounts.put("acc_1", { email: "a@example.com", plan: { integration: false } });
});

it("a returned value fits into a call, and optional fields may be null", async () => {
  await using hookwright = await openHookwright();
  const { account } = await hookwright.accounts.put("acc_1", { email: "a@example.com", name: null });
  expectTypeOf(account).toEqualTypeOf<HostAccount>();
  const again = await hookwright.accounts.put("acc_1", account);
  expect(again).toEqual({ account, created: false });
});

it("a webhook accepts known events, which editors complete, and any text", () => {
  expectTypeOf<EventName>().toExtend<WebhookInputBody["event"]>();
  expectTypeOf<string>().toExtend<WebhookInputBody["event"]>();
});

it("all types that a host receives have exported names", () => {
  interface Named {
    accounts: HostAccounts;
    projects: HostProjects;
    emailLists: HostEmailLists;
    apiKeys: HostApiKeys;
    webhooks: HostWebhooks;
    orders: HostOrders;
    deliveries: HostDeliveries;
    eventTypes: HostEventTypes;
    contacts: HostContacts;
    erasures: HostErasures;
    subscribers: HostSubscribers;
    suppressions: HostSuppressions;
    blogPosts: HostBlogPosts;
    sessions: HostSessions;
    records: RecordUseCases;
    scheduler: Pick<Scheduler, "running" | "stats">;
  }
  expectTypeOf<Pick<Hookwright, keyof Named>>().toExtend<Readonly<Named>>();
  expectTypeOf<Hookwright["orders"]["get"]>().returns.resolves.toEqualTypeOf<Order>();
  expectTypeOf<Hookwright["orders"]["list"]>().parameter(2).toEqualTypeOf<HostPage | undefined>();
  expectTypeOf<Hookwright["deliveries"]["list"]>().parameter(1).toEqualTypeOf<DeliveryFilters>();
  expectTypeOf<Caller>().toExtend<Parameters<Hookwright["webhooks"]["create"]>[0]>();
  expectTypeOf<Hookwright["scheduler"]["stats"]>().toEqualTypeOf<SchedulerStats>();
});

it("a new webhook has its secret, and an existing one has none", async () => {
  await using hookwright = await openHookwright();
  await hookwright.accounts.put("acc_1", { email: "a@example.com" });
  const caller = { accountId: "acc_1", credential: { type: "console" } } as const;
  const create = () =>
    hookwright.webhooks.create(caller, { event: "order.paid", target_url: "https://example.com/" });
  expectTypeOf(create).returns.resolves.toEqualTypeOf<WebhookCreation>();
  const first = await create();
  if (first.created) expectTypeOf(first.webhook.signing_secret).toEqualTypeOf<string>();
  expect(first).toMatchObject({
    created: true,
    webhook: { signing_secret: expect.stringMatching(/^whsec_/u) },
  });
  const second = await create();
  expect(second.created).toBe(false);
  expect(second.webhook).not.toHaveProperty("signing_secret");
});

it("an event to publish has a known name, and an error has a known code", () => {
  expectTypeOf<PublishInput["event"]>().toEqualTypeOf<EventName>();
  type Published = Awaited<ReturnType<Hookwright["publishMany"]>>[number];
  type Refused = Extract<Published, { readonly error: unknown }>;
  expectTypeOf<Refused["error"]["code"]>().toEqualTypeOf<ErrorCode>();
});
