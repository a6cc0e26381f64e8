import { render } from "preact";
import { App } from "./app.tsx";
import { onDemand } from "./parts/on-demand.tsx";
import { watchLinks } from "./state/link-code.ts";
import { isOperatorAddress } from "./state/page.ts";
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

const OperatorApp = onDemand(async () => (await import("./more-screens.ts")).OperatorApp);

applyTheme();
const place = document.getElementById("console");
const isOperator = isOperatorAddress();
// The two share the page, but not their sessions.
addEventListener("hashchange", () => {
  if (isOperatorAddress() !== isOperator) location.reload();
});
if (!isOperator) watchLinks();
if (place !== null) render(isOperator ? <OperatorApp /> : <App />, place);
