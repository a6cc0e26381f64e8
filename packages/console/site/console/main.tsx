import { render } from "preact";
import { App } from "./app.tsx";
import "./console.css";

const place = document.getElementById("console");
if (place !== null) render(<App />, place);
