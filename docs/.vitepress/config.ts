import process from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import type { DefaultTheme } from "vitepress";
import { colourSchemes } from "./colour-schemes.ts";
import { fileNames } from "./file-names.ts";
import { writeMarkdownFiles } from "./markdown-files.ts";
import { groups, titleOf, toPage } from "./pages.ts";
import type { Group } from "./pages.ts";
import { boostDocument } from "./search-order.ts";
import { shortCode } from "./short-code.ts";
import { sourceLinks } from "./source-links.ts";
import { toAnchor } from "./to-anchor.ts";

const linkOf = (file: string): string => `/${toPage(file)?.replace(/\.md$/u, "")}`;

function toSidebar({ text, files }: Group, collapsed = false): DefaultTheme.SidebarItem {
  return { text, collapsed, items: files.map((file) => ({ text: titleOf(file), link: linkOf(file) })) };
}

function toNav({ text, files }: Group): DefaultTheme.NavItem {
  return { text, link: linkOf(files[0] ?? "") };
}

const guides: Group = { text: "Guides", files: groups.sending.files };
/** Where the site will be, such as `https://docs.example.com`. Social cards need whole URLs. */
const siteUrl = process.env["DOCS_URL"] ?? "";
const sentence = "Webhooks your customers can debug";

export default defineConfig({
  title: "Hookwright",
  description: `${sentence}: the integration API and signed webhooks of a site builder, for your Node server or on its own.`,
  lang: "en-GB",
  // The pages are the files as they lie in the repository: READMEs of packages among them.
  srcDir: "..",
  srcExclude: [
    // Its name differs from docs/security.md only in case.
    "SECURITY.md",
    "**/CHANGELOG.md",
    "packages/*/*/**",
    "reference-server/*/**",
    "docs/{examples,node_modules,test}/**",
  ],
  rewrites: (file) => toPage(file) ?? file,
  cacheDir: fileURLToPath(new URL("../node_modules/.cache/vitepress", import.meta.url)),
  cleanUrls: true,
  head: [
    ["link", { rel: "icon", href: "/icon.svg", type: "image/svg+xml" }],
    ["meta", { property: "og:title", content: `Hookwright: ${sentence.toLowerCase()}` }],
    ["meta", { property: "og:image", content: `${siteUrl}/social-card.png` }],
    ["meta", { name: "twitter:card", content: "summary_large_image" }],
  ],
  transformHead({ assets }) {
    const font = assets.find((file) => file.endsWith(".woff2"));
    if (font === undefined) return [];
    return [["link", { rel: "preload", href: font, as: "font", type: "font/woff2", crossorigin: "" }]];
  },
  markdown: {
    anchor: { slugify: toAnchor },
    config(markdown) {
      colourSchemes(markdown);
      sourceLinks(markdown);
      fileNames(markdown);
      shortCode(markdown);
    },
  },
  buildEnd: ({ outDir, site: { base, title, description } }) =>
    writeMarkdownFiles({ directory: outDir, base, title, summary: description }),
  // Or Vite looks through every HTML file of the repository for what it should prepare.
  vite: {
    optimizeDeps: { entries: ["docs/.vitepress/theme/index.ts"] },
    publicDir: fileURLToPath(new URL("public", import.meta.url)),
  },
  themeConfig: {
    logo: "/icon.svg",
    nav: [guides, groups.reference, groups.operations, groups.packages].map(toNav),
    sidebar: [
      { text: groups.overview.text, link: linkOf(groups.overview.files[0]) },
      toSidebar(groups.sending),
      toSidebar(groups.receiving),
      toSidebar(groups.consoleAndPromises),
      toSidebar(groups.reference),
      toSidebar(groups.operations),
      toSidebar(groups.packages),
      toSidebar(groups.contributing),
      toSidebar(groups.decisions, true),
    ],
    outline: [2, 3],
    search: {
      provider: "local",
      options: { miniSearch: { searchOptions: { boostDocument } } },
    },
    footer: { message: "MIT licence" },
  },
});
