import { expect, it } from "vitest";
import { testVectors } from "../scripts/generate-test-vectors.ts";
import { runtimes } from "./runtimes/run-in.ts";

const module = new URL("runtimes/suite.ts", import.meta.url);

it.each(runtimes)(
  "on $name every test vector has its expected result",
  { timeout: 60_000 },
  async (runtime) => {
    const verdict: unknown = JSON.parse(await runtime.run(runtime.program, { module }));
    expect(verdict).toEqual({ judged: testVectors.length, failures: [] });
  },
);

const failing = new URL("runtimes/failing-suite.ts", import.meta.url);

it.each(runtimes)(
  "on $name a suite that throws is reported at once",
  { timeout: 60_000 },
  async (runtime) => {
    await expect(runtime.run(runtime.program, { module: failing })).rejects.toThrow(
      /this suite fails|Internal Server Error/u,
    );
  },
);
