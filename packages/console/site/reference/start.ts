import { pageStyles } from "./page-styles.ts";

/** The global variable that `scalar.js` sets before this script runs. */
declare const Scalar: {
  createApiReference(element: string, configuration: Readonly<Record<string, unknown>>): unknown;
};

/** Starts the viewer. It contacts only its own server: no fonts, no telemetry, no proxy for test requests. */
Scalar.createApiReference("#reference", {
  url: new URL("v1/openapi.json", location.href).href,
  // Correct below any mount. The document knows only its `basePath`.
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
