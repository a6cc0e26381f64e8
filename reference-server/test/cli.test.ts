import { integratorCommands } from "@hookwright/cli";
import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import type { Option } from "../src/options/option.ts";
import { options } from "../src/options/options.ts";
import { runCommand } from "./support/run-command.ts";

const run = (...commandLine: string[]) => runCommand(commandLine);

describe("the command line", () => {
  it.each(["--help", "-h", "help"])("%s prints the commands", async (flag) => {
    const { code, printed } = await run(flag);
    expect(code).toBe(0);
    expect(printed).toMatch(/^Usage: hookwright COMMAND \[options\]\n/u);
    for (const name of [
      "serve",
      "backup",
      "export",
      "import",
      "migrate",
      "check-storage",
      "doctor",
      "rotate-secret",
    ])
      expect(printed).toMatch(new RegExp(`^  ${name} +\\S`, "mu"));
    for (const { name } of integratorCommands) expect(printed).toMatch(new RegExp(`^  ${name} +\\S`, "mu"));
    expect(printed).toMatch(/^Server:$[^]*^Account:$[^]*^Develop:$[^]*^Deliveries:$[^]*^Tools:$/mu);
    expect(printed).not.toContain("\u001b");
    expect(printed).not.toMatch(/ $/mu);
  });

  it("runs the commands for integrators, with their exit status", async () => {
    expect(await run("resend")).toMatchObject({
      code: 2,
      printed: "",
      complained:
        "hookwright: What is sent again? Name a delivery by its id, or use --failed, --cancelled, --not-sent or --issue.",
    });
    expect((await run("completion", "bash")).printed).toContain(
      "serve backup export import migrate check-storage doctor rotate-secret",
    );
  });

  it.each(["--version", "-v"])("%s prints the version of the package", async (flag) => {
    expect(await run(flag)).toMatchObject({ code: 0, printed: packageJson.version, complained: "" });
  });

  it.each([["serve", "--help"], ["--help"]])(
    "the help fits a terminal of 80 columns: %s",
    async (...line) => {
      const { printed } = await run(...line);
      const lines = printed.split("\n");
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it("the help of serve lists every option and every variable", async () => {
    const { code, printed } = await run("serve", "--port", "1", "--help");
    expect(code).toBe(0);
    for (const { flag, variable } of Object.values<Option<unknown>>(options)) {
      expect(printed).toContain(variable);
      if (flag !== undefined) expect(printed).toContain(`--${flag}`);
    }
    expect(printed).toContain("--demo");
  });

  it.each(["serve", "backup", "export", "import", "migrate", "check-storage", "doctor", "rotate-secret"])(
    "help %s prints the help of that command",
    async (name) => {
      expect(await run("help", name)).toEqual(await run(name, "--help"));
    },
  );

  it("without a command it prints the help and fails", async () => {
    const { code, printed, complained } = await run();
    expect(code).toBe(2);
    expect(printed).toBe("");
    expect(complained).toContain("hookwright serve");
  });

  it.each([
    [["sevre"], 'unknown command "sevre"'],
    [["sevre"], "did you mean serve?"],
    [["help", "sevre"], "did you mean serve?"],
    [["lisen"], "did you mean listen?"],
    [["quit"], 'unknown command "quit". The commands are'],
    [["--port", "1"], 'unknown option "--port"'],
    [["--port", "80"], "`hookwright serve --port 80`"],
    [["--demo"], "`hookwright serve --demo`"],
    [["--account", "acc_1", "export"], "`hookwright export --account acc_1`"],
    [["--storage=redis://:pw@h"], "`hookwright serve --storage=redis://***@h`"],
    [["--bogus"], "Options must follow a command. The commands are"],
    [["serve", "--prot", "1"], 'unknown option "--prot"'],
    [["serve", "--prot=1"], 'unknown option "--prot"'],
    [["serve", "--prot", "1"], "did you mean --port?"],
    [["serve", "--port", "-1"], "--port (or PORT) must be"],
    [["serve", "--port=-1"], "--port (or PORT) must be"],
    [["serve", "--port", "--storage", "memory"], '--port needs a value, but "--storage" looks'],
    [["serve", "--private-targets", "--port", "0"], "--private-targets needs a value"],
    [["serve", "--quiet"], 'unknown option "--quiet".'],
    [["serve", "-p", "1"], 'unknown option "-p"'],
    [["serve", "--no-port"], "--no-port"],
    [["serve", "--", "--port"], "--"],
    [["serve", "now"], 'unexpected argument "now"'],
    [["serve", "redis://:pw@h"], 'unexpected argument "redis://***@h"'],
    [["serve", "--storage", "redis:/user:pw@h"], '"redis:/***@h" is not.'],
    [["serve", "--storage", "redis:user:pw@h"], '"redis:***@h" is not.'],
    [["serve", "--storage", "user:pw@h:6379"], '"user:***@h:6379" is not.'],
    [["serve", "--storage", "file:~/me@work"], '"file:~/me@work" is not.'],
    [["serve", "--port"], "--port (or PORT) needs a value"],
    [["serve", "--port="], "--port (or PORT) needs a value"],
    [["serve", "--port", "--demo"], "--port needs a value"],
  ])("%j gets exit code 2 and a message with the reason", async (commandLine, reason) => {
    const { code, complained } = await run(...commandLine);
    expect(code).toBe(2);
    expect(complained).toContain(reason);
    expect(complained).not.toMatch(/^\s+at /mu);
  });
});
