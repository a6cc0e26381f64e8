import { pageStyles } from "./page-styles.ts";

/** What `scalar.js`, loaded before this, leaves in the page. */
declare const Scalar: {
  createApiReference(element: string, configuration: Readonly<Record<string, unknown>>): unknown;
};

/** The reference asks nobody but the server it comes from: no fonts, no telemetry, no proxy for requests that are tried. */
Scalar.createApiReference("#reference", {
  url: new URL("v1/openapi.json", location.href).href,
  // Right under whatever path the API is mounted at; the document knows its `basePath` alone.
  servers: [{ url: new URL(".", location.href).href.replace(/\/$/u, "") }],
  customCss: pageStyles,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});
