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
    expect(describeSmallRoom(connectionRoom(1_024), 1_024)).toEqual({
      open_files_limit: 1_024,
      attempts_at_once: 512,
      attempts_at_once_possible: 4_096,
      open_files_needed: 8_192,
    });
  });

  it("follow a limit that the process is asked for, which leaves its report as it was", () => {
    const before: unknown = Reflect.get(process.report, "excludeNetwork");
    const limit = openFilesLimit();
    expect(limit === undefined || limit > 0).toBe(true);
    if (process.platform === "linux") expect(typeof limit).toBe("number");
    expect(Reflect.get(process.report, "excludeNetwork")).toBe(before);
  });
});
