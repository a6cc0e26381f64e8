import { existsSync } from "node:fs";
import path from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { root, toPage } from "./pages.ts";

/**
 * Links are written for whoever reads the files as they lie in the repository. Here those to pages lead to the page, and those to
 * anything else (a test, a source) tell where it lies instead.
 */
export function sourceLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("source-links", ({ tokens, env }) => {
    const file = path.relative(root, String(env.realPath ?? env.path)).replaceAll(path.sep, "/");
    for (const { children } of tokens) {
      let isSource = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const href = token.attrGet("href") ?? "";
          const target = resolveLink(file, href);
          if (target === undefined) continue;
          isSource = !("page" in target);
          if ("page" in target) token.attrSet("href", target.page);
          else toHtml(token, `<span class="source" title="${markdown.utils.escapeHtml(target.source)}">`);
        } else if (token.type === "link_close" && isSource) {
          isSource = false;
          toHtml(token, "</span>");
        }
      }
    }
  });
}

type Target = { readonly page: string } | { readonly source: string };

/** Where a link of a file leads on the site. Undefined for what leads to another site, or within the page. */
export function resolveLink(file: string, href: string): Target | undefined {
  if (/^(?:[a-z]+:|#)/iu.test(href)) return undefined;
  const [link = "", hash] = decodeURI(href).split("#");
  const lead = path.posix.join(path.posix.dirname(file), link).replace(/\/$/u, "");
  const shown = existsSync(path.join(root, lead, "README.md")) ? path.posix.join(lead, "README.md") : lead;
  const page = toPage(shown);
  if (page === undefined || !existsSync(path.join(root, shown))) return { source: lead };
  return { page: `/${page}${hash === undefined ? "" : `#${hash}`}` };
}

interface Token {
  type: string;
  content: string;
}

function toHtml(token: Token, html: string): void {
  token.type = "html_inline";
  token.content = html;
}
