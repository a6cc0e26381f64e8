import type { MarkdownRenderer } from "vitepress";

/** In characters. Longer code may break, since a phone has no room for it on one line. */
const longest = 24;

/** Keeps short code in a sentence on one line: browsers break `--help` behind its first dash, and `GET /healthz` at the space. */
export function shortCode(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("short-code", ({ tokens }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        if (token.type === "code_inline" && token.content.length <= longest) token.attrJoin("class", "short");
      }
    }
  });
}
