import { render } from "preact";
import { App } from "./app.tsx";
import { onDemand } from "./parts/on-demand.tsx";
import { watchLinks } from "./state/link-code.ts";
import { readPageKind } from "./state/page.ts";
import { applyTheme } from "./state/preferences.ts";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/controls.css";
import "./styles/data.css";
import "./styles/charts.css";
import "./styles/overview.css";
import "./styles/forms.css";
import "./styles/requests.css";
import "./styles/sign-in.css";
import "./styles/narrow.css";
import "./styles/print.css";

const apps = {
  console: App,
  operator: onDemand(async () => (await import("./more-screens.ts")).OperatorApp),
  shared: onDemand(async () => (await import("./more-screens.ts")).SharedPage),
  stop: onDemand(async () => (await import("./more-screens.ts")).StopPage),
  confirm: onDemand(async () => (await import("./more-screens.ts")).ConfirmPage),
  invitation: onDemand(async () => (await import("./more-screens.ts")).InvitationPage),
};

applyTheme();
const place = document.getElementById("console");
const kind = readPageKind();
// They share the page, but not their sessions.
addEventListener("hashchange", () => {
  if (readPageKind() !== kind) location.reload();
});
if (kind === "console") watchLinks();
const Shown = apps[kind];
if (place !== null) render(<Shown />, place);
