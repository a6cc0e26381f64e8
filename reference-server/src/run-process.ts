import { keepHeapSmall } from "./heap-settings.ts";

// Their compiled code is part of Node, but V8 rejects it once a flag has changed, and compiles them again.
await Promise.all([
  import("node:child_process"),
  import("node:dns/promises"),
  import("node:https"),
  import("node:readline/promises"),
  import("node:worker_threads"),
]);
// Must run before other modules are loaded.
keepHeapSmall();
const [{ runCli }, { runProcess }] = await Promise.all([import("./cli.ts"), import("@hookwright/cli")]);
await runProcess(runCli);
