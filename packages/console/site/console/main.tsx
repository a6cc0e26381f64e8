import { render } from "preact";
import { App } from "./app.tsx";
import { applyTheme } from "./state/preferences.ts";
import { reloadOnLink } from "./state/start-session.ts";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/controls.css";
import "./styles/data.css";
import "./styles/charts.css";
import "./styles/overview.css";
import "./styles/forms.css";
import "./styles/sign-in.css";
import "./styles/narrow.css";
import "./styles/print.css";

applyTheme();
reloadOnLink();
const place = document.getElementById("console");
if (place !== null) render(<App />, place);
