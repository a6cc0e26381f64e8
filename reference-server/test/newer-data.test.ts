import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";

it("every command refuses a directory with data of a newer version, with the same sentence", async () => {
  const directory = await makeFolder();
  await writeFile(join(directory, "store-2.mdb"), "");
  const to = `${directory}-copy`;
  const commands = [["serve"], ["doctor"], ["check-storage"], ["backup", "--to", to], ["rotate-secret"]];
  for (const command of commands) {
    const { code, printed, complained } = await runCommand([...command, "--storage", `file:${directory}`]);
    expect(code).toBe(1);
    expect(printed + complained).toContain(
      `The directory ${directory} contains store-2.mdb, which a newer version has written. This version reads only store-1.mdb,`,
    );
    // Nothing was created beside it.
    expect(await readdir(directory)).toEqual(["store-2.mdb"]);
  }
});
