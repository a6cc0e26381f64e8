import type { MarkdownRenderer } from "vitepress";

/** Says above a block of code which file it is, where the block says so (`ts file=docs/examples/…`). */
export function fileNames(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  if (fence === undefined) throw new Error("VitePress renders blocks of code otherwise than it did");
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const block = fence(tokens, index, ...rest);
    const [, file] = / file=(\S+)/u.exec(tokens[index]?.info ?? "") ?? [];
    return file === undefined ? block : `<p class="file">${markdown.utils.escapeHtml(file)}</p>${block}`;
  };
}
