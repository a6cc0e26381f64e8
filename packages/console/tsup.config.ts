import { copyFile } from "node:fs/promises";
import { defineConfig } from "tsup";

const tsconfig = "../../tsconfig.build.json";

/** Two builds: what runs in the server, and the site that it serves to browsers. */
export default defineConfig([
  {
    entry: ["src/index.ts"],
    format: "esm",
    target: "es2024",
    tsconfig,
    dts: !process.env["HOOKWRIGHT_BUILD_JS"],
    sourcemap: true,
    // The other build's own to clean.
    clean: ["!site/**"],
  },
  {
    entry: { console: "site/console/main.tsx", reference: "site/reference/start.ts" },
    outDir: "dist/site",
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
    onSuccess: () =>
      copyFile("node_modules/@scalar/api-reference/dist/browser/standalone.js", "dist/site/scalar.js"),
  },
]);
