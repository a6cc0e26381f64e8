export interface Branding {
  readonly name: string;
  /** The URL of an image. Undefined: none. */
  readonly logo: string | undefined;
}

/** The name and the logo that the host has set. The server writes them into the page. */
export function readBranding(): Branding {
  const { name, logo } = document.getElementById("console")?.dataset ?? {};
  return { name: name || "Developer console", logo: logo || undefined };
}
