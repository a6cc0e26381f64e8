/** A server of a framework, and how the examples of embedding come into it. */
export interface App {
  readonly name: string;
  /** The folder in docs/test/apps with what is the framework's own. */
  readonly framework: string;
  /** Where each example goes, by its name. */
  readonly places: Readonly<Record<string, string>>;
  /** What is written otherwise here than in an example, by its name. */
  readonly instead?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  /** A program of the framework, and its arguments. */
  readonly build: readonly [string, ...string[]];
  /** What is deployed. */
  readonly output: string;
  /** What is started of it. */
  readonly server: string;
}

const next = {
  framework: "next",
  places: {
    "next/lib/hookwright.ts": "lib/hookwright.ts",
    "next/app/integrations/[[...path]]/route.ts": "app/integrations/[[...path]]/route.ts",
    "next/instrumentation.ts": "instrumentation.ts",
    "next/instrumentation-node.ts": "instrumentation-node.ts",
    "next/next.config.mjs": "next.config.mjs",
  },
  instead: { "next/next.config.mjs": [["export default {", 'export default { output: "standalone",']] },
  output: ".next/standalone",
  server: "server.js",
} as const;

const nitro = {
  places: {
    "nitro/server/lib/hookwright.ts": "server/lib/hookwright.ts",
    "nitro/server/routes/integrations/[...].ts": "server/routes/integrations/[...].ts",
    "nitro/server/routes/integrations/index.ts": "server/routes/integrations/index.ts",
    "nitro/server/plugins/hookwright.ts": "server/plugins/hookwright.ts",
  },
  output: ".output",
  server: "server/index.mjs",
} as const;

export const apps: readonly App[] = [
  { ...next, name: "Next", build: ["next", "build"] },
  {
    ...nitro,
    name: "Nitro 2",
    framework: "nitro-2",
    places: { ...nitro.places, "nitro/nitro-2.config.mjs": "nitro.config.mjs" },
    build: ["nitropack", "build"],
  },
  {
    ...nitro,
    name: "Nuxt 4",
    framework: "nuxt",
    places: { ...nitro.places, "nitro/nitro-2.config.mjs": "nuxt.config.mjs" },
    instead: {
      "nitro/nitro-2.config.mjs": [
        ['export default {\n  srcDir: "server",', "export default { nitro: {"],
        ["\n};", "\n} };"],
      ],
    },
    build: ["nuxt", "build"],
  },
  {
    ...nitro,
    name: "Nitro 3",
    framework: "nitro-3",
    places: { ...nitro.places, "nitro/nitro-3.config.mjs": "nitro.config.mjs" },
    instead: { "nitro/server/routes/integrations/[...].ts": [['from "h3"', 'from "nitro/h3"']] },
    build: ["nitro", "build"],
  },
];
