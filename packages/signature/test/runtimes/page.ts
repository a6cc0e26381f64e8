import { judge } from "./suite.ts";

document.body.textContent = JSON.stringify(await judge());
