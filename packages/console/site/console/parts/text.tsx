import type { ComponentChildren } from "preact";

/** Descriptions of the document: paragraphs with `code`, **bold** and [links](https://example.com). */
export function Text({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <>
      {children.split(/\n{2,}/u).map((paragraph, index) => (
        <p key={index}>{toInline(paragraph)}</p>
      ))}
    </>
  );
}

export function toInline(text: string): ComponentChildren {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\(https?:[^)\s]+\))/u).map((part) => {
    if (part.startsWith("`")) return <code>{part.slice(1, -1)}</code>;
    if (part.startsWith("**")) return <strong>{part.slice(2, -2)}</strong>;
    const [, label, href] = /^\[([^\]]+)\]\((https?:[^)\s]+)\)$/u.exec(part) ?? [];
    return href === undefined ? part : <a href={href}>{label}</a>;
  });
}
