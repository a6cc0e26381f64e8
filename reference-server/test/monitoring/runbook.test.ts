import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { integratorCommands } from "@hookwright/cli";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { describe, expect, it } from "vitest";
import { logLines } from "@hookwright/domain";
import { hostToken } from "../support/host-api.ts";

const page = readFileSync(
  fileURLToPath(new URL("../../../docs/operations/runbook.md", import.meta.url)),
  "utf8",
);
const scripts = [...page.matchAll(/^ *```sh\n(.*?)^ *```/gmsu)].map(([, script = ""]) => script);
const commands = scripts.slice(1).join("\n");
const matchesOf = (pattern: RegExp): string[] => [...commands.matchAll(pattern)].map(([, name = ""]) => name);

describe("the commands of the runbook", () => {
  it("are valid shell scripts", () => {
    for (const script of scripts)
      expect(spawnSync("bash", ["-n"], { input: script, encoding: "utf8" }).stderr).toBe("");
  });

  it("of hookwright exist", () => {
    const known = readdirSync(fileURLToPath(new URL("../../src/commands", import.meta.url)));
    const used = new Set(matchesOf(/^ *hookwright ([\w-]+)/gmu));
    expect([...used].toSorted()).toEqual(["check-storage", "doctor", "operate"]);
    const ofCli = integratorCommands.map(({ name }) => `${name}.ts`);
    for (const name of used) expect([...known, ...ofCli]).toContain(`${name}.ts`);
  });

  it("of the host API exist", async () => {
    await using hookwright = await createHookwright({
      store: memoryStore(),
      secret: "s".repeat(32),
      hostToken,
      role: "api",
      logger: { info() {}, warn() {}, error() {} },
    });
    await hookwright.accounts.put("acc_bakery", { email: "owner@example.com" });
    const calls = [...commands.matchAll(/^ *host ([A-Z]+) '?([^\s']+)'?(?: '(\{.*\})')?/gmu)];
    expect(calls).toHaveLength(matchesOf(/^ *(host) /gmu).length);
    expect(calls.length).toBeGreaterThan(3);
    for (const [call, method = "", path = "", body] of calls) {
      const response = await hookwright.fetch(
        new Request(`http://localhost/host/v1/${path}`, {
          method,
          headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body }),
        }),
      );
      // The ids are examples. An unknown path would be `not_found`, a wrong body or query `validation_failed`.
      expect(`${call}: ${await response.text()}`).toMatch(/"success":true|"resource_not_found"/u);
    }
  });

  it("select existing metrics, and the text names existing log lines", async () => {
    await using hookwright = await createHookwright({
      store: memoryStore(),
      secret: "s".repeat(32),
      role: "api",
    });
    const text = await hookwright.metrics.metrics();
    for (const prefix of matchesOf(/grep -E '\^(\w+)/gu)) expect(text).toContain(prefix);
    const codes = [...page.matchAll(/lines? ((?:`\w+`(?:, | and | or )?)+)/gu)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`(\w+)`/gu)].map(([, code = ""]) => code),
    );
    expect(codes.length).toBeGreaterThan(5);
    for (const code of codes) expect(Object.keys(logLines)).toContain(code);
  });
});
