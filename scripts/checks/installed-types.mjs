import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import ts from "typescript";
import { main } from "../bootstrap/main.mjs";
import { ROOT } from "../bootstrap/root.mjs";
import { readWorkspace } from "../bootstrap/workspace.mjs";
import { installPacked, linkPackage } from "../packing/install-packed.mjs";
import { packPackages } from "../packing/pack-packages.mjs";

/** `skipLibCheck: false`: the declarations of the packages are checked as well as the code that uses them. */
const STRICT = {
  target: "ES2022",
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  resolveJsonModule: true,
  noEmit: true,
};
const NODE_NEXT = { module: "nodenext", moduleResolution: "nodenext" };
const BUNDLER = { module: "preserve", moduleResolution: "bundler" };
const ON_NODE = { lib: ["ES2022"], types: ["node"] };
const WITH_DOM = { lib: ["ES2022", "DOM"], types: ["node"] };
const IN_BROWSER = { lib: ["ES2022", "DOM"], types: [] };

/** Of TypeScript and of Node: to check these takes most of the time, and they are the same everywhere. */
const NOT_CHECKED = /\/node_modules\/(?:typescript|@types\/node|undici-types)\//u;

/** The declarations of msw itself need the names of browsers. */
const NEEDS_DOM = new Set(["@hookwright/msw"]);
/** What runs where there is no Node must compile where its types are not installed. */
const EVERY_RUNTIME = [
  "@hookwright/client",
  "@hookwright/cursor",
  "@hookwright/domain",
  "@hookwright/signature",
  "@hookwright/signature/duplicates",
  "@hookwright/signature/verify",
];

/** Compiled with `skipLibCheck`, since the declarations of unstorage need packages that are not installed. */
const PEERS_IN_USE = `
import { createDuplicateGuard, redisDuplicates, unstorageDuplicates } from "@hookwright/signature/duplicates";
import { openRedisStore } from "@hookwright/storage/redis";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { Cluster, Redis } from "ioredis";
import { createStorage } from "unstorage";

const redis = new Redis();
export const stores = [
  openRedisStore({ client: redis }),
  openRedisStore({ client: new Cluster([]) }),
  openUnstorageStore({ storage: createStorage() }),
];
export const guards = [
  createDuplicateGuard({ storage: redisDuplicates((command, ...words) => redis.call(command, ...words)) }),
  createDuplicateGuard({ storage: unstorageDuplicates(createStorage()) }),
];
// @ts-expect-error A storage is no client of Redis.
export const refused = openRedisStore({ client: createStorage() });
`;

/** @type {ts.FormatDiagnosticsHost} */
const FORMAT = {
  getCurrentDirectory: () => ROOT,
  getCanonicalFileName: (name) => name,
  getNewLine: () => "\n",
};

/** Compiles projects that have installed the packages from their tarballs, and import every entry of each. */
await main(async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "hookwright-installed-"));
  const { env } = process;
  try {
    const workspace = readWorkspace(ROOT);
    const packed = await packPackages({ workspace, folder: path.join(folder, "packed"), pnpm: "pnpm", env });
    const entries = workspace.filter(({ name }) => packed.has(name)).flatMap(listTypedEntries);
    const withoutDom = entries.filter((entry) => !NEEDS_DOM.has(entry));
    for (const withOptionalPeers of [false, true]) {
      const home = path.join(folder, withOptionalPeers ? "with-peers" : "without-peers");
      await installPacked({ folder: home, workspace, packed, withOptionalPeers, env });
      linkPackage(
        path.join(home, "node_modules"),
        "@types/node",
        path.join(ROOT, "node_modules", "@types", "node"),
      );
    }
    const problems = ["without-peers", "with-peers"].flatMap((home) => [
      ...compile(home, "on Node", { ...NODE_NEXT, ...ON_NODE }, importAll(withoutDom)),
      ...compile(home, "in a bundler", { ...BUNDLER, ...WITH_DOM }, importAll(entries)),
      ...(home === "without-peers"
        ? compile(home, "without Node", { ...BUNDLER, ...IN_BROWSER }, importAll(EVERY_RUNTIME))
        : compile(home, "peers in use", { ...NODE_NEXT, ...ON_NODE, skipLibCheck: true }, PEERS_IN_USE)),
    ]);
    process.stdout.write(problems.join(""));
    return problems.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** @param {string} home @param {string} name @param {object} settings @param {string} code */
  function compile(home, name, settings, code) {
    const project = path.join(folder, home, name.replaceAll(" ", "-"));
    mkdirSync(project);
    writeFileSync(path.join(project, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(path.join(project, "program.ts"), code);
    const { options, errors } = ts.convertCompilerOptionsFromJson({ ...STRICT, ...settings }, project);
    const program = ts.createProgram([path.join(project, "program.ts")], options);
    const checked = program.getSourceFiles().filter(({ fileName }) => !NOT_CHECKED.test(fileName));
    const found = [
      ...errors,
      ...program.getOptionsDiagnostics(),
      ...checked.flatMap((file) => [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ]),
    ];
    return found.map((each) => `${home}, ${name}: ${ts.formatDiagnostic(each, FORMAT)}`);
  }
});

/** `@hookwright/storage/redis` and the like. @param {import("../bootstrap/workspace.mjs").WorkspacePackage} published */
function listTypedEntries({ name, manifest }) {
  const { exports } = manifest;
  if (typeof exports !== "object" || exports === null) return [];
  return Object.keys(exports)
    .filter((entry) => entry !== "./package.json")
    .map((entry) => path.posix.join(name, entry));
}

/** @param {readonly string[]} entries */
function importAll(entries) {
  const names = entries.map((_, index) => `entry${index}`);
  const imports = entries.map((entry, index) =>
    entry.endsWith(".json")
      ? `import ${names[index]} from "${entry}" with { type: "json" };`
      : `import * as ${names[index]} from "${entry}";`,
  );
  return `${imports.join("\n")}\nexport { ${names.join(", ")} };\n`;
}
