import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openReceiver } from "./support/hostile-receiver.ts";

const run = promisify(execFile);
const longMs = 60_000;

/** The output of a program that makes one attempt and closes nothing. */
async function runSender(port: number, timeoutMs: number): Promise<string> {
  const program = `
    import { createTransport } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
    const transport = createTransport({ privateTargets: true });
    const request = { accountId: "acc_1", targetUrl: "http://127.0.0.1:${port}/", headerLines: "", body: "{}", timeoutMs: ${timeoutMs} };
    const answer = await transport.send(request);
    console.log(answer.failure ?? answer.status);
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
    timeout: longMs / 4,
  });
  return stdout.trim();
}

it("a process runs until the deadline of its attempt", async () => {
  const receiver = await openReceiver();
  expect(await runSender(receiver.port, 300)).toBe("timeout");
});

it.each([
  ["200", "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"],
  ["protocol", "SSH-2.0-OpenSSH_9.9\r\n"],
])("a process ends after its last response, however long the deadline: %s", async (outcome, answer) => {
  const receiver = await openReceiver({ onRequest: (socket) => void socket.write(answer) });
  expect(await runSender(receiver.port, longMs)).toBe(outcome);
});

it("a process ends when its receiver breaks the connection", async () => {
  const receiver = await openReceiver({ onRequest: (socket) => socket.resetAndDestroy() });
  expect(await runSender(receiver.port, longMs)).toBe("reset");
});

describe.skipIf(process.platform === "win32")("a process without a free file descriptor", () => {
  const script = fileURLToPath(new URL("support/resolve-without-files.ts", import.meta.url));

  it.each(["localhost", "hooks.example.com"])("does not report that %s does not exist", async (hostname) => {
    const limited = `ulimit -n 128 && exec "$0" "$@"`;
    const { stdout } = await run("sh", ["-c", limited, process.execPath, script, hostname]);
    expect(stdout.trim()).toBe("too many open files");
  });
});
