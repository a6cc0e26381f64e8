// instrumentation-node.ts
import process from "node:process";
import { hookwright } from "./opened-once"; // of lib/hookwright

const opened = await hookwright();
const stop = () => void opened.close().finally(() => process.exit(0));
process.once("SIGTERM", stop).once("SIGINT", stop);
