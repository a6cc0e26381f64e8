import { render } from "preact";
import { takeFromOpener } from "../console/state/new-tab.ts";
import { applyTheme } from "../console/state/preferences.ts";
import { readSession, saveSession } from "../console/state/session.ts";
import { HostReference } from "./host-reference.tsx";
import { loadDocument } from "./load-document.ts";
import { Reference } from "./reference.tsx";
import "./reference.css";

applyTheme();
const place = document.getElementById("reference");
if (place !== null) {
  if (place.dataset["api"] === "host") render(<HostReference />, place);
  else await showReference(place);
}

async function showReference(place: HTMLElement): Promise<void> {
  const session = readSession() ?? takeFromOpener();
  if (session !== undefined) saveSession(session);
  try {
    render(<Reference document={await loadDocument("v1/openapi.json")} session={session} />, place);
  } catch (error) {
    render(
      <p class="note bad" role="alert">
        The OpenAPI document could not be loaded. {error instanceof Error ? error.message : String(error)}{" "}
        Reload the page.
      </p>,
      place,
    );
  }
}
