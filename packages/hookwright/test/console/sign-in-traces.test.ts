import { expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { openConsole } from "../support/open-console.ts";

useQuickScrypt();

const hostToken = "a host token of 32 characters!!!";

async function openTraced() {
  const lines: { readonly code?: unknown; readonly client_network?: unknown; readonly failures?: unknown }[] =
    [];
  const write = (_message: string, fields?: object): void => void lines.push(fields ?? {});
  let time = Date.UTC(2026, 10, 29, 12, 30);
  const logger = { info: write, warn: write, error: write };
  const world = await openConsole({ hostToken, trustProxy: 1, logger, now: () => time }, "right password");
  return {
    world,
    lines,
    pass: (ms: number) => void (time += ms),
    async post(path: string, body: object, headers: Record<string, string> = {}): Promise<number> {
      const response = await world.hookwright.fetch(
        new Request(`http://localhost${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-forwarded-for": "192.0.2.1", ...headers },
          body: JSON.stringify(body),
        }),
      );
      return response.status;
    },
    async entries(): Promise<readonly unknown[]> {
      const { rows } = await world.ask("GET /console/api/audit");
      return rows.map(({ action, actor, target }) => ({ action, actor, target }));
    },
  };
}

const wrongPassword = { email: "owner@example.com", password: "wrong" };

it.each([
  ["a wrong password", "/console/api/session", wrongPassword, "password", "sign_in_failed"],
  [
    "a wrong code",
    "/console/api/session/link",
    { code: "hwl_unknown" },
    "console_link",
    "console_link_refused",
  ],
  ["a wrong host token", "/host/v1/events", {}, "host_token", "host_token_refused"],
])("%s leaves a log line and is counted", async (_, path, body, credential, code) => {
  const { world, lines, post } = await openTraced();
  await using __ = world;
  expect(await post(path, body, { authorization: "Bearer a-guess" })).toBe(401);
  expect(lines).toContainEqual(expect.objectContaining({ code, client_network: "192.0.2.1", failures: 1 }));
  expect(await world.hookwright.metrics.metrics()).toContain(
    `hookwright_failed_authentications_total{credential="${credential}"} 1`,
  );
});

it("failed sign-ins are one entry of the audit log in an hour, whatever their number and networks", async () => {
  const { world, post, pass, entries } = await openTraced();
  await using _ = world;
  const failed = {
    action: "sign_in.failed",
    actor: { kind: "client", id: null, name: null },
    target: { kind: "account", id: "acc_1" },
  };
  for (const network of ["192.0.2.1", "192.0.2.2", "192.0.2.2"])
    await post("/console/api/session", wrongPassword, { "x-forwarded-for": network });
  await post("/console/api/session", { email: "nobody@example.com", password: "wrong" });
  await expect.poll(entries).toContainEqual(failed);
  const count = async () => (await world.ask("GET /console/api/audit?action=sign_in.failed")).rows.length;
  expect(await count()).toBe(1);
  pass(30 * 60_000);
  await post("/console/api/session", wrongPassword);
  await expect.poll(count).toBe(2);
});

it("an opened listener is in the audit log", async () => {
  const { world, entries } = await openTraced();
  await using _ = world;
  const { data } = await world.ask("POST /developer/v1/listeners", {});
  expect(await entries()).toContainEqual({
    action: "listener.created",
    actor: { kind: "owner", id: null, name: null },
    target: { kind: "listener", id: data["id"] },
  });
});
