import { eventCatalogue, isEventName } from "@hookwright/domain";
import type { OwnEvents } from "@hookwright/domain";
import { mockApi } from "../../src/mock-api.ts";
import type { Side } from "./side.ts";

export function openMockSide(
  now: () => number,
  options: { readonly events?: OwnEvents | undefined } = {},
): Side {
  const api = mockApi({ baseUrl: "http://api.example", seed: { projects: [] }, now, ...options });
  return {
    key: api.apiKey,
    fetch: api.fetch,
    changeAccount: async (account) => api.add({ account }),
    addProject: async (id, name, timezone) => api.add({ projects: [{ id, name, timezone }] }),
    addEmailList: async (id, projectId, name) =>
      api.add({ emailLists: [{ id, project_id: projectId, name }] }),
    publish: async (event, projectId, fields) => {
      const data = { ...(isEventName(event) && eventCatalogue[event].sampleData), ...fields };
      api.add({ events: [{ event, project_id: projectId, data }] });
    },
    suppress: async (email) => api.add({ suppressions: [email] }),
    unsubscribe: async (projectId, email) =>
      api.add({ subscribers: [{ project_id: projectId, email, status: "unsubscribed" }] }),
    revokeKey: async () => api.revokeApiKey(),
    [Symbol.asyncDispose]: async () => {},
  };
}
