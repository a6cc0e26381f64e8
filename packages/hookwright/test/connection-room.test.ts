import { describe, expect, it } from "vitest";
import { connectionRoom, describeSmallRoom, openFilesLimit } from "../src/connection-room.ts";

describe("the connections that deliveries may have", () => {
  it.each([
    [undefined, 4_096, 1_024],
    [1_048_576, 4_096, 1_024],
    [8_192, 4_096, 1_024],
    [1_024, 512, 128],
    [256, 128, 32],
    [1, 1, 1],
  ])("of %s open files are %i for attempts and %i that wait", (openFiles, attempts, idle) => {
    expect(connectionRoom(openFiles)).toEqual({ attempts, idle });
  });

  it("are told of where they are fewer than they might be", () => {
    expect(describeSmallRoom(connectionRoom(8_192), 8_192)).toBeUndefined();
    expect(describeSmallRoom(connectionRoom(undefined), undefined)).toBeUndefined();
    expect(describeSmallRoom(connectionRoom(1_024), 1_024)).toBe(
      "this process may have 1024 files open, so it makes 512 attempts at once, instead of 4096: let it have 8192 (ulimit -n)",
    );
  });

  it("follow a limit that the process is asked for, which leaves its report as it was", () => {
    const before: unknown = Reflect.get(process.report, "excludeNetwork");
    const limit = openFilesLimit();
    expect(limit === undefined || limit > 0).toBe(true);
    if (process.platform === "linux") expect(typeof limit).toBe("number");
    expect(Reflect.get(process.report, "excludeNetwork")).toBe(before);
  });
});
