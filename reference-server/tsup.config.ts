import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts"],
  // `@hookwright/cli` is a development dependency, so it is bundled. As a dependency, npm would link its program
  // `hookwright` over this one.
  format: "esm",
  target: "es2024",
  tsconfig: "../tsconfig.build.json",
  clean: true,
  sourcemap: true,
});
