export interface Branding {
  readonly name: string;
  /** The URL of an image. Undefined: none. */
  readonly logo: string | undefined;
  /** The URL of the guides of the host. Undefined: none. */
  readonly docs: string | undefined;
}

/** What the host has set. The server writes them into the page. */
export function readBranding(): Branding {
  const { name, logo, docs } = document.getElementById("console")?.dataset ?? {};
  return { name: name || "Developer console", logo: logo || undefined, docs: docs || undefined };
}
