import { judge } from "./suite.ts";

// Deno, Bun and Node run modules as scripts.
console.log(JSON.stringify(await judge()));
