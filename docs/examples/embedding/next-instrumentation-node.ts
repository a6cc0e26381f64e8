// instrumentation-node.ts
import process from "node:process";
import { hookwright } from "./opened-once"; // of lib/hookwright

const opened = await hookwright();
process.once("SIGTERM", () => void opened.close().finally(() => process.exit(0)));
