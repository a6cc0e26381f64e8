import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { isPublicAddress } from "@hookwright/domain";
import { expect, it } from "vitest";
import { makeServiceFolder, startService } from "../../../packages/storage/test/support/service.ts";
import { privateTargets, publicTargets } from "../support/addresses.ts";
import { findFreePort } from "../../../packages/storage/test/support/free-port.ts";

/** The status line of a tunnel to a target. */
async function openTunnel(port: number, address: string): Promise<string> {
  const target = `${address.includes(":") ? `[${address}]` : address}:443`;
  const socket = connect(port, "127.0.0.1");
  socket.end(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const [answer] = await once(socket.setEncoding("latin1"), "data");
  socket.destroy();
  return String(answer).split("\r\n", 1)[0] ?? "";
}

/** Squid refuses to stay root. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const hasSquid = spawnSync("squid", ["-v"]).error === undefined;

it.runIf(hasSquid)("the documented rules of Squid refuse private addresses only", async () => {
  const page = await readFile(new URL("../../../docs/operations/egress.md", import.meta.url), "utf8");
  const [, rules = ""] = /```squid\n([\s\S]+?)```/u.exec(page) ?? [];
  const [folder, port] = [await makeServiceFolder("hookwright-squid-", account), await findFreePort()];
  const config = path.join(folder, "squid.conf");
  const settings = [
    `http_port 127.0.0.1:${port}`,
    `pid_filename ${folder}/pid`,
    `cache_log ${folder}/log`,
    "access_log none",
    "cache deny all",
    "shutdown_lifetime 0 seconds",
    "visible_hostname squid.example.com",
    rules,
    // It would connect to the others. Here it says only that it would.
    "deny_info 404:ERR_ACCESS_DENIED all",
    "http_access deny all",
  ];
  await writeFile(config, `${settings.join("\n")}\n`);
  const squid = await startService({
    name: "Squid",
    program: "squid",
    // The name is that of its shared memory.
    args: ["-N", "-n", `hookwright${port}`, "-f", config],
    account,
    lastSignal: "SIGTERM",
    ready: () => openTunnel(port, "127.0.0.1"),
  });
  try {
    expect(privateTargets.filter(isPublicAddress)).toEqual([]);
    expect(publicTargets.filter(isPublicAddress)).toEqual(publicTargets);
    const statusOf = async (address: string): Promise<readonly [string, string]> => [
      address,
      (await openTunnel(port, address)).split(" ")[1] ?? "",
    ];
    const statuses = await Promise.all([...privateTargets, ...publicTargets].map(statusOf));
    expect(statuses).toEqual([
      ...privateTargets.map((address) => [address, "403"]),
      ...publicTargets.map((address) => [address, "404"]),
    ]);
    expect(await readFile(path.join(folder, "log"), "utf8")).not.toContain("subnetwork");
  } finally {
    await squid.end("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  }
});
