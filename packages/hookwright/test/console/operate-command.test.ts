import { expect, it } from "vitest";
import { operateCommand } from "../../../cli/src/commands/operate.ts";
import { runCommand } from "../../../cli/src/command-line/run-command.ts";
import { createTestProgram } from "../../../cli/test/support/test-program.ts";
import { openConsole } from "../support/open-console.ts";
import type { World } from "../support/open-console.ts";

const hostToken = "support:manage+read:a-token-of-the-host";

async function open() {
  const world = await openConsole({ hostToken });
  const { id } = await world.createWebhook("/a");
  await world.createWebhook("/b");
  return { world, id, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function operate(world: World, ...commandLine: string[]) {
  const program = createTestProgram({ environment: { HOOKWRIGHT_HOST_TOKEN: hostToken } });
  const status = await runCommand({
    program,
    command: operateCommand,
    commandLine,
    listed: [],
    fetch: (input, init) => world.hookwright.fetch(new Request(input, init)),
  });
  return { status, printed: program.printed.join("\n"), complained: program.complained.join("\n") };
}

const statusesOf = async (world: World) =>
  (await world.hookwright.webhooks.listForConsole("acc_1")).rows.map(({ status }) => status);

it("pauses and resumes all webhooks of a filter, after a dry run, and recovers what they missed", async () => {
  await using opened = await open();
  const { world } = opened;
  expect(await operate(world, "pause", "--account", "acc_1")).toMatchObject({
    status: 0,
    printed: expect.stringContaining("2 of 2 changed"),
  });
  expect(await statusesOf(world)).toEqual(["paused", "paused"]);
  expect(await world.publish("rev_1")).toEqual([]);
  const resume = ["resume", "--status", "paused", "--since", "1h", "--recover"];
  expect(await operate(world, ...resume, "--dry-run")).toMatchObject({
    status: 0,
    printed: "2 webhooks match. Nothing was changed.",
  });
  expect(await statusesOf(world)).toEqual(["paused", "paused"]);
  const resumed = await operate(world, ...resume);
  expect(resumed).toMatchObject({ status: 0, printed: expect.stringContaining("2 recoveries started") });
  expect(await statusesOf(world)).toEqual(["active", "active"]);
  await expect.poll(() => world.received.length).toBe(2);
});

it("disables, tests and enables one webhook", async () => {
  await using opened = await open();
  const { world, id } = opened;
  const one = ["--webhook", id];
  expect(await operate(world, "disable", ...one, "--reason", "abuse")).toMatchObject({
    status: 0,
    printed: `${id} is disabled_by_host.`,
  });
  expect(await operate(world, "test", ...one)).toMatchObject({
    status: 0,
    printed: "The endpoint answered 204.",
  });
  expect(await operate(world, "enable", ...one)).toMatchObject({ status: 0, printed: `${id} is active.` });
  expect(await operate(world, "recover", ...one, "--since", "1h")).toMatchObject({ status: 0 });
});

it("says that an endpoint did not answer a test", async () => {
  await using world = await openConsole({ hostToken });
  const { id } = await world.createWebhook("http://127.0.0.1:9/");
  expect(await operate(world, "test", "--webhook", id)).toMatchObject({
    status: 1,
    printed: "The endpoint did not answer: connect.",
  });
});

it.each([
  [["delete"], "is none of turn-on"],
  [["test"], "--webhook is missing"],
  [["pause", "--webhook", "wh_1", "--status", "active"], "--status is not for one webhook"],
  [["pause", "--webhook", "wh_1", "--since", "1h"], "--since is not for one webhook"],
  [["pause", "--account", "acc_1", "--reason", "abuse"], "--reason is only for disable"],
  [["pause"], "filter: needs at least one condition"],
  [["disable", "--status", "active"], "reason: is needed"],
])("%j is refused", async (commandLine, message) => {
  await using opened = await open();
  const { status, complained } = await operate(opened.world, ...commandLine);
  expect(status).toBeGreaterThan(0);
  expect(complained).toContain(message);
  expect(await statusesOf(opened.world)).toEqual(["active", "active"]);
});
