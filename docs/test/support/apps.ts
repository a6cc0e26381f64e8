/** A server of a framework with the embedding examples and the route of the receiving guide. */
export interface App {
  readonly name: string;
  /** The folder in docs/test/apps with the files of the framework. */
  readonly framework: string;
  /** The path of each embedding example in the app, by the name of the example. */
  readonly places: Readonly<Record<string, string>>;
  /** The example of the receiving guide. The guide names its path. */
  readonly receivingRoute: string;
  /** The changes of each example, by its name. */
  readonly instead?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  /** The build command: a program of the framework and its arguments. */
  readonly build: readonly [string, ...string[]];
  /** The number of builds. Files that the first build writes may break the second. */
  readonly builds: number;
  /** The folder with the build output. */
  readonly output: string;
  /** The file in the output that starts the server. */
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
  receivingRoute: "webhooks/route.ts",
  instead: { "next/next.config.mjs": [["export default {", 'export default { output: "standalone",']] },
  builds: 2,
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
  receivingRoute: "routes/webhooks.post.ts",
  builds: 1,
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
    instead: {
      "nitro/server/routes/integrations/[...].ts": [['from "h3"', 'from "nitro/h3"']],
      "routes/webhooks.post.ts": [['from "h3"', 'from "nitro/h3"']],
    },
    build: ["nitro", "build"],
  },
];
