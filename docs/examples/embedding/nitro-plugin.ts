// server/plugins/hookwright.ts
import { hookwright } from "./opened-once"; // of server/lib/hookwright

interface Nitro {
  readonly hooks: { hook(name: "close", close: () => Promise<void>): void };
}

export default (nitro: Nitro): void => {
  const opened = hookwright();
  nitro.hooks.hook("close", async () => (await opened).close());
};
