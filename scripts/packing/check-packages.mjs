import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { run } from "../bootstrap/processes.mjs";
import { ONE_CHECKER, readWorkspace, ROOT, TSC } from "../bootstrap/workspace.mjs";
import { packPackages } from "./pack-packages.mjs";

/** The declarations of msw need the names of browsers. */
const NEEDS_DOM = new Set(["@hookwright/msw"]);

/** These also run where there is no Node, so they must compile without its types. */
const EVERY_RUNTIME = [
  "@hookwright/client",
  "@hookwright/client/host",
  "@hookwright/cursor",
  "@hookwright/domain",
  "@hookwright/signature",
  "@hookwright/signature/duplicates",
  "@hookwright/signature/handlers",
  "@hookwright/signature/verify",
];

/** Each entry must resolve to types. With `skipLibCheck: false` the declarations of the packages are checked too. */
const STRICT = {
  target: "ES2022",
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  noEmit: true,
};
const ON_NODE = { module: "nodenext", lib: ["ES2022"], types: ["node"] };
const IN_BROWSER = { module: "preserve", lib: ["ES2022", "DOM"], types: [] };

/**
 * Checks each package as it is published: packed, with versions in place of `workspace:`, and installed in a folder outside of the workspace.
 *
 * @param {{ env: NodeJS.ProcessEnv }} options
 */
export async function checkPackages({ env }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "hookwright-packed-"));
  let output = "";
  const check = async (
    /** @type {string} */ what,
    /** @type {string} */ program,
    /** @type {string[]} */ args,
  ) => {
    const result = await run(program, args, {
      cwd: folder,
      env,
      capture: true,
      shell: process.platform === "win32",
    });
    if (result.code !== 0) output += `${what}: ${program}\n${result.output.trim()}\n\n`;
  };
  try {
    const packed = await packPackages({ folder, env });
    const published = readWorkspace().filter(({ name }) => packed.has(name));
    const entries = published.flatMap(({ name, manifest }) =>
      Object.keys(manifest.exports ?? {})
        .filter((entry) => !entry.endsWith(".json"))
        .map((entry) => path.posix.join(name, entry)),
    );
    for (const [name, tarball] of packed) await check(name, "publint", ["run", tarball, "--strict"]);

    for (const entry of published)
      await installPacked(entry, packed, path.join(folder, "node_modules"), check);
    linkInto(path.join(folder, "node_modules"), "@types/node", path.join(ROOT, "node_modules"));
    writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
    for (const { name, names, options } of [
      { name: "node", names: entries.filter((entry) => !NEEDS_DOM.has(entry)), options: ON_NODE },
      { name: "bundler", names: entries, options: { ...IN_BROWSER, types: ["node"] } },
      { name: "browser", names: EVERY_RUNTIME, options: IN_BROWSER },
    ]) {
      const imports = names.map((entry, index) => `import * as entry${index} from "${entry}";`);
      const uses = `export { ${names.map((_, index) => `entry${index}`).join(", ")} };`;
      writeFileSync(path.join(folder, `${name}.ts`), [...imports, uses].join("\n"));
      const config = { compilerOptions: { ...STRICT, ...options }, files: [`${name}.ts`] };
      writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(config));
      await check(`types (${name})`, "node", [TSC, "-p", `${name}.json`, ...ONE_CHECKER]);
    }
    const roots = entries.filter((entry) => packed.has(entry)).map((entry) => `import "${entry}";`);
    await check("installed packages", "node", ["--input-type=module", "--eval", roots.join("\n")]);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return { code: output === "" ? 0 : 1, output };
}

/**
 * Unpacks a tarball into `node_modules` and links the packages of others that it needs. Optional peer dependencies are left out, so a
 * declaration that imports the types of one is an error.
 *
 * @param {import("../bootstrap/workspace.mjs").WorkspacePackage} published
 * @param {ReadonlyMap<string, string>} packed
 * @param {string} modules
 * @param {(what: string, program: string, args: string[]) => Promise<void>} check
 */
async function installPacked({ name, folder, manifest }, packed, modules, check) {
  const into = path.join(modules, name);
  mkdirSync(into, { recursive: true });
  await check(name, "tar", ["-xzf", packed.get(name) ?? "", "--strip-components=1", "-C", into]);
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true);
  for (const needed of [...Object.keys(dependencies), ...peers])
    if (!packed.has(needed)) linkInto(modules, needed, path.join(folder, "node_modules"));
}

/** @param {string} modules @param {string} name @param {string} from */
function linkInto(modules, name, from) {
  const link = path.join(modules, name);
  if (existsSync(link)) return;
  mkdirSync(path.dirname(link), { recursive: true });
  // The real path, so that its own dependencies are found beside it.
  symlinkSync(realpathSync(path.join(from, name)), link, "junction");
}
