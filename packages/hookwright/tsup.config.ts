import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/fastify.ts", "src/postgres.ts", "src/repository-contract.ts"],
  format: "esm",
  target: "es2024",
  tsconfig: "../../tsconfig.build.json",
  clean: true,
  sourcemap: true,
});
