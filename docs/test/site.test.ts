import { execFile } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";
import { hasBrowser, openBrowser } from "../../packages/hookwright/test/support/open-browser.ts";
import { boostDocument } from "../.vitepress/search-order.ts";
import { groups, homePage, root, titleOf, toPage } from "../.vitepress/pages.ts";

const require = createRequire(import.meta.url);
const files = globSync(["README.md", "packages/*/README.md", "reference-server/README.md", "docs/**/*.md"], {
  cwd: root,
  exclude: (name) => name.endsWith("node_modules"),
});
const listed: readonly string[] = Object.values(groups).flatMap((group) => [...group.files]);
let site = "";

beforeAll(async () => {
  site = await mkdtemp(path.join(tmpdir(), "hookwright-site-"));
  // The VitePress build fails on broken links between pages.
  const vitepress = path.join(root, "node_modules/vitepress/bin/vitepress.js");
  const build = [vitepress, "build", path.join(root, "docs"), "--outDir", site];
  await promisify(execFile)(process.execPath, build, { env: { ...process.env, NODE_ENV: "production" } });
}, 120_000);
afterAll(() => rm(site, { recursive: true, force: true }));

const pages = new Map<string, Promise<string>>();
function read(page: string): Promise<string> {
  const known = pages.get(page) ?? readFile(path.join(site, page), "utf8");
  pages.set(page, known);
  return known;
}
const htmlOf = (file: string): string => (toPage(file) ?? file).replace(/\.md$/u, ".html");

it("the table of contents lists every page except the first exactly once", () => {
  expect(listed.toSorted()).toEqual(files.filter((file) => file !== homePage).toSorted());
});

