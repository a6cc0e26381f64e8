/** A server of a framework with the files of the receiving guide. */
export interface ReceivingApp {
  readonly name: string;
  /** The folder in docs/test/apps with the files of the framework. */
  readonly framework: string;
  /** The file of the guide with the route. */
  readonly route: string;
  /** The replacement in the route that the guide describes for this framework. */
  readonly instead: readonly [string, string];
  /** The configuration files of a new project, by file name. */
  readonly settings: Readonly<Record<string, string>>;
  /** The build command: a program of the framework and its arguments. */
  readonly build: readonly [string, ...string[]];
  /** The number of builds. Files that the first build writes may break the second. */
  readonly builds: number;
  /** The arguments of Node that start the built server. */
  readonly start: readonly string[];
}

const nitro = {
  route: "routes/webhooks.post.ts",
  builds: 1,
  instead: ["", ""],
  start: [".output/server/index.mjs"],
} as const;

export const receivingApps: readonly ReceivingApp[] = [
  {
    name: "Next",
    framework: "next",
    route: "webhooks/route.ts",
    instead: ["", ""],
    // The file that create-next-app writes. `next build` adds the rest.
    settings: { "tsconfig.json": '{ "compilerOptions": { "strict": true } }' },
    build: ["next", "build"],
    builds: 2,
    start: ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1"],
  },
  {
    ...nitro,
    name: "Nitro 2",
    framework: "nitro-2",
    settings: { "nitro.config.mjs": 'export default { srcDir: "server" };' },
    build: ["nitropack", "build"],
  },
  { ...nitro, name: "Nuxt 4", framework: "nuxt", settings: {}, build: ["nuxt", "build"] },
  {
    ...nitro,
    name: "Nitro 3",
    framework: "nitro-3",
    instead: ['from "h3"', 'from "nitro/h3"'],
    settings: { "nitro.config.mjs": 'export default { serverDir: "server" };' },
    build: ["nitro", "build"],
  },
];
