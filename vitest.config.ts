import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const packages = fileURLToPath(new URL("packages", import.meta.url));

/**
 * The project of a test follows from its place or its name:
 * - `browser` drives Chromium,
 * - `end-to-end` tests the whole system on each storage,
 * - `integration` starts a process (a server, a Redis, a PostgreSQL), works on real storage, counts the timers or the sockets of its
 *   process, or takes seconds (floods, fuzzing),
 * - `docs` tests documentation, scripts and the options of benches,
 * - `unit` is everything else in packages. It needs no build and stays in one process.
 */
const browser = ["{packages/*,reference-server}/test/developer-site/**/*.test.ts"];
const endToEnd = ["packages/*/test/end-to-end/**/*.test.ts"];
const integration = [
  "reference-server/test/**/*.test.ts",
  "packages/storage/test/{filesystem,redis,unstorage,postgres}*.test.ts",
  "packages/*/test/**/*.integration.test.ts",
];

/** Processes under test run the build. */
const build = "scripts/test/support/build.ts";

/**
 * Tests that start processes wait for them and for sockets, and tests of one process share its timers. On a busy machine, one of ten
 * thousand may fail by chance. The CI tries such a test again. `npm test` lists what needed it, with its error: a cause to mend.
 */
const retry = process.env["CI"] === undefined ? 0 : 1;

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
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/test/**/*.test.ts"],
          exclude: [...browser, ...endToEnd, ...integration, "**/node_modules/**"],
          // They wait for nothing, and each worker loads all sources.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: integration,
          exclude: [...browser, ...endToEnd, "**/node_modules/**"],
          globalSetup: build,
        },
      },
      {
        extends: true,
        test: {
          name: "end-to-end",
          include: endToEnd,
          globalSetup: "packages/hookwright/test/end-to-end/support/start-servers.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: browser,
          environment: "./packages/hookwright/test/support/browser-environment.ts",
          globalSetup: build,
        },
      },
      {
        extends: true,
        test: {
          name: "docs",
          include: ["{bench,docs,scripts}/test/**/*.test.ts"],
          globalSetup: build,
          // The examples replace globals such as `Response`, and keep state in their modules.
          isolate: true,
        },
      },
    ],
    // Tests leave nothing behind, so many files share a process. A process for each file would take a quarter more CPU time.
    isolate: false,
    // Tests that start servers wait for them for half of their time.
    maxWorkers: availableParallelism() + 2,
    retry,
    // Projects with another number of workers need another group. The groups run one after the other.
    sequence: { groupOrder: 1 },
    tags: [{ name: "long", description: "slow by nature: only in `npm run test:long`" }],
    setupFiles: "scripts/test/support/seed.ts",
    // The Redis of the tests is not durable on purpose. A young generation of this size (MiB) takes a tenth of the CPU time off.
    execArgv: ["--disable-warning=HOOKWRIGHT_REDIS_NOT_DURABLE", "--min-semi-space-size=16"],
    expect: { poll: { timeout: 30_000 } },
    // The log lines of a test matter when it fails.
    silent: "passed-only",
    // Several times what a test needs on an idle machine, for tests that start processes.
    testTimeout: 40_000,
    hookTimeout: 30_000,
  },
});
