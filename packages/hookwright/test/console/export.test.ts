import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";

it("an export of deliveries has these columns, and neither headers nor secrets", async () => {
  await using world = await openConsole();
  const { secret } = await world.createWebhook("/all", { headers: { "X-Own-Token": "token-of-the-owner" } });
  await world.publish("rev_1");
  await world.settled();
  const read = async (format: string): Promise<string> => {
    const url = `http://localhost/console/api/deliveries/export?format=${format}`;
    const headers = { authorization: `Bearer ${world.session.token}` };
    return (await world.hookwright.fetch(new Request(url, { headers }))).text();
  };
  const [heading, row = "", ...others] = (await read("csv")).trimEnd().split("\r\n");
  expect(heading).toBe(
    "id,created_at,completed_at,status,kind,event,record_id,body_id,project_id,webhook_id,target_url,attempts_made,next_attempt_at,last_status,last_error,last_duration_ms,cancel_reason,resent_from",
  );
  expect(row).toMatch(/^dlv_[0-9a-f]{32},.*,delivered,event,review\.submitted,rev_1,/u);
  expect(others).toEqual([]);
  const json = await read("ndjson");
  expect(JSON.parse(json)).toMatchObject({ record_id: "rev_1", status: "delivered" });
  for (const text of [row, json]) {
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/token-of-the-owner|x-own-token|signature|authorization/iu);
  }
});
