import type { IconNode } from "lucide";
import { h } from "preact";

/** An icon. It repeats the text beside it, so screen readers skip it. */
export function Icon({ of }: { readonly of: IconNode }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}
