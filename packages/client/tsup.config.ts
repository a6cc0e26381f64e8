import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/host.ts"],
  format: "esm",
  target: "es2024",
  tsconfig: "../../tsconfig.build.json",
  dts: !process.env["HOOKWRIGHT_BUILD_JS"],
  clean: true,
  sourcemap: true,
});
