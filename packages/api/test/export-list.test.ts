import { setImmediate as nextTurn } from "node:timers/promises";
import { HookwrightError } from "@hookwright/domain";
import type { Caller } from "@hookwright/service";
import { expect, it } from "vitest";
import { ClientGoneError } from "../src/request/body-errors.ts";
import { exportList } from "../src/routes/console/export-list.ts";
import { createReadGate, readLimits } from "../src/routing/read-gate.ts";
import { openService } from "./support/open-service.ts";

const [, { running = 0, waiting = 0 }] = readLimits.scan;

/** An export of two pages, with a caller whose session can end. */
async function openExport(readGate = createReadGate()) {
  const service = openService();
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  const { api_key: token } = await service.apiKeys.create("acc_1", { name: "Key" });
  const client = new AbortController();
  let authenticate: (token: string) => Promise<Caller> = service.authenticate;
  const request = {
    service: { authenticate: (given: string) => authenticate(given) },
    context: { readGate },
    party: ["account acc_1", "token"],
    signal: () => client.signal,
    token,
  };
  const response = await exportList(request, {
    name: "rows",
    format: "ndjson",
    columns: ["id"],
    readPage: async (cursor) => ({
      rows: [{ id: cursor ?? "first" }],
      meta: { has_more: cursor === undefined, next_cursor: cursor === undefined ? "second" : null },
    }),
  });
  if (!(response.body instanceof ReadableStream)) throw new Error("no stream");
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  expect(await readText()).toBe('{"id":"first"}\n');

  async function readText(): Promise<string> {
    return new TextDecoder().decode((await reader.read()).value);
  }
  return {
    service,
    request,
    client,
    readText,
    endSession() {
      authenticate = () => Promise.reject(new HookwrightError("invalid_api_key", "The session has ended."));
    },
  };
}

it("a session that ends while an export runs gets no further page", async () => {
  const { readText, endSession } = await openExport();
  endSession();
  await expect(readText()).rejects.toMatchObject({ code: "invalid_api_key" });
});

it("an account that is suspended while an export runs gets no further page", async () => {
  const { service, readText } = await openExport();
  await service.accounts.put("acc_1", { status: "suspended" });
  await expect(readText()).rejects.toMatchObject({ code: "account_unavailable" });
});

/** A gate whose scans of the account are all taken, and whose waits end when the test says so. */
async function openCrowded() {
  const waits: (() => void)[] = [];
  const readGate = createReadGate({ sleep: () => new Promise((resolve) => waits.push(resolve)) });
  const opened = await openExport(readGate);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const crowd = Array.from({ length: running + waiting }, () =>
    readGate.run("scan", opened.request, () => held).catch(() => {}),
  );
  await nextTurn();
  return { ...opened, crowd, release, waits };
}

it("an export waits for its next page while too many requests of its account wait", async () => {
  const { readText, crowd, release, waits } = await openCrowded();
  const next = readText();
  await expect.poll(() => waits).toHaveLength(1);
  waits[0]?.();
  await expect.poll(() => waits).toHaveLength(2);
  release();
  await Promise.all(crowd);
  waits[1]?.();
  expect(await next).toBe('{"id":"second"}\n');
});

it("an export whose client is gone waits no more", async () => {
  const client = new AbortController();
  const readGate = createReadGate();
  const request = { party: ["account acc_1"], signal: () => client.signal };
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const crowd = Array.from({ length: running + waiting }, () =>
    readGate.run("scan", request, () => held).catch(() => {}),
  );
  const next = readGate.runLater("scan", request, async () => "a page");
  await nextTurn();
  client.abort();
  await expect(next).rejects.toBeInstanceOf(ClientGoneError);
  release();
  await Promise.all(crowd);
});
