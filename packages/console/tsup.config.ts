import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig } from "tsup";
import type { Options } from "tsup";

const tsconfig = "../../tsconfig.build.json";
const site = "dist/site";
const packed = "dist/packed";

/** The files of the site are imported as they lie beside the code: not every bundler looks into the `imports` of a package. */
const besideTheCode: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "beside the code",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^#site\// }, ({ path }) => ({
      path: path.replace(/^#site\/(.+)$/u, "./packed/$1.js"),
      external: true,
    })),
};

/** Each file of the site becomes a module that holds it compressed: half the size of the package, and nothing to compress in the server. */
async function packSite(): Promise<void> {
  await cp("node_modules/@scalar/api-reference/dist/browser/standalone.js", join(site, "scalar.js"));
  await cp(join(site, "LICENSES.txt"), "dist/LICENSES.txt");
  await rm(packed, { recursive: true, force: true });
  await mkdir(packed);
  for (const name of await readdir(site)) {
    if (name === "LICENSES.txt") continue;
    const text = gzipSync(await readFile(join(site, name)), { level: 9 }).toString("base64");
    await writeFile(join(packed, `${name}.js`), `export default "${text}";\n`);
  }
  await rm(site, { recursive: true });
}

/** Two builds: what runs in the server, and the site that it serves to browsers. */
export default defineConfig([
  {
    entry: ["src/index.ts"],
    format: "esm",
    target: "es2024",
    tsconfig,
    dts: !process.env["HOOKWRIGHT_BUILD_JS"],
    sourcemap: true,
    esbuildPlugins: [besideTheCode],
    // The other build's own to clean.
    clean: ["!site/**", "!packed/**", "!LICENSES.txt"],
  },
  {
    entry: { console: "site/console/main.tsx", reference: "site/reference/start.ts" },
    outDir: site,
    clean: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    tsconfig,
    minify: true,
    splitting: false,
    noExternal: [/./u],
    publicDir: "site/public",
    // The viewer of the reference is one file, complete in itself.
    onSuccess: packSite,
  },
]);
