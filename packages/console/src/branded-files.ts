import { grounds } from "./branding.ts";
import type { AccentColours, CheckedBranding, SiteOptions } from "./branding.ts";
import { textColourOn, toTextColour } from "./colours.ts";

/** The path of a logo that this server serves, relative to the page. */
const ownLogo = "console/logo";

export interface PageOptions extends SiteOptions {
  /** Changes with the packed command line: npx never downloads the same URL again. @default none */
  readonly cliTag?: string;
}

/**
 * Writes the branding into the page. The policy of the page forbids inline styles, so the accent is a style sheet.
 *
 * @param html the page as it was built
 */
export function brandPage(
  html: string,
  { name, logo, accent, docs }: CheckedBranding,
  { operator = false, headerPrefix, cliTag }: PageOptions = {},
): string {
  const logoUrl = logo === undefined ? undefined : logo.type === "path" ? logo.path : ownLogo;
  const data = [
    ...(name === undefined ? [] : [` data-name="${escapeHtml(name)}"`]),
    ...(logoUrl === undefined ? [] : [` data-logo="${escapeHtml(logoUrl)}"`]),
    ...(docs === undefined ? [] : [` data-docs="${escapeHtml(docs)}"`]),
    ...(operator ? [" data-operator"] : []),
    ...(headerPrefix === undefined ? [] : [` data-header-prefix="${escapeHtml(headerPrefix)}"`]),
    ...(cliTag === undefined ? [] : [` data-cli-tag="${escapeHtml(cliTag)}"`]),
  ].join("");
  // Functions, because `$` has a meaning in a replacement text.
  return html
    .replace("<title>Developer console</title>", (title) =>
      name === undefined ? title : `<title>${escapeHtml(name)}</title>`,
    )
    .replaceAll("API reference<", (text) => (name === undefined ? text : `${escapeHtml(name)} ${text}`))
    .replace(/<link rel="icon"[^>]*>/u, (icon) =>
      logoUrl === undefined ? icon : `<link rel="icon" href="${escapeHtml(logoUrl)}" />`,
    )
    .replace('href="console/console.css" />', (link) =>
      accent === undefined ? link : `${link}\n    <link rel="stylesheet" href="console/brand.css" />`,
    )
    .replace('<div id="console">', () => `<div id="console"${data}>`);
}

/** Turns the page of the reference into that of the host API. */
export function toHostReference(html: string): string {
  return html
    .replaceAll("API reference<", "Host API reference<")
    .replace(
      'href="console" target="_blank" rel="noopener">Developer',
      'href="console#/operator" target="_blank" rel="noopener">Operator',
    )
    .replace('href="v1/openapi.json">v1', 'href="host/v1/openapi.json">host/v1')
    .replace('<div id="reference">', '<div id="reference" data-api="host">');
}

/** The style sheet with the accent. It is loaded after the one of the console. */
export function renderAccent({ light, dark }: AccentColours): string {
  const lightText = toTextColour(light, grounds.light, "#000000");
  const darkText = toTextColour(dark, grounds.dark, "#ffffff");
  return `:root {
  --accent: light-dark(${light}, ${dark});
  --accent-text: light-dark(${lightText}, ${darkText});
  --on-accent: light-dark(${textColourOn(light)}, ${textColourOn(dark)});
}
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => entities[character] ?? "");
}
