import { hookwright } from "../lib/hookwright";

interface Nitro {
  readonly hooks: { hook(name: "close", close: () => Promise<void>): void };
}

export default (nitro: Nitro): void => {
  if (import.meta.prerender) return; // a build must not open the store
  const opened = hookwright();
  nitro.hooks.hook("close", async () => (await opened).close());
};
