import process from "node:process";
import { hookwright } from "./lib/hookwright";

const opened = await hookwright();
const stop = () => void opened.close().finally(() => process.exit(0));
process.once("SIGTERM", stop).once("SIGINT", stop);
