import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the clone. */
export const ROOT = path.resolve(fileURLToPath(new URL("../..", import.meta.url)));
