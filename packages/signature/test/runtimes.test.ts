import { expect, it } from "vitest";
import { runtimes } from "./runtimes/run-in.ts";

it.each(runtimes)(
  "on $name every delivery is judged as on the others",
  { timeout: 60_000 },
  async (runtime) => {
    const verdict: unknown = JSON.parse(await runtime.run(runtime.program));
    expect(verdict).toEqual({ judged: 101, failures: [] });
  },
);
