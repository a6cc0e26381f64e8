// server/plugins/hookwright.ts
import { hookwright } from "./opened-once"; // of server/lib/hookwright

interface Nitro {
  readonly hooks: { hook(name: "close", close: () => Promise<void>): void };
}

export default (nitro: Nitro): void => {
  if (import.meta.prerender) return; // a build, which must open no store
  const opened = hookwright();
  nitro.hooks.hook("close", async () => (await opened).close());
};
