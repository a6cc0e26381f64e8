import process from "node:process";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { checkHookwright, formatChecks } from "hookwright";

const { HOOKWRIGHT_SECRET: secret = "", DATA = "./data" } = process.env;

const results = await checkHookwright({
  store: () => openFilesystemStore({ directory: DATA }),
  secret,
  basePath: "/integrations",
});
console.log(formatChecks(results));
if (results.some(({ status }) => status === "failed")) process.exitCode = 1;
