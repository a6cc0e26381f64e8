import { eventCatalogue, isEventName } from "@hookwright/domain";
import type { OwnEvents } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import type { HookwrightOptions, PublishInput } from "hookwright";
import type { Side } from "./side.ts";

/** The service with a memory store. */
export async function openRealSide(
  now: () => number,
  options: Partial<HookwrightOptions<OwnEvents>> = {},
): Promise<Side> {
  const hookwright = await createHookwright({
    store: memoryStore({ now }),
    secret: "s".repeat(32),
    rateLimitPerMinute: 1_000_000,
    role: "api",
    // Without pages, as in the mock.
    developerSite: false,
    now,
    ...options,
  });
  await hookwright.accounts.put("acc_1", {
    name: "Analytical Bakery",
    email: "owner@example.com",
    timezone: "Europe/London",
  });
  const { id, api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "test" });
  return {
    key,
    fetch: (request) => hookwright.fetch(request),
    changeAccount: async (change) => void (await hookwright.accounts.put("acc_1", change)),
    addProject: async (projectId, name, timezone) =>
      void (await hookwright.projects.put(projectId, { account_id: "acc_1", name, timezone })),
    addEmailList: async (listId, projectId, name) =>
      void (await hookwright.emailLists.put(listId, { project_id: projectId, name })),
    publish: async (event, projectId, data) => {
      const sent = { ...(isEventName(event) && eventCatalogue[event].sampleData), ...data };
      // Through JSON, because the types of `data` and its event are not connected.
      const input: PublishInput = JSON.parse(JSON.stringify({ event, project_id: projectId, data: sent }));
      await hookwright.publish(input);
    },
    suppress: async (email) => void (await hookwright.suppressions.put(email, { reason: "bounced" })),
    unsubscribe: async (projectId, email) =>
      void (await hookwright.subscribers.put(projectId, email, { status: "unsubscribed" })),
    revokeKey: async () => void (await hookwright.apiKeys.revoke(id)),
    [Symbol.asyncDispose]: () => hookwright.close(),
  };
}
