import { expect, it } from "vitest";
import { hasRight, keyRights, rightsOfRole, roles } from "@hookwright/domain";
import type { KeyRight, NeededRight, Right } from "@hookwright/domain";
import { selectRoutes } from "../../../api/src/routes/select-routes.ts";
import type { Route } from "../../../api/src/routing/route.ts";
import type { Hookwright } from "../../src/create-hookwright.ts";
import { inOrder, nameOf } from "../support/walk-routes.ts";
import { openWorld } from "./support/open-world.ts";
import { memory } from "./support/storages.ts";

interface Holder {
  readonly name: string;
  readonly token: string;
  readonly rights: readonly Right[];
  readonly isKey: boolean;
}

/** `["read"]`, `["read", "webhooks"]` … */
function subsets(all: readonly KeyRight[]): readonly (readonly KeyRight[])[] {
  return Array.from({ length: 2 ** all.length - 1 }, (_, number) =>
    all.filter((_right, bit) => ((number + 1) >> bit) % 2 === 1),
  );
}

/** What the contract says, beside what the routes say. */
const promised: Readonly<Record<string, NeededRight>> = {
  "GET /v1/me": "any",
  "GET /v1/event-types": "any",
  "GET /v1/projects": "read",
  "GET /v1/event-types/{type}/samples": "read",
  "GET /v1/contacts": "read",
  "GET /v1/contacts/{id}": "read",
  "GET /v1/email-lists": "read",
  "GET /v1/orders": "read",
  "GET /v1/orders/{id}": "read",
  "POST /v1/contacts": "write",
  "POST /v1/subscribers": "write",
  "POST /v1/blog-posts": "write",
  "GET /v1/webhooks": ["read", "webhooks"],
  "GET /v1/webhooks/{id}": ["read", "webhooks"],
  "POST /v1/webhooks": "webhooks",
  "DELETE /v1/webhooks/{id}": "webhooks",
  "GET /developer/v1/event-types": "any",
  "GET /developer/v1/webhooks": ["read", "webhooks"],
  "POST /developer/v1/webhooks": "webhooks",
  "POST /developer/v1/webhooks/{id}/test": "webhooks",
  "POST /developer/v1/webhooks/{id}/pause": "webhooks",
  "POST /developer/v1/webhooks/{id}/resume": "webhooks",
  "GET /developer/v1/deliveries": ["read", "webhooks"],
  "GET /developer/v1/issues": ["read", "webhooks"],
  "PATCH /developer/v1/issues/{id}": "webhooks",
  "GET /developer/v1/deliveries/{id}": ["read", "webhooks"],
  "POST /developer/v1/deliveries/{id}/resend": "webhooks",
  "GET /developer/v1/webhooks/{id}/recoveries": ["read", "webhooks"],
  "POST /developer/v1/webhooks/{id}/recoveries": "webhooks",
  "GET /developer/v1/recoveries/{id}": ["read", "webhooks"],
  "POST /developer/v1/recoveries/{id}/stop": "webhooks",
  "GET /developer/v1/resends": ["read", "webhooks"],
  "POST /developer/v1/resends": "webhooks",
  "GET /developer/v1/resends/{id}": ["read", "webhooks"],
  "POST /developer/v1/resends/{id}/stop": "webhooks",
  "POST /developer/v1/listeners": "webhooks",
  "DELETE /developer/v1/listeners/{id}": "webhooks",
  "GET /developer/v1/listeners/{id}/events": "webhooks",
  "POST /developer/v1/listeners/{id}/events/{delivery}/result": "webhooks",
  "POST /developer/v1/trigger": "webhooks",
};

it("the routes for keys need the rights that the contract names", () => {
  const ofKeys = selectRoutes({}).filter(({ access }) => access === "account");
  expect(Object.fromEntries(ofKeys.map((route) => [nameOf(route), route.right]))).toEqual(promised);
});

/** The status and the error of a request without a body that names nothing that exists. */
async function send({ fetch }: Hookwright, { method, path }: Route, token: string) {
  const response = await fetch(
    new Request(`http://localhost${path.replaceAll(/\{\w+\}/gu, "none")}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    }),
  );
  const { status } = response;
  if (status >= 400) {
    const { error } = await response.json();
    return { status, code: error.code, message: String(error.message) };
  }
  // The stream of a console does not end.
  await response.body?.cancel();
  return { status, code: undefined, message: "" };
}

it("each route takes exactly the rights that it names", async () => {
  const many = 1_000_000_000;
  await using world = await openWorld(memory, {
    rateLimitPerMinute: many,
    consoleRateLimitPerMinute: many,
    sendsPerMinute: many,
  });
  const { hookwright } = world;
  const keys = await Promise.all(
    subsets(keyRights).map(async (rights): Promise<Holder> => {
      const name = rights.join(" ");
      const { api_key: token } = await hookwright.apiKeys.create("acc_1", { name, rights });
      return { name, token, rights, isKey: true };
    }),
  );
  // The owner is last, who ends all sessions.
  const sessions = await Promise.all(
    roles.map(async (role): Promise<Holder> => {
      const { url } = await hookwright.sessions.createLink("acc_1", { role });
      const { token } = await hookwright.sessions.exchangeLink({ code: url.split("/").at(-1) ?? "" });
      return { name: role, token, rights: rightsOfRole[role], isKey: false };
    }),
  );

  const routes = selectRoutes({}).filter(({ access }) => access === "account" || access === "console");
  expect(routes.length).toBeGreaterThan(80);
  const wrong: string[] = [];
  for (const route of inOrder(routes)) {
    const { right = [], access } = route;
    for (const holder of [...keys, ...sessions]) {
      const { status, code, message } = await send(hookwright, route, holder.token);
      const isAllowed = hasRight(holder.rights, right);
      const isWrongKind = access === "console" && holder.isKey;
      const expected = isWrongKind ? code === "invalid_api_key" : (code === "forbidden") === !isAllowed;
      const isNamed =
        code !== "forbidden" ||
        (right !== "any" && [right].flat().every((each) => message.includes(`"${each}"`)));
      if (!expected || !isNamed || status >= 500)
        wrong.push(`${nameOf(route)} with ${holder.name}: ${status} ${code} ${message}`);
    }
  }
  expect(wrong).toEqual([]);
}, 60_000);
