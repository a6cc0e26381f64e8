/** Returns the folder of the page: `https://example.com/integrations/` for `…/integrations/console#/keys`. */
export function readBaseUrl(): string {
  return new URL(".", location.href).href;
}

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

/** Whether the host has switched on the pages for its staff. The server writes it into the page. */
export function hasOperatorPages(): boolean {
  return document.getElementById("console")?.dataset["operator"] !== undefined;
}

/** The prefix of the names of the signed headers. The server writes it into the page, if it is its own. */
export function readHeaderPrefix(): string | undefined {
  return document.getElementById("console")?.dataset["headerPrefix"];
}

/**
 * Which of the programs of this page the address belongs to: that of the people of an account, of the host's staff, or of a link to one
 * delivery, to the confirmation or the end of mails, or to an invitation.
 */
export function readPageKind(): "console" | "operator" | "shared" | "stop" | "confirm" | "invitation" {
  const [, section] = /^#\/(operator|shared|stop|confirm|invitation)(?:[/?]|$)/u.exec(location.hash) ?? [];
  if (section === "shared" || section === "stop" || section === "confirm" || section === "invitation")
    return section;
  return section === "operator" && hasOperatorPages() ? "operator" : "console";
}
