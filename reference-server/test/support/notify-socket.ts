import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

export interface NotifySocket extends AsyncDisposable {
  /** The value of `NOTIFY_SOCKET`. */
  readonly path: string;
  /** The messages so far. */
  readonly messages: readonly string[];
  waitFor(message: string, times?: number): Promise<void>;
}

/** Node has no datagram sockets on paths. Closing what comes with a message ends the barrier of `systemd-notify`. */
const receiver = `
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("bound", flush=True)
while True:
    data, fds, _, _ = socket.recv_fds(s, 4096, 4)
    for fd in fds: os.close(fd)
    for line in data.decode().split("\\n"):
        if line and not line.startswith("BARRIER"): print(line, flush=True)
`;

/** Receives what a service tells systemd. */
export async function openNotifySocket(): Promise<NotifySocket> {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-notify-"));
  const file = path.join(folder, "socket");
  const child = spawn("python3", ["-c", receiver, file], { stdio: ["ignore", "pipe", "inherit"] });
  const messages: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    messages.push(line);
    waiting.forEach((check) => check());
  });
  const waitFor = (message: string, times = 1): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (messages.filter((each) => each === message).length < times) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  await waitFor("bound");
  messages.length = 0;
  return {
    path: file,
    messages,
    waitFor,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
