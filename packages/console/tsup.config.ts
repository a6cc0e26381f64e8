import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { defineConfig } from "tsup";
import type { Options } from "tsup";

const tsconfig = "../../tsconfig.build.json";
const site = "dist/site";
const packed = "dist/packed";
const domain = fileURLToPath(new URL("../domain/src/index.ts", import.meta.url));

/**
 * The files of the site are separate modules beside the code, because not every bundler reads the `imports` of a
 * package.
 */
const besideTheCode: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "beside the code",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^#site\// }, ({ path }) => ({
      path: path.replace(/^#site\/(.+)$/u, "./packed/$1.js"),
      external: true,
    })),
};

/**
 * Turns each file of the site into a module with its compressed content. This halves the package, and the server need
 * not compress.
 */
async function packSite(): Promise<void> {
  await cp(
    "node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
    join(site, "geist.woff2"),
  );
  await packCli();
  await packSignature();
  await cp(join(site, "LICENSES.txt"), "dist/LICENSES.txt");
  await rm(packed, { recursive: true, force: true });
  await mkdir(packed);
  await preloadCode("console");
  await preloadCode("reference");
  const names = await readdir(site);
  // The names of these contain a hash, so that a page never loads the code of another version.
  const parts = names.filter((name) => /-[0-9A-Z]{8}\.js$/u.test(name));
  const loaders = parts.map((name) => `"${name}": () => import("./${name}.js")`);
  await writeFile(join(packed, "parts.js"), `export default { ${loaders.join(", ")} };\n`);
  for (const name of names) {
    if (name === "LICENSES.txt") continue;
    const text = gzipSync(await readFile(join(site, name)), { level: 9 }).toString("base64");
    await writeFile(join(packed, `${name}.js`), `export default "${text}";\n`);
  }
  await rm(site, { recursive: true });
}

/** Names in the page what its code imports at once. Otherwise the browser would ask for it only after it has read the code. */
async function preloadCode(document: string): Promise<void> {
  const names = new Set([`${document}.js`]);
  for (const name of names)
    for (const [, imported = ""] of (await readFile(join(site, name), "utf8")).matchAll(
      /\b(?:from|import)"\.\/([^"]+)"/gu,
    ))
      names.add(imported);
  names.delete(`${document}.js`);
  const links = Array.from(names, (name) => `<link rel="modulepreload" href="console/${name}" />\n    `);
  const page = join(site, `${document}.html`);
  const html = await readFile(page, "utf8");
  await writeFile(page, html.replace("<script", `${links.join("")}<script`));
}

/** Packs the program of the command line. */
function packCli(): Promise<void> {
  return packPackage("cli", "bin", { dist: /(?:\.map|\.d\.ts|index\.js)$/u });
}

/** Packs the verifier for Node, and those for other languages with their tests. */
function packSignature(): Promise<void> {
  return packPackage("signature", "exports", {
    dist: /\.map$/u,
    verifiers: /\/target$/u,
    "test-vectors.json": undefined,
  });
}

/**
 * Packs a package for npm. Its manifest names no other package: npm would ask a registry for them, and wait for a minute
 * if there is none.
 *
 * @param entry the field of the manifest that names what is used
 * @param contents the files and folders of the package, each with those below it that are left out
 */
async function packPackage(
  name: string,
  entry: "bin" | "exports",
  contents: Readonly<Record<string, RegExp | undefined>>,
): Promise<void> {
  const source = join("node_modules/@hookwright", name);
  const folder = join("dist", name);
  for (const [each, left] of Object.entries(contents))
    await cp(join(source, each), join(folder, each), {
      recursive: true,
      filter: (file) => left?.test(file) !== true,
    });
  const {
    version,
    description,
    license,
    type,
    engines,
    [entry]: used,
  } = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  const manifest = {
    name: `@hookwright/${name}`,
    version,
    description,
    license,
    type,
    [entry]: used,
    engines,
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await cp("../../LICENSE", join(folder, "LICENSE"));
  await promisify(execFile)("pnpm", ["pack", "--out", resolve(site, `${name}.tgz`)], {
    cwd: folder,
    shell: process.platform === "win32",
  });
  await rm(folder, { recursive: true });
}

/** Two builds: the server code, and the site for browsers. */
export default defineConfig([
  {
    entry: ["src/index.ts"],
    format: "esm",
    target: "es2024",
    tsconfig,
    sourcemap: true,
    esbuildPlugins: [besideTheCode],
    // The other build cleans its own files.
    clean: ["!cli/**", "!signature/**", "!site/**", "!packed/**", "!LICENSES.txt"],
  },
  {
    entry: { console: "site/console/main.tsx", reference: "site/reference/start.tsx" },
    outDir: site,
    clean: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    tsconfig,
    minify: true,
    splitting: true,
    noExternal: [/./u],
    publicDir: "site/public",
    esbuildOptions: (options) => {
      // From its sources the bundle takes only what the pages use, so no zod.
      options.alias = { "@hookwright/domain": domain };
      // The font is served beside the style sheet.
      options.external = [...(options.external ?? []), "*.woff2"];
      // The licences are in LICENSES.txt beside the code.
      options.legalComments = "none";
    },
    onSuccess: packSite,
  },
]);
