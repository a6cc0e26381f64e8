import { describe, expect, it } from "vitest";
import { hasProgram } from "./support/has-program.ts";
import { openNotifySocket } from "./support/notify-socket.ts";
import { startServer } from "./support/server-process.ts";

const env = { HOOKWRIGHT_STORAGE: "memory" };
const mayRun = hasProgram("systemd-notify", "systemd") && hasProgram("python3");

describe.skipIf(!mayRun)("a server under systemd", () => {
  it("says that it is ready, alive and stopping", async () => {
    await using socket = await openNotifySocket();
    await using server = await startServer({
      env: { ...env, NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: "200000" },
    });
    await socket.waitFor("READY=1");
    await socket.waitFor("WATCHDOG=1", 3);
    server.signal("SIGTERM");
    await socket.waitFor("STOPPING=1");
    expect((await server.exited).code).toBe(0);
    expect(server.stdout).not.toContain("service_manager_not_notified");
  });

  it("sends no sign of life if systemd watches another process", async () => {
    await using socket = await openNotifySocket();
    await using server = await startServer({
      env: { ...env, NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: "20000", WATCHDOG_PID: "1" },
    });
    await socket.waitFor("READY=1");
    await server.stop();
    await socket.waitFor("STOPPING=1");
    expect(socket.messages).toEqual(["READY=1", "STOPPING=1"]);
  });
});

it("a server without systemd-notify runs and warns once", async () => {
  await using server = await startServer({
    env: { ...env, PATH: "/nowhere", NOTIFY_SOCKET: "/nowhere/socket", WATCHDOG_USEC: "20000" },
  });
  await server.waitFor(/service_manager_not_notified/u);
  expect((await server.stop()).code).toBe(0);
  expect(server.stdout.match(/service_manager_not_notified/gu)).toHaveLength(1);
});
