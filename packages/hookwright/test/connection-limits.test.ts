import { describe, expect, it } from "vitest";
import { openFilesLimit } from "@hookwright/api";
import { connectionLimits, describeReducedLimits } from "../src/connection-limits.ts";

describe("the limits of delivery connections", () => {
  it.each([
    [undefined, 4_096, 1_024],
    [1_048_576, 4_096, 1_024],
    [8_192, 4_096, 1_024],
    [1_024, 512, 128],
    [256, 128, 32],
    [1, 1, 1],
  ])("with %s open files, %i connections are for attempts and %i stay idle", (openFiles, attempts, idle) => {
    expect(connectionLimits(openFiles)).toEqual({ attempts, idle });
  });

  it("reduced limits are described for the log", () => {
    expect(describeReducedLimits(connectionLimits(8_192), 8_192)).toBeUndefined();
    expect(describeReducedLimits(connectionLimits(undefined), undefined)).toBeUndefined();
    expect(describeReducedLimits(connectionLimits(1_024), 1_024)).toEqual({
      open_files_limit: 1_024,
      attempts_at_once: 512,
      attempts_at_once_possible: 4_096,
      open_files_needed: 8_192,
    });
  });

  it("the limit is read from the process without changing its report settings", () => {
    const before: unknown = Reflect.get(process.report, "excludeNetwork");
    const limit = openFilesLimit();
    expect(limit === undefined || limit > 0).toBe(true);
    if (process.platform === "linux") expect(typeof limit).toBe("number");
    expect(Reflect.get(process.report, "excludeNetwork")).toBe(before);
  });
});
