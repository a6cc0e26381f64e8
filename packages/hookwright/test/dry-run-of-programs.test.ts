import { expect, it } from "vitest";
import type { ResendInput, WebhookActionInput } from "../src/index.ts";
import { openConsole } from "./support/open-console.ts";

it("start refuses dry_run, which a program may forward, and starts nothing", async () => {
  await using world = await openConsole();
  const { hookwright, account } = world;
  const resend: ResendInput = JSON.parse('{"filter":{"statuses":["failed"]},"dry_run":true}');
  const action: WebhookActionInput = JSON.parse(
    '{"action":"pause","filter":{"status":"active"},"dry_run":true}',
  );
  const refusal = {
    code: "validation_failed",
    message: "dry_run: is not an input of `start`. Call `preview`, which only counts",
  };
  await expect(hookwright.resends.start(account, resend)).rejects.toMatchObject(refusal);
  await expect(hookwright.webhookActions.start(action)).rejects.toMatchObject(refusal);
  expect((await hookwright.resends.list(account)).rows).toEqual([]);
  expect((await hookwright.webhookActions.list()).rows).toEqual([]);
  expect(await hookwright.resends.preview(account, resend)).toMatchObject({ found: 0 });
});
