import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const packages = fileURLToPath(new URL("packages", import.meta.url));

export default defineConfig({
  resolve: {
    // Tests run on the sources: a subpath `@hookwright/a/b` is always `packages/a/src/b.ts`.
    alias: [
      { find: /^@hookwright\/([a-z]+)$/, replacement: `${packages}/$1/src/index.ts` },
      { find: /^@hookwright\/([a-z]+)\/(.+)$/, replacement: `${packages}/$1/src/$2.ts` },
      { find: /^hookwright$/, replacement: `${packages}/hookwright/src/index.ts` },
      { find: /^hookwright\/(.+)$/, replacement: `${packages}/hookwright/src/$1.ts` },
    ],
  },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "reference-server/test/**/*.test.ts",
      "scripts/test/**/*.test.ts",
      "docs/test/**/*.test.ts",
    ],
    // By default one core is left alone, which on two cores is half of them: with both, all tests take two thirds of the time.
    maxWorkers: "100%",
    // Redis of the tests forgets, and is meant to.
    execArgv: ["--disable-warning=HOOKWRIGHT_REDIS_NOT_DURABLE"],
    // What is waited for comes in milliseconds; where others use the machine too, in a second or two.
    expect: { poll: { timeout: 5_000 } },
    // Those without a time of their own take 7 s at most, for the processes that they start; where others use the machine too, four times that.
    testTimeout: 40_000,
    hookTimeout: 30_000,
  },
});
