import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/node.ts", "src/verify.ts", "src/duplicates.ts", "src/handlers.ts"],
  format: "esm",
  target: "es2024",
  tsconfig: "../../tsconfig.build.json",
  // Each server serves this package, so its declarations belong to every build.
  dts: true,
  clean: true,
  sourcemap: true,
});
