/** A server of a framework, and how the guide of receiving comes into it. */
export interface ReceivingApp {
  readonly name: string;
  /** The folder in docs/test/apps with the framework's own files. */
  readonly framework: string;
  /** The file of the guide that is the route. */
  readonly route: string;
  /** What the guide tells users of this framework to change in the route. */
  readonly instead: readonly [string, string];
  /** The settings of a new project, by the name of their file. */
  readonly settings: Readonly<Record<string, string>>;
  /** A program of the framework, and its arguments. */
  readonly build: readonly [string, ...string[]];
  /** How often it is built: settings that the first build writes may break the second. */
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
    // As create-next-app writes it. `next build` adds the rest.
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
