import { expect, it } from "vitest";
import { runtimes } from "./runtimes/run-in.ts";

const module = new URL("runtimes/suite.ts", import.meta.url);

it.each(runtimes)(
  "on $name every delivery is judged as on the others",
  { timeout: 60_000 },
  async (runtime) => {
    const verdict: unknown = JSON.parse(await runtime.run(runtime.program, { module }));
    expect(verdict).toEqual({ judged: 101, failures: [] });
  },
);
