import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sampleDeliveryBody } from "@hookwright/domain";
import { expect, it } from "vitest";
import { readGuide } from "./support/read-guide.ts";
import { startProgram } from "./support/start-program.ts";

const page = new URL("../operations/data-protection.md", import.meta.url);
const main = fileURLToPath(new URL("../../reference-server/dist/main.js", import.meta.url));
const text = readFileSync(page, "utf8");

/** Texts in the files with all keys that are no kind of row. */
const otherTexts = new Set(["confirmations", "default", "event", "number", "string"]);

/** The kinds of rows that a package writes: the second part of each key. */
function kindsIn(file: string): readonly string[] {
  const source = readFileSync(new URL(`../../packages/${file}`, import.meta.url), "utf8");
  const code = source.replaceAll(/\/\*\*.*?\*\/|\/\/[^\n]*/gsu, "");
  const found = [...code.matchAll(/"([a-z]+(?:-[a-z]+)*)"/gu)].map(([, kind = ""]) => kind);
  return [...new Set(found)].filter((kind) => !otherTexts.has(kind));
}

it("the table of what is stored has each kind of row once", () => {
  const [, table = ""] = /## What is stored\n(.*?)\n## /su.exec(text) ?? [];
  const listed = table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => [...(line.split("|").at(-2) ?? "").matchAll(/`([a-z-]+)`/gu)].map(([, kind]) => kind));
  const kinds = [...kindsIn("service/src/rows/keys.ts"), ...kindsIn("delivery/src/storage/keys.ts")];
  expect(kinds.length).toBeGreaterThan(90);
  expect(kinds.filter((kind) => !listed.includes(kind))).toEqual([]);
  expect(listed.filter((kind, index) => listed.indexOf(kind) !== index)).toEqual([]);
});

it("its commands find what there is of a person, and erase it", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-data-"));
  const secrets = { HOOKWRIGHT_HOST_TOKEN: "a-token-for-this-trial", HOOKWRIGHT_SECRET: "s".repeat(32) };
  const blocks = readGuide(page).filter(({ language }) => language === "sh");
  const run = async (code: string): Promise<string> => {
    const inFolder = code
      .replaceAll("/var/lib/hookwright", `${folder}/data`)
      .replaceAll("bakery.ndjson", `${folder}/bakery.ndjson`);
    const script = `set -eu\nhookwright() { "${process.execPath}" "${main}" "$@"; }\n${inFolder}`;
    const env = { ...process.env, ...secrets, HOOKWRIGHT_SERVER: server.origin };
    return (await promisify(execFile)("bash", ["-c", script], { env })).stdout;
  };
  await using server = await startProgram({
    args: [main, "serve", "--storage", `file:${folder}/data`],
    environment: { ...secrets, HOOKWRIGHT_LOG: "json" },
  });
  const host = async (method: string, target: string, json?: object) => {
    const headers = {
      authorization: `Bearer ${secrets.HOOKWRIGHT_HOST_TOKEN}`,
      "content-type": "application/json",
    };
    const response = await fetch(`${server.origin}/host/v1/${target}`, {
      method,
      headers,
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return JSON.parse(await response.text());
  };
  try {
    for (const account of ["acc_bakery", "acc_1"])
      await host("PUT", `accounts/${account}`, { email: "owner@example.com" });
    await host("PUT", "projects/site_shop", { account_id: "acc_bakery", name: "Shop" });
    const { data } = sampleDeliveryBody("order.created");
    const customer = { ...data.customer, email: "ada@example.com" };
    await host("POST", "events", {
      event: "order.created",
      project_id: "site_shop",
      data: { ...data, customer },
    });
    const [variables = "", days = "", search = "", exported = "", erasing = "", ...others] = blocks.map(
      ({ code }) => code,
    );
    expect(others).toEqual([]);
    expect(variables).toContain(secrets.HOOKWRIGHT_HOST_TOKEN);
    expect(JSON.parse(await run(days))).toMatchObject({ data: { retention: { days: 7 } } });
    expect(JSON.parse(await run(search))).toMatchObject({ meta: { next_cursor: null } });
    expect(await run(exported)).toMatch(/"contact".*"record"|"record".*"contact"/su);
    const { id } = JSON.parse(await run(erasing)).data;
    const receipt = async () => (await host("GET", `accounts/acc_bakery/erasures/${id}`)).data;
    await expect.poll(receipt).toMatchObject({ status: "finished", contacts: 1, records: 1 });
    await rm(`${folder}/bakery.ndjson`);
    await expect(run(exported)).rejects.toMatchObject({ code: 1 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
