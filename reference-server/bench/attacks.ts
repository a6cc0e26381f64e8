import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startServer } from "../test/support/server-process.ts";
import type { ServerProcess } from "../test/support/server-process.ts";
import { createHostileAccount, createVictim } from "./attacks/create-accounts.ts";
import type { HostileAccount } from "./attacks/create-accounts.ts";
import { openAttacker } from "./attacks/open-attacker.ts";
import { openVerifyingReceiver } from "./attacks/open-receiver.ts";
import type { Received, VerifyingReceiver } from "./attacks/open-receiver.ts";
import { parseOptions, usage } from "./attacks/options.ts";
import type { AttackName, BenchOptions } from "./attacks/options.ts";
import { report } from "./attacks/report.ts";
import { directoryMegabytes, residentMegabytes, watchMemory } from "./attacks/resources.ts";
import { startVictim } from "./attacks/victim.ts";
import type { Publish, Sample, Victim } from "./attacks/victim.ts";
import { monotonicMs } from "./support/monotonic-clock.ts";
import { openRedis } from "./support/open-redis.ts";
import { quantile } from "./support/table.ts";

/**
 * Attacks a built server while another account publishes 20 events a second. Each attack is a separate process with its
 * own account, from 127.0.0.1. The other account connects from 127.0.0.2, and its host from 127.0.0.3.
 */
const hostToken = "host-token-of-the-bench";
/** The limit of all attacks together, so that the kernel does not become the bottleneck. */
const connectionsPerSecond = 200;
const holdingSockets: ReadonlySet<AttackName> = new Set(["bodies", "pipeline", "silent"]);
const progressEveryMs = 10_000;
/** The time after the attacks for missing deliveries. The third retry is due 315 s (±10 %) after the first attempt. */
const longestDrainMs = 400_000;

async function main(options: BenchOptions, stopping: AbortSignal): Promise<boolean> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.use(await openVerifyingReceiver());
  const attackers = await Promise.all(
    options.attacks.map(async (name) => opened.use(await openAttacker(name))),
  );
  const storage = opened.use(await openStorage(options));

  say("creating accounts …");
  const first = opened.use(await startServerOn(storage, options));
  const { signingSecret, ...account } = await createVictim(first.url, hostToken, `${receiver.origin}/orders`);
  receiver.verifyWith(signingSecret);
  const hostile = new Map<AttackName, HostileAccount>();
  for (const { name, endpointOrigin } of attackers)
    hostile.set(name, await createHostileAccount(first.url, hostToken, { attack: name, endpointOrigin }));
  // The garbage of creating the accounts must not hide the growth under attack.
  const server = storage.isKept ? opened.use(await restart(first, storage, options)) : first;
  const { url, pid } = server;
  let serverEnded: string | undefined;
  void server.exited.then(({ code, signal }) => {
    serverEnded = `with ${signal ?? code}`;
  });

  /** Waits, but less if the server exits or the bench is stopped. */
  async function waitFor(milliseconds: number): Promise<void> {
    if (serverEnded !== undefined || stopping.aborted) return;
    const waited = pause(milliseconds, undefined, { signal: stopping }).catch(() => {});
    await Promise.race([waited, server.exited]);
  }

  say(`warming up for ${options.warmUpSeconds} s …`);
  const victim = startVictim({ ...account, url });
  await waitFor(options.warmUpSeconds * 500);
  const warmFromMs = monotonicMs();
  await waitFor(options.warmUpSeconds * 500);
  const before = (await residentMegabytes(pid)) ?? 0;
  const diskBefore = await diskOf(storage);

  using memory = watchMemory(pid, (error) => say(String(error)));
  const attackedFromMs = monotonicMs();
  const holders = options.attacks.filter((name) => holdingSockets.has(name)).length;
  const pace = connectionsPerSecond / Math.max(1, holders);
  for (const attacker of attackers) {
    const own = hostile.get(attacker.name);
    if (own !== undefined)
      attacker.start({ ...own, url, connectionsPerSecond: pace, victimEmail: account.email });
  }
  const endsAt = attackedFromMs + options.seconds * 1_000;
  for (let left = endsAt - monotonicMs(); left >= 1; left = endsAt - monotonicMs()) {
    await waitFor(Math.min(progressEveryMs, left));
    if (serverEnded !== undefined || stopping.aborted) break;
    const elapsed = ((monotonicMs() - attackedFromMs) / 1_000).toFixed(0);
    const resident = `${memory.latestMegabytes.toFixed(0)} MB resident`;
    say(`attacked for ${elapsed} of ${options.seconds} s: ${resident}, ${describeLatest(victim)}`);
  }
  const attackedMs = monotonicMs() - attackedFromMs;
  const attacks = await Promise.all(
    attackers.map(async (attacker) => ({ name: attacker.name, counts: await attacker.counts() })),
  );
  const end = memory.latestMegabytes;
  await Promise.all(attackers.map((attacker) => attacker[Symbol.asyncDispose]()));

  say("waiting for missing deliveries …");
  await victim.stop();
  const isOver = (): boolean => serverEnded !== undefined || stopping.aborted;
  const received = await drain(receiver, victim.samples.publishes, isOver);
  const drained = (await residentMegabytes(pid)) ?? 0;
  const diskAfter = await diskOf(storage);
  const hasDisk = diskBefore !== undefined && diskAfter !== undefined;
  const { stdout } = server;
  if (stopping.aborted) say("stopped early: these results are incomplete");
  const isMet = report(
    {
      warmFromMs,
      attackedFromMs,
      attackedMs,
      samples: victim.samples,
      received,
      attacks,
      megabytes: { before, highest: Math.max(before, memory.highestMegabytes), end, drained },
      directoryMegabytes: hasDisk ? { before: diskBefore, after: diskAfter } : undefined,
      mails: countOf(stdout, '"msg":"mail"'),
      errors: countOf(stdout, '"level":"error"'),
      serverEnded,
    },
    options,
  );
  return isMet && !stopping.aborted;
}

