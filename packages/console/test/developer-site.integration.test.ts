import { readFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { developerSite } from "../src/developer-site.ts";
import type { SiteFile } from "../src/site-file.ts";
import { createFileReader } from "../src/site-file.ts";

const site = developerSite();
const textOf = async (file: SiteFile | undefined): Promise<string> =>
  new TextDecoder().decode((await file?.read())?.body);
const documents = site.filter(({ contentType }) => contentType.startsWith("text/html"));

it("has a console and a reference", () => {
  expect(documents.map(({ path }) => path)).toEqual(["/console", "/reference"]);
});

it("with the operator's pages, it also has the reference of the host API", async () => {
  const page = developerSite({}, { operator: true }).find(({ path }) => path === "/host-reference");
  const text = await textOf(page);
  expect(text).toContain('<div id="reference" data-api="host">');
  expect(text).toContain('<p class="brand">Host API reference</p>');
  expect(text).toContain('href="console#/operator"');
  expect(text).toContain('href="host/v1/openapi.json"');
});

it.each(site)("$path unpacks completely and has a tag that depends on its content", async ({ read }) => {
  const { body, gzip, etag } = await read();
  expect(body.length).toBeGreaterThan(100);
  expect(gunzipSync(gzip).equals(body)).toBe(true);
  expect(etag).toMatch(/^"[\w-]{22}"$/u);
  expect((await read()).body).toBe(body);
});

it.each(documents)("every file that $path loads is served, by relative names", async (document) => {
  const text = await textOf(document);
  const names = [...text.matchAll(/(?:src|href)="([^"]+)"/gu)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(2);
  const served = new Set<string>([...site.map(({ path }) => path), "/v1/openapi.json"]);
  expect(names.filter((name) => !served.has(new URL(name, "http://h/console").pathname))).toEqual([]);
  expect(names.filter((name) => name.startsWith("/") || name.includes(":"))).toEqual([]);
});

it.each(documents)(
  "$path has no inline script and no inline style, which its policy forbids",
  async (document) => {
    const text = await textOf(document);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/u);
    expect(document.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self';/u);
    expect(document.headers["content-security-policy"]).not.toContain("unsafe-eval");
    expect(document.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  },
);

it("the console loads at first less than 60 KiB of code, later 96 KiB in all, and 12 KiB of styles", async () => {
  const sizeOf = async (names: readonly string[]): Promise<number> => {
    const files = await Promise.all(
      site.filter(({ path }) => names.includes(path)).map(({ read }) => read()),
    );
    return files.reduce((sum, { gzip }) => sum + gzip.length, 0);
  };
  const page = await textOf(documents[0]);
  const code = site
    .map(({ path }) => path)
    .filter((path) => /^\/console\/.*\.js$/u.test(path) && path !== "/console/reference.js");
  expect(await sizeOf(code.filter((path) => page.includes(`"${path.slice(1)}"`)))).toBeLessThan(60 * 1_024);
  expect(await sizeOf(code)).toBeLessThan(96 * 1_024);
  expect(await sizeOf(["/console/console.css"])).toBeLessThan(12 * 1_024);
});

it("the reference loads less than 100 KB with its font, without the document", async () => {
  const page = documents[1];
  const text = await textOf(page);
  const needed = site.filter(({ path }) => text.includes(`"${path.slice(1)}"`));
  expect(needed.length).toBeGreaterThan(4);
  const sizes = await Promise.all(needed.map(async ({ read }) => (await read()).gzip.length));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
});

it("the font is below 40 KB, and the page asks for it before it reads the styles", async () => {
  const font = site.find(({ contentType }) => contentType === "font/woff2");
  const content = await font?.read();
  expect(content?.body.length).toBeLessThan(40 * 1_000);
  expect(await textOf(documents[0])).toContain(`<link rel="preload" href="${font?.path.slice(1)}" as="font"`);
  // Of the fonts, the text takes only one that is there at once.
  const styles = await textOf(site.find(({ path }) => path === "/console/console.css"));
  expect(styles).toMatch(/src:url\(geist\.woff2\)[^}]*font-display:optional/u);
});

it("every part of the code that another imports is served, and the page names those it needs at once", async () => {
  const page = await textOf(documents[0]);
  const served = new Set<string>(site.map(({ path }) => path));
  const code = site.filter(({ path }) => /^\/console\/.*\.js$/u.test(path));
  expect(code.length).toBeGreaterThan(2);
  for (const file of code) {
    const text = await textOf(file);
    const imports = [...text.matchAll(/\b(?:from|import)(\(?)"\.\/([\w.-]+)"/gu)];
    for (const [, dynamic, name = ""] of imports) {
      expect(served).toContain(`/console/${name}`);
      if (file.path === "/console/console.js" && dynamic === "") expect(page).toContain(`"console/${name}"`);
    }
  }
});

it("the licences of the code and of the font exist", async () => {
  const licences = await readFile(new URL("../dist/LICENSES.txt", import.meta.url), "utf8");
  for (const text of ["The MIT License", "preact", "The ISC License", "lucide", "SIL OPEN FONT LICENSE"])
    expect(licences).toContain(text);
});

it("a missing file gets an error that names it and says what to do, and the next call tries again", async () => {
  let isThere = false;
  const packed = { default: gzipSync("here").toString("base64") };
  const read = createFileReader("none.js", () =>
    isThere ? Promise.resolve(packed) : import(new URL("../dist/packed/none.js", import.meta.url).href),
  );
  for (let call = 1; call <= 2; call++) {
    await expect(read()).rejects.toMatchObject({
      code: "site_file_missing",
      message: expect.stringMatching(/file none\.js is missing.*npm run build/u),
    });
  }
  isThere = true;
  expect(new TextDecoder().decode((await read()).body)).toBe("here");
});
