import { errorCatalogue } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { operationNames } from "../src/routing/operation-names.ts";
import { createAsking } from "./support/asking.ts";
import type { LogEntry } from "./support/asking.ts";
import { openMockSide } from "./support/open-mock-side.ts";
import { openRealSide } from "./support/open-real-side.ts";
import { scripts } from "./support/scripts.ts";
import type { Script } from "./support/scripts/script.ts";
import type { Side } from "./support/side.ts";

/** The clock is fixed, so rows are ordered by arrival and all times can be compared. */
const now = () => Date.UTC(2026, 10, 20, 9, 30);

async function play(script: Script, side: Side): Promise<readonly LogEntry[]> {
  await side.addProject("site_1", "Main street shop", "Europe/London");
  await side.addProject("site_2", "Blog", "Asia/Tokyo");
  const { ask, log } = createAsking(side);
  await script(side, ask);
  return log;
}

describe("the mock answers like the service", () => {
  it.each(Object.entries(scripts))("%s", async (_, script) => {
    await using real = await openRealSide(now);
    await using mock = openMockSide(now);
    const expected = await play(script, real);
    expect(expected.length).toBeGreaterThan(0);
    expect(await play(script, mock)).toEqual(expected);
  });
});

describe("the scripts", () => {
  async function playAll(): Promise<readonly LogEntry[]> {
    const logs = await Promise.all(Object.values(scripts).map((script) => play(script, openMockSide(now))));
    return logs.flat();
  }

  it("cover a success of every operation", async () => {
    const succeeded = (await playAll()).filter(({ status }) => status < 300);
    const missing = operationNames.filter((name) => {
      const pattern = new RegExp(`^${name.replace(/\{\w+\}/, "[^/]+")}(?:\\?.*)?$`);
      return !succeeded.some(({ target }) => pattern.test(target));
    });
    expect(missing).toEqual([]);
  });

  it("cover every error code except two, which only `failNext` can cause", async () => {
    const bodies = (await playAll()).map(({ body }) => JSON.stringify(body));
    const met = new Set(bodies.map((body) => /"code":"(\w+)"/.exec(body)?.[1]));
    expect(Object.keys(errorCatalogue).filter((code) => !met.has(code))).toEqual([
      "rate_limited",
      "console_token_expired",
    ]);
  });
});
