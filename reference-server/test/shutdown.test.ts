import { describe, expect, it } from "vitest";
import { onShutdown } from "../src/shutdown.ts";
import { createTestProgram } from "./support/test-program.ts";

describe("a signal", () => {
  it("begins the shutdown; its double within a second changes nothing", async () => {
    let clock = 5_000;
    const program = createTestProgram({});
    const stopped = onShutdown({ program, now: () => clock });
    program.send("SIGTERM");
    clock += 1_000;
    program.send("SIGTERM");
    program.send("SIGINT");
    expect(await stopped).toBe("SIGTERM");
    expect(program.exits).toEqual([]);
  });

  it("more than a second after the first exits at once, with the code that shells give", async () => {
    let clock = 0;
    const program = createTestProgram({});
    const stopped = onShutdown({ program, now: () => clock });
    program.send("SIGINT");
    clock += 1_001;
    program.send("SIGINT");
    expect(await stopped).toBe("SIGINT");
    expect(program.exits).toEqual([130]);
  });
});
