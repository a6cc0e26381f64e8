import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";

const domain = fileURLToPath(new URL("../domain/src/index.ts", import.meta.url));

export default defineConfig({
  entry: ["src/index.ts", "src/main.ts"],
  format: "esm",
  target: "es2024",
  tsconfig: "../../tsconfig.build.json",
  clean: true,
  sourcemap: true,
  esbuildOptions(options) {
    // From its sources the bundle takes only what the commands use, so no zod.
    options.alias = { "@hookwright/domain": domain };
    // An eighth of what npx downloads. Names stay, so that a report of a bug says where it is.
    options.minifyWhitespace = true;
  },
});
