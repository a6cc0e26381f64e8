import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openNotifySocket } from "./notify-socket.ts";

/** A systemd of its own, without the units, the data and the logs of this machine. */
export interface Systemd extends AsyncDisposable {
  /** Runs commands as root beside systemd, in `/mnt`. Rejects with their output if they fail. */
  run(commands: string): Promise<string>;
}

const program = "/lib/systemd/systemd";
const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** Undefined if systemd can be started. */
export function whyNoSystemd(): string | undefined {
  if (!existsSync(program)) return "systemd is not installed";
  if (findCgroups() === undefined) return "there is no cgroup2 file system";
  const { status, stderr } = spawnSync("unshare", ["--mount", "--pid", "--fork", "--cgroup", "true"]);
  return status === 0 ? undefined : `it takes root on Linux: ${String(stderr)}`;
}

/**
 * `/etc`, `/run`, `/tmp`, `/var/lib` and `/mnt` are its own, and so is the network. The build is installed as `/usr/bin/hookwright`, and this
 * Node as `/usr/bin/node`: a service sees neither home directories nor `/tmp`.
 */
const prepare = String.raw`
set -e
repository=$1 node=$2 socket=$3
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
cd /mnt
mkdir bin etc etc.work lib backup repository notify
mount --bind "$repository" repository
touch bin/node
printf '#!/bin/sh\nexec /usr/bin/node /mnt/repository/reference-server/dist/main.js "$@"\n' > bin/hookwright
chmod 755 bin/hookwright
mount -t overlay overlay -o lowerdir=/mnt/bin:/usr/bin /usr/bin
mount --bind "$node" /usr/bin/node
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/etc,workdir=/mnt/etc.work /etc
mount -t tmpfs tmpfs /etc/systemd/system
mount --bind lib /var/lib
mount --bind "$(dirname "$socket")" notify
mount -t tmpfs tmpfs /usr/local/sbin
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /tmp
mount -t proc proc /proc
mount -t cgroup2 cgroup2 /sys/fs/cgroup
ip link set lo up
# The targets that services need. Those of this machine would start its services.
for target in sysinit basic multi-user shutdown; do
  printf '[Unit]\nDefaultDependencies=no\n' > "/etc/systemd/system/$target.target"
done
# systemd-run needs D-Bus.
if [ -e /lib/systemd/system/dbus.socket ]; then cp /lib/systemd/system/dbus.s* /etc/systemd/system; fi
# There is no journal.
mkdir /etc/systemd/system/hookwright.service.d
printf '[Service]\nStandardOutput=append:/mnt/log\nStandardError=append:/mnt/log\n' \
  > /etc/systemd/system/hookwright.service.d/log.conf
# Without it, services would not see their credentials.
mount --make-rshared /
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin SYSTEMD_UNIT_PATH=/etc/systemd/system \
  NOTIFY_SOCKET="/mnt/notify/$(basename "$socket")" /lib/systemd/systemd --unit=multi-user.target --show-status=0
`;

export async function startSystemd(): Promise<Systemd> {
  await using socket = await openNotifySocket();
  const cgroup = mkdtempSync(path.join(findCgroups() ?? "", "hookwright-"));
  const unshare = "unshare --mount --pid --fork --kill-child --uts --ipc --net --cgroup";
  const child = spawn(
    "sh",
    [
      "-c",
      `echo $$ > '${cgroup}/cgroup.procs' && exec ${unshare} bash -c "$@"`,
      "sh",
      prepare,
      "bash",
      repository,
      process.execPath,
      socket.path,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const ended = once(child, "close");
  const failed = ended.then(() => Promise.reject(new Error(`systemd has ended: ${complaint}`)));
  await Promise.race([socket.waitFor("READY=1"), failed]);
  failed.catch(() => {});
  const pid = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
  return {
    async run(commands) {
      const enter = ["--target", pid, "--mount", "--pid", "--cgroup", "--uts", "--ipc", "--net"];
      const shell = ["bash", "--norc", "-c", `cd /mnt\n${commands}`];
      const { stdout, stderr } = await promisify(execFile)("nsenter", [...enter, ...shell], {
        env: { PATH: "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C" },
      }).catch((error: unknown) => {
        const output =
          error instanceof Error && "stdout" in error && "stderr" in error
            ? `${String(error.stdout)}${String(error.stderr)}`
            : "";
        throw new Error(`${commands}\n${output}`, { cause: error });
      });
      return stdout + stderr;
    },
    async [Symbol.asyncDispose]() {
      // Without its first process, the kernel ends all the others.
      process.kill(Number(pid), "SIGKILL");
      await ended;
      removeCgroup(cgroup);
    },
  };
}

/** Where the cgroup2 file system is mounted. */
function findCgroups(): string | undefined {
  const mounts = existsSync("/proc/mounts") ? readFileSync("/proc/mounts", "utf8") : "";
  return /^\S+ (\S+) cgroup2 /mu.exec(mounts)?.[1];
}

function removeCgroup(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeCgroup(path.join(folder, entry.name));
  rmdirSync(folder);
}