describe("on the site", () => {
  it.each(files)("%s has its title and no broken links", async (file) => {
    const html = await read(htmlOf(file));
    expect(html).toContain(`<title>${titleOf(file).replaceAll("&", "&amp;")}`);
    const [, content = ""] = /<main[^>]*>(.*)<\/main>/su.exec(html) ?? [];
    expect(content.length).toBeGreaterThan(500);
    const links = [...content.matchAll(/ href="([^"]+)"/gu)].map(([, href = ""]) => href);
    for (const link of links.filter((href) => !/^https?:/u.test(href))) expect(link).toMatch(/^[/#]/u);
    const broken = await Promise.all(
      links.map(async (link) => ((await isValidLink(link, html)) ? [] : [link])),
    );
    expect(broken.flat()).toEqual([]);
  });

  it("links to source files show the path, and code blocks show their file", async () => {
    expect(await read("overview.html")).toContain(
      '<span class="source" title="reference-server/test/crash.test.ts">',
    );
    expect(await read("guide/own-data.html")).toContain(
      '<p class="file">docs/examples/own-data/contacts.ts</p>',
    );
  });

  it("the home page shows twelve lines of code, a link for each reader and the console in both colour schemes", async () => {
    const source = await readFile(path.join(root, homePage), "utf8");
    const [, code = ""] = /^```ts\n(.*?)^```$/msu.exec(source) ?? [];
    expect(code.split("\n").filter((line) => line !== "" && !line.startsWith("//"))).toHaveLength(12);
    const html = await read("index.html");
    for (const guide of ["embedding", "running", "receiving"])
      expect(html).toMatch(new RegExp(`<h2[^>]*><a href="/guide/${guide}"`, "u"));
    for (const scheme of ["light", "dark"])
      expect(html).toMatch(
        new RegExp(`<img class="${scheme}" alt="[^"]+" src="/assets/console-${scheme}\\.`, "u"),
      );
  });

  it.runIf(hasBrowser)(
    "no code is cut at any width, and nothing is wider than the page",
    { timeout: 60_000 },
    async () => {
      await using server = await listenLocally(
        createServer((request, response) => {
          const { pathname } = new URL(request.url ?? "/", "http://localhost");
          const file = path.join(site, pathname === "/" ? "index.html" : pathname);
          readFile(existsSync(file) ? file : `${file}.html`).then(
            (body) => response.setHeader("content-type", typeOf(file)).end(body),
            () => response.writeHead(404).end(),
          );
        }),
      );
      await using browser = await openBrowser();
      const page = await browser.newPage();
      for (const address of ["/", "/guide/receiving", "/guide/comparison", "/overview"]) {
        await page.goto(server.origin + address);
        for (const width of [360, 390, 768, 1_024, 1_280, 1_440]) {
          await page.setViewportSize({ width, height: 800 });
          const cut = await page.evaluate(() => [
            ...(document.documentElement.scrollWidth > innerWidth ? ["the page"] : []),
            ...Array.from(document.querySelectorAll("main pre"))
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
              .map(({ textContent }) => textContent),
          ]);
          expect([address, width, cut]).toEqual([address, width, []]);
        }
      }
    },
  );

  it("short inline code does not wrap", async () => {
    expect(await read("guide/running.html")).toContain('<code class="short">--help</code>');
  });

  it("the search finds guides before decisions and other pages", async () => {
    const [file = ""] = globSync("assets/chunks/@localSearchIndexroot.*.js", { cwd: site });
    const { default: index }: { default: string } = await import(pathToFileURL(path.join(site, file)).href);
    const { default: MiniSearch } = await import(
      pathToFileURL(createRequire(require.resolve("vitepress")).resolve("minisearch")).href
    );
    const search = MiniSearch.loadJSON(index, {
      fields: ["title", "titles", "text"],
      storeFields: ["title"],
    });
    const boost = { title: 4, text: 2, titles: 1 };
    const first = (words: string): string =>
      search.search(words, { fuzzy: 0.2, prefix: true, boost, boostDocument })[0]?.id;
    for (const words of [
      "postgres",
      "verify signature",
      "console",
      "migrate secrets",
      "embed express",
      "listen",
    ])
      expect([words, first(words)]).toEqual([words, expect.stringMatching(/^\/guide\//u)]);
  });

  it("the home page has the logo, the icon and a social card, and the fonts and pictures that it names exist", async () => {
    const html = await read("index.html");
    for (const name of ["icon.svg", "social-card.png"]) {
      expect(html).toContain(`/${name}"`);
      expect(existsSync(path.join(site, name))).toBe(true);
    }
    expect(globSync("assets/geist-latin-wght-normal.*.woff2", { cwd: site })).toHaveLength(1);
  });
});

describe("as Markdown", () => {
  const linksOf = (markdown: string): string[] =>
    [...markdown.matchAll(/\]\(([^)\s]+)\)/gu)].map(([, link = ""]) => link);
  const leadsToFile = (link: string): boolean => existsSync(path.join(site, link.split("#")[0] ?? ""));

  it("llms.txt has a title, a summary, and a line for each page", async () => {
    const text = await read("llms.txt");
    expect(text).toMatch(/^# Hookwright\n\n> [^\n]+\n\n[^\n]+\n\n## Overview\n\n- /u);
    expect(linksOf(text).toSorted()).toEqual(files.map((file) => `/${toPage(file)}`).toSorted());
    const lines = text.split("\n").filter((line) => line.startsWith("- "));
    expect(lines).toHaveLength(listed.length);
    for (const line of lines) expect(line).toMatch(/^- \[[^\]]+\]\(\S+\): \S.{20,}$/u);
    expect(text).toContain(
      "- [Running the server](/guide/running.md): The standalone server is for site builders in any language, and for trials. A Node program can embed the library instead.",
    );
  });

  it("llms.txt links only to files of the site", async () => {
    expect(linksOf(await read("llms.txt")).filter((link) => !leadsToFile(link))).toEqual([]);
  });

  it.each(files)("%s has its text, and links to files of the site", async (file) => {
    const markdown = await read(toPage(file) ?? file);
    const source = await readFile(path.join(root, file), "utf8");
    expect(markdown.split("\n").length).toBe(source.split("\n").length);
    expect(markdown.split("\n")[0]).toBe(source.split("\n")[0]);
    const text = markdown.replaceAll(/^```.*?^```$/gmsu, "");
    const broken = linksOf(text).filter((link) => !/^(?:https?:|#)/u.test(link) && !leadsToFile(link));
    expect(broken).toEqual([]);
  });
});

const typeOf = (file: string): string =>
  ({ ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" })[path.extname(file)] ??
  "text/html";

async function isValidLink(link: string, html: string): Promise<boolean> {
  if (/^https?:/u.test(link)) return true;
  const [page = "", hash] = decodeURI(link).split("#");
  const target = page === "/" ? "index.html" : `${page.slice(1)}.html`;
  if (page !== "" && !existsSync(path.join(site, target))) return false;
  if (hash === undefined || hash === "") return true;
  return (page === "" ? html : await read(target)).includes(` id="${hash}"`);
}
