import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/memory.ts",
    "src/filesystem.ts",
    "src/redis.ts",
    "src/postgres.ts",
    "src/unstorage.ts",
    "src/sorted-runs.ts",
    "src/text-cache.ts",
    "src/process-identity.ts",
    "src/adapter.ts",
    "src/contract.ts",
    "src/filesystem/writer-thread.ts",
  ],
  format: "esm",
  target: "es2024",
  tsconfig: "../../tsconfig.build.json",
  clean: true,
  sourcemap: true,
});
