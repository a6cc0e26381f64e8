import { render } from "preact";
import { takeFromOpener } from "../console/state/new-tab.ts";
import { applyTheme } from "../console/state/preferences.ts";
import { readSession, saveSession } from "../console/state/session.ts";
import type { ApiDocument } from "./document.ts";
import { Reference } from "./reference.tsx";
import "./reference.css";

applyTheme();
const place = document.getElementById("reference");
const session = readSession() ?? takeFromOpener();
if (session !== undefined) saveSession(session);

try {
  const response = await fetch(new URL("v1/openapi.json", location.href));
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const api: ApiDocument = await response.json();
  if (place !== null) render(<Reference document={api} session={session} />, place);
} catch (error) {
  if (place !== null)
    render(
      <p class="note bad" role="alert">
        The OpenAPI document could not be loaded: {error instanceof Error ? error.message : String(error)}.
        Reload the page.
      </p>,
      place,
    );
}
