import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeUnknownVariables } from "../../src/options/unknown-variables.ts";
import { hasProgram } from "../support/has-program.ts";

const folder = fileURLToPath(new URL("../../deploy/systemd", import.meta.url));
const unit = readFileSync(path.join(folder, "hookwright.service"), "utf8");
const dropIn = readFileSync(path.join(folder, "hookwright.service.d/shared-storage.conf"), "utf8");
const valuesOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gmu"))].map(([, value = ""]) => value);

describe("the systemd unit", () => {
  it("waits for the messages of the server, and has time to drain", () => {
    expect(valuesOf(unit, "Type")).toEqual(["notify"]);
    // systemd-notify is a child of the server.
    expect(valuesOf(unit, "NotifyAccess")).toEqual(["all"]);
    expect(Number(valuesOf(unit, "WatchdogSec"))).toBeGreaterThanOrEqual(10);
    expect(Number(valuesOf(unit, "TimeoutStopSec"))).toBeGreaterThan(15);
  });

  it.each([
    ["unit", unit],
    ["drop-in", dropIn],
  ])("%s: sets known variables, and reads each secret from its credential", (_, text) => {
    const environment = Object.fromEntries(
      valuesOf(text, "Environment").map((pair): [string, string] => {
        const [name = "", ...value] = pair.split("=");
        return [name, value.join("=")];
      }),
    );
    expect(describeUnknownVariables(environment)).toEqual([]);
    const files = Object.entries(environment).filter(([name]) => name.endsWith("_FILE"));
    const credentials = valuesOf(text, "LoadCredential").map((each) => each.split(":")[0]);
    expect(files.map(([, value]) => value)).toEqual(credentials.map((name) => `%d/${name}`));
  });
});

describe.skipIf(!hasProgram("systemd-analyze", "systemd"))("systemd-analyze", () => {
  let directory = "";
  let file = "";
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), "hookwright-systemd-"));
    file = path.join(directory, "hookwright.service");
    // Verifying needs the program.
    writeFileSync(file, unit.replace("/usr/bin/hookwright serve", `${process.execPath} serve`));
    mkdirSync(`${file}.d`);
    copyFileSync(
      path.join(folder, "hookwright.service.d/shared-storage.conf"),
      `${file}.d/shared-storage.conf`,
    );
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it("finds no mistake", () => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    // It also complains about other units of this machine.
    expect(stderr.split("\n").filter((line) => line.includes("hookwright"))).toEqual([]);
    expect(status).toBe(0);
  });

  it("rates the exposure at most 2.0", () => {
    const output = execFileSync("systemd-analyze", ["security", "--offline=true", file], {
      encoding: "utf8",
    });
    const [, exposure = ""] = /Overall exposure level for \S+: (\S+)/u.exec(output) ?? [];
    expect(Number(exposure)).toBeGreaterThan(0);
    expect(Number(exposure)).toBeLessThanOrEqual(2);
  });
});
