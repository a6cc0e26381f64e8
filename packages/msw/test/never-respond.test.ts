import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";

it("an abort is noticed even if nothing refers to the request", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const api = mockApi({ baseUrl: "https://api.example.com" });
  api.failNext("no_answer");
  const client = new AbortController();
  const pending = api.fetch(new Request(`${api.baseUrl}/v1/me`, { signal: client.signal }));
  await expect.poll(() => api.requests.length).toBe(1);
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  client.abort(new Error("enough"));
  await expect(pending).rejects.toThrow("enough");
});
