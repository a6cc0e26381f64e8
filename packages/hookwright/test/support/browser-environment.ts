import type { Environment } from "vitest/runtime";

/** The environment of the project `browser`. Its browser ends with the process, because a start takes longer than most tests. */
const environment: Environment = {
  name: "browser",
  viteEnvironment: "ssr",
  setup: () => ({
    async teardown() {
      await (await globalThis.sharedBrowser)?.close();
    },
  }),
};
export default environment;
