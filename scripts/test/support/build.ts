import { prepare } from "../../bootstrap/prepare.mjs";

/** Builds what has changed. Vitest calls it before the tests of a project that starts servers. */
export default async function build(): Promise<void> {
  await prepare({ build: "javascript" });
}
