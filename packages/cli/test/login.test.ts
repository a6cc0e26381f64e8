import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { runCli } from "../src/run-cli.ts";
import { createKeyboard } from "../src/terminal/keyboard.ts";
import type { KeyboardInput } from "../src/terminal/keyboard.ts";
import { apiKey, openDeveloperServer } from "./support/developer-server.ts";
import { createTestProgram } from "./support/test-program.ts";

/** Standard input of a terminal, and whether it reads key by key. */
function openTerminal() {
  const stream = new PassThrough();
  const modes: boolean[] = [];
  const input: KeyboardInput = Object.assign(stream, {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void modes.push(isRaw),
  });
  const output = new PassThrough();
  let shown = "";
  output.setEncoding("utf8").on("data", (text: string) => (shown += text));
  return {
    input,
    output,
    modes,
    type: (keys: string) => void stream.write(keys),
    get shown() {
      return shown;
    },
  };
}

it.each([
  ["e-mail", "E-mail or API key: ", []],
  ["password", "Password: ", ["ada@example.com\r"]],
] as const)("Ctrl-C at the %s prompt ends login with 130 and stores nothing", async (_, prompt, typed) => {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-cli-"));
  const terminal = openTerminal();
  const base = createTestProgram({ environment: { XDG_CONFIG_HOME: folder } });
  const keyboard = createKeyboard(terminal.input, terminal.output, () => base.send("SIGINT"));
  const commandLine = ["login", "--server", "http://127.0.0.1:1"];
  const ended = runCli({ ...base, keyboard, commandLine });
  try {
    await expect.poll(() => terminal.shown).toContain("E-mail or API key: ");
    for (const keys of typed) terminal.type(keys);
    await expect.poll(() => terminal.shown).toContain(prompt);
    terminal.type("secr\u0003");
    expect(await ended).toBe(130);
    expect(terminal.modes.at(-1)).toBe(false);
    expect(terminal.shown).toMatch(/\n$/u);
    expect(base.printed).toEqual([]);
    expect(existsSync(path.join(folder, "hookwright"))).toBe(false);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("login asks for an e-mail address or an API key, and does not show a key", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-cli-"));
  await using server = await openDeveloperServer();
  const login = async (typed: string) => {
    const terminal = openTerminal();
    const base = createTestProgram({ environment: { XDG_CONFIG_HOME: folder } });
    const keyboard = createKeyboard(terminal.input, terminal.output, () => {});
    const ended = runCli({ ...base, keyboard, commandLine: ["login", "--server", server.url] });
    await expect.poll(() => terminal.shown).toContain("E-mail or API key: ");
    terminal.type(typed);
    return { code: await ended, shown: terminal.shown, complained: base.complained.join("\n") };
  };
  try {
    // One letter too much, then deleted.
    expect(await login(`${apiKey}x\u007f\r`)).toEqual({
      code: 0,
      shown: `E-mail or API key: hwk_${"*".repeat(apiKey.length - 3)}\b \b\n`,
      complained: "",
    });
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(await login("Ada\r")).toEqual({
      code: 2,
      shown: "E-mail or API key: Ada\n",
      complained: expect.stringContaining("neither an e-mail address nor an API key, which begins with hwk_"),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("what is pasted after the end of a line is not shown", async () => {
  const terminal = openTerminal();
  const keyboard = createKeyboard(terminal.input, terminal.output, () => {});
  const answer = keyboard.ask("E-mail: ", { hidden: false });
  terminal.type("ada@example.com\nthe password");
  expect(await answer).toBe("ada@example.com");
  expect(terminal.shown).toBe("E-mail: ada@example.com\n");
});
