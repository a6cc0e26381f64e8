import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const packages = fileURLToPath(new URL("packages", import.meta.url));

/** Their tests leave nothing behind in the process, and ask it for nothing that is not theirs: one process runs many files of them, in half of the time. */
const sharing = "packages/{api,console,cursor,delivery,domain,service,signature}/test/**/*.test.ts";

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
    projects: [
      { extends: true, test: { name: "sharing a process", include: [sharing], isolate: false } },
      {
        extends: true,
        test: {
          name: "a process each",
          include: ["{packages/*,reference-server,scripts,docs}/test/**/*.test.ts"],
          exclude: [sharing, "**/node_modules/**"],
        },
      },
    ],
    // One more than there are cores: tests that start servers wait for them for a good part of their time.
    maxWorkers: availableParallelism() + 1,
    // Redis of the tests forgets, and is meant to.
    execArgv: ["--disable-warning=HOOKWRIGHT_REDIS_NOT_DURABLE"],
    // What is waited for comes in milliseconds; where others use the machine too, in a second or two.
    expect: { poll: { timeout: 5_000 } },
    // Those without a time of their own take 7 s at most, for the processes that they start; where others use the machine too, four times that.
    testTimeout: 40_000,
    hookTimeout: 30_000,
  },
});
