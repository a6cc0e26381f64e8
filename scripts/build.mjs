import "./bootstrap/require-node-18.mjs";

const { main, ROOT } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");

await main(async () => {
  await prepare({ root: ROOT, build: { of: "all", kind: "full" } });
});