interface BenchStorage extends AsyncDisposable {
  /** The value of `HOOKWRIGHT_STORAGE`. */
  readonly location: string;
  /** The working directory of the server. It is removed at the end. */
  readonly directory: string;
  /** True if the storage outlives the server process. */
  readonly isKept: boolean;
}

async function openStorage({ storage }: BenchOptions): Promise<BenchStorage> {
  await using opening = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "hookwright-attacks-"));
  opening.defer(() => rm(directory, { recursive: true, force: true }));
  const redis = storage === "redis" ? opening.use(await openRedis()) : undefined;
  const opened = opening.move();
  return {
    location: redis?.url ?? (storage === "memory" ? "memory" : "file:data"),
    directory,
    isKept: storage !== "memory",
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function startServerOn(
  { location, directory }: BenchStorage,
  { openFiles }: BenchOptions,
): Promise<ServerProcess> {
  return startServer({
    directory,
    openFiles,
    env: {
      HOOKWRIGHT_STORAGE: location,
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_SECRET: "a secret that only this bench uses",
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
    },
  });
}

async function restart(
  server: ServerProcess,
  storage: BenchStorage,
  options: BenchOptions,
): Promise<ServerProcess> {
  await server.stop();
  return startServerOn(storage, options);
}

async function diskOf({ location, directory }: BenchStorage): Promise<number | undefined> {
  return location === "file:data" ? directoryMegabytes(join(directory, "data")) : undefined;
}

/** Waits until every acknowledged event has arrived, or until the missing ones count as lost. */
async function drain(
  receiver: VerifyingReceiver,
  publishes: readonly Publish[],
  isOver: () => boolean,
): Promise<Received> {
  const acknowledged = publishes.filter(({ succeeded }) => succeeded);
  const begunAt = monotonicMs();
  for (let saidAt = begunAt; ; await pause(1_000)) {
    const received = await receiver.received();
    const ids = new Set(received.arrivals.map(([id]) => id));
    const missing = acknowledged.filter(({ eventId }) => !ids.has(eventId)).length;
    const now = monotonicMs();
    if (missing === 0 || isOver() || now > begunAt + longestDrainMs) return received;
    if (now < saidAt + progressEveryMs) continue;
    saidAt = now;
    say(`${missing} deliveries are missing after ${((now - begunAt) / 1_000).toFixed(0)} s`);
  }
}

/** The results of the other account in the last ten seconds. */
function describeLatest({ samples: { publishes, probes }, unanswered }: Victim): string {
  const since = monotonicMs() - progressEveryMs;
  const p99 = (samples: readonly Sample[]): string => {
    const times = samples.filter(({ atMs }) => atMs >= since).map(({ tookMs }) => tookMs);
    return times.length === 0 ? "no response" : `p99 ${quantile(times, 0.99).toFixed(0)} ms`;
  };
  return `publish ${p99(publishes)}, /healthz ${p99(probes)}, ${unanswered} unanswered`;
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

const args = process.argv.slice(2);
const stopping = new AbortController();
// The exit handlers stop the children and remove the temporary directory.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
try {
  if (args.includes("--help") || args.includes("-h")) console.log(usage);
  else process.exitCode = (await main(parseOptions(args), stopping.signal)) ? 0 : 1;
} catch (error) {
  // `fetch` has the reason only in `cause`.
  const cause = error instanceof Error && error.cause !== undefined ? `: ${error.cause}` : "";
  say(`${error}${cause}`);
  process.exitCode = 1;
}
