import { CopyButton } from "./copy-button.tsx";

/** A command for a terminal, with a copy button. */
export function CommandLine({ text }: { readonly text: string }) {
  return (
    <div class="command-line">
      <code>{text}</code>
      <CopyButton text={text}>Copy</CopyButton>
    </div>
  );
}
