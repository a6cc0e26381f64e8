// instrumentation.ts
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { hookwright } = await import("./opened-once"); // of lib/hookwright
  const opened = await hookwright();
  process.once("SIGTERM", () => void opened.close().finally(() => process.exit(0)));
}
