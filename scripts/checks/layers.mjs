/**
 * Which packages of ours each one may import from its sources. Everything points downward:
 *
 *     reference-server → hookwright → console, api → service → delivery → storage, signature, domain
 *
 * @typedef {{
 *   mayImport: readonly string[],
 *   typesAlone?: boolean,
 *   externals?: readonly string[],
 *   nodeBuiltins?: "everywhere" | "nowhere" | readonly string[],
 * }} Layer `typesAlone`: packages of ours only through `import type`; `externals`: the only packages of others;
 *   `nodeBuiltins`: the files or folders under `src` that may import `node:` modules, everywhere when left out.
 *
 * @type {Readonly<Record<string, Layer>>}
 */
export const LAYERS = {
  "@hookwright/signature": { mayImport: [], externals: [], nodeBuiltins: ["node.ts", "node/"] },
  "@hookwright/cursor": { mayImport: [] },
  "@hookwright/domain": { mayImport: [], externals: ["zod"], nodeBuiltins: "nowhere" },
  "@hookwright/storage": { mayImport: [] },
  "@hookwright/delivery": {
    mayImport: ["@hookwright/storage", "@hookwright/signature", "@hookwright/domain"],
  },
  "@hookwright/service": {
    mayImport: [
      "@hookwright/cursor",
      "@hookwright/delivery",
      "@hookwright/storage",
      "@hookwright/signature",
      "@hookwright/domain",
    ],
  },
  "@hookwright/api": { mayImport: ["@hookwright/service", "@hookwright/domain"] },
  "@hookwright/console": { mayImport: ["@hookwright/domain"] },
  "@hookwright/client": { mayImport: ["@hookwright/domain"], typesAlone: true, nodeBuiltins: "nowhere" },
  "@hookwright/msw": { mayImport: ["@hookwright/signature", "@hookwright/domain"] },
  hookwright: {
    mayImport: [
      "@hookwright/console",
      "@hookwright/api",
      "@hookwright/service",
      "@hookwright/delivery",
      "@hookwright/storage",
      "@hookwright/signature",
      "@hookwright/cursor",
      "@hookwright/domain",
    ],
  },
  "@hookwright/reference-server": {
    mayImport: ["hookwright", "@hookwright/storage", "@hookwright/signature", "@hookwright/domain"],
  },
};
