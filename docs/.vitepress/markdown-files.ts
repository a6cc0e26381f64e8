import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { groups, homePage, root, titleOf, toPage } from "./pages.ts";
import type { Group } from "./pages.ts";
import { resolveLink } from "./source-links.ts";

export interface MarkdownFilesOptions {
  /** The folder of the built site. */
  readonly directory: string;
  /** Where the site is served, such as `/`. */
  readonly base: string;
  readonly title: string;
  readonly summary: string;
}

/** Readers with little space may skip these. */
const optional: Group = {
  text: "Optional",
  files: [...groups.contributing.files, ...groups.decisions.files],
};
const sections = [
  groups.overview,
  groups.sending,
  groups.receiving,
  groups.consoleAndPromises,
  groups.reference,
  groups.operations,
  groups.packages,
  optional,
];

/** Writes each page as Markdown, and `llms.txt`, which lists them (https://llmstxt.org). */
export async function writeMarkdownFiles({
  directory,
  base,
  title,
  summary,
}: MarkdownFilesOptions): Promise<void> {
  const write = async (name: string, text: string): Promise<void> => {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const line = async (file: string): Promise<string> =>
    `- [${titleOf(file)}](${base}${toPage(file)}): ${firstParagraph(await readPage(file))}`;
  const lists = sections.map(async ({ text, files }) => {
    const lines = await Promise.all(files.map(line));
    return `## ${text}\n\n${lines.join("\n")}\n`;
  });
  const introduction = `The [home page](${base}${toPage(homePage)}) has twelve lines of code. Every page of the site is also there as Markdown: \`/guide/running\` at \`/guide/running.md\`.`;
  const parts = [`# ${title}\n`, `> ${summary}\n`, `${introduction}\n`, ...(await Promise.all(lists))];
  const pages = [homePage, ...sections.flatMap(({ files }) => files)];
  await Promise.all([
    write("llms.txt", parts.join("\n")),
    ...pages.map(async (file) => write(`${toPage(file)}`, withSiteLinks(file, await readPage(file), base))),
  ]);
}

const readPage = (file: string): Promise<string> => readFile(path.join(root, file), "utf8");

/** The beginning of a line that is no text: a heading, a list, a table, a quotation, an image, HTML. */
const noText = /^(?:#|[-*] |\||>|!\[|<)/u;

/** The first paragraph of a page, on one line and without links. */
function firstParagraph(markdown: string): string {
  const paragraph = withoutCode(markdown)
    .split(/\n{2,}/u)
    .find((block) => block.trim() !== "" && !noText.test(block.trim()));
  if (paragraph === undefined) throw new Error(`a page has no paragraph: ${markdown.slice(0, 100)}`);
  return paragraph.trim().replaceAll(/\s*\n/gu, " ").replaceAll(links, "$2").replaceAll("**", "");
}

const links = /!?(\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\))/gu;
const codeBlocks = /^(```+)[^\n]*\n.*?^\1$/gmsu;

const withoutCode = (markdown: string): string => markdown.replaceAll(codeBlocks, "");

/** Links lead to the Markdown of other pages. A link to a source file becomes its path, because the site does not have the file. */
function withSiteLinks(file: string, markdown: string, base: string): string {
  const convert = (text: string): string =>
    text.replaceAll(links, (link, _, label: string, href: string) => {
      const target = resolveLink(file, href);
      if (target === undefined) return link;
      return "page" in target ? `[${label}](${base}${target.page.slice(1)})` : `${label} (${target.source})`;
    });
  let converted = "";
  let position = 0;
  for (const block of markdown.matchAll(codeBlocks)) {
    converted += convert(markdown.slice(position, block.index)) + block[0];
    position = block.index + block[0].length;
  }
  return converted + convert(markdown.slice(position));
}
