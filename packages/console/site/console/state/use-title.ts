import { useEffect } from "preact/hooks";
import { readBranding } from "../shell/branding.ts";

/** Sets the title of the tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${readBranding().name}`;
  }, [title]);
}
