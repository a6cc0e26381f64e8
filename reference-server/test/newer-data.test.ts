import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../src/cli.ts";
import { createTestProgram } from "./support/test-program.ts";

it("every command refuses a directory with data of a newer version, with the same sentence", async () => {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-newer-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "store-2.mdb"), "");
  const to = `${directory}-copy`;
  const commands = [["serve"], ["doctor"], ["check-storage"], ["backup", "--to", to], ["rotate-secret"]];
  for (const command of commands) {
    const program = createTestProgram({ commandLine: [...command, "--storage", `file:${directory}`] });
    expect(await runCli(program)).toBe(1);
    expect([...program.printed, ...program.complained].join("\n")).toContain(
      `The directory ${directory} contains store-2.mdb, which a newer version has written. This version reads only store-1.mdb,`,
    );
    // Nothing was created beside it.
    expect(await readdir(directory)).toEqual(["store-2.mdb"]);
  }
});
