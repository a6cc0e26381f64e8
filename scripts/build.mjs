import "./bootstrap/require-node-18.mjs";

const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");

await main(async () => {
  await prepare({ root: ROOT, build: { of: "all", kind: "full" } });
});
