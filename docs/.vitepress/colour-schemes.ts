import type { MarkdownRenderer } from "vitepress";

const picture =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img ([^>]*?)src="([^"]+)"([^>]*)>\s*<\/picture>/gu;

/**
 * Turns a `<picture>` with a dark source into two images, of which the style sheet shows one. The site has a switch for the
 * colour scheme, and a media query knows only that of the system.
 */
export function colourSchemes(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("colour-schemes", ({ tokens }) => {
    for (const token of tokens) if (token.type === "html_block") token.content = withTwoImages(token.content);
  });
}

const withTwoImages = (html: string): string =>
  html.replaceAll(picture, (_, dark: string, before: string, light: string, after: string) => {
    const image = (scheme: string, source: string): string =>
      `<img class="${scheme}" ${before}src="${source}"${after} loading="lazy">`;
    return image("light", light) + image("dark", dark);
  });
