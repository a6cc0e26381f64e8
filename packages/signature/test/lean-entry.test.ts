import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Format } from "esbuild";
import { expect, it } from "vitest";
import { body, headers, now, secret } from "./sample-delivery.ts";

async function bundle(
  entry: string,
  format: Format,
): Promise<{ code: string; inputs: string[]; imports: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${entry}`, import.meta.url))],
    bundle: true,
    minify: true,
    format,
    globalName: "bundled",
    platform: "neutral",
    target: "es2022",
    metafile: true,
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  return {
    code: outputFiles[0]?.text ?? "",
    inputs: Object.keys(metafile.inputs),
    imports: output?.imports.map(({ path }) => path) ?? [],
  };
}

it("the lean entry is at most 1.5 KB, minified and gzipped", async () => {
  const { code } = await bundle("verify.ts", "esm");
  expect(code).toContain("signature_mismatch");
  expect(gzipSync(code).length).toBeLessThanOrEqual(1500);
});

it.each(["verify.ts", "index.ts", "handlers.ts", "duplicates.ts"])(
  "%s imports only files of this package",
  async (entry) => {
    const { inputs, imports } = await bundle(entry, "esm");
    expect(imports).toEqual([]);
    expect(inputs.filter((path) => path.includes("node_modules"))).toEqual([]);
  },
);

it("the lean entry uses only APIs of all runtimes", async () => {
  const { code } = await bundle("verify.ts", "iife");
  const context = createContext({
    crypto,
    TextEncoder,
    TextDecoder,
    options: { body, headers: { ...headers, "X-Service-Test": "1" }, secrets: [secret], now },
  });
  const event: unknown = await runInContext(`${code}; bundled.verify(options)`, context);
  expect(event).toMatchObject({ id: "subscriber.created_s1", test: true });
});
