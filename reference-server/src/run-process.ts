import { keepHeapSmall } from "./heap-settings.ts";

// Must run before other modules are loaded.
keepHeapSmall();
const [{ runCli }, { runProcess }] = await Promise.all([import("./cli.ts"), import("@hookwright/cli")]);
await runProcess(runCli);
