import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startServer } from "../test/support/server-process.ts";
import type { AttackTarget } from "./attacks/attacker.ts";
import { createHostileAccounts, createVictim } from "./attacks/create-accounts.ts";
import { parseOptions, usage } from "./attacks/options.ts";
import type { AttackName, BenchOptions } from "./attacks/options.ts";
import type { Received } from "./attacks/receiver.ts";
import { report } from "./attacks/report.ts";
import { startVictim } from "./attacks/victim.ts";
import type { Publish, Sample, Victim } from "./attacks/victim.ts";
import { watchMemory } from "./attacks/watch-memory.ts";
import { monotonicMs } from "./support/monotonic-clock.ts";
import { openRedis } from "./support/open-redis.ts";
import { startProgram } from "./support/program.ts";
import { quantile } from "./support/table.ts";

/**
 * Attacks a built server while another account publishes 20 events a second. Each attack is a separate process with its
 * own accounts, from 127.0.0.1. The other account connects from 127.0.0.2, and its host from 127.0.0.3.
 */
const hostToken = "host-token-of-the-bench";
const warmUpMs = 15_000;
/** The open-files limit of the server, including sockets. */
const openFiles = 1_024;
/** The limit of all attacks together, so that the kernel does not become the bottleneck. */
const connectionsPerSecond = 200;
const holdingSockets: ReadonlySet<AttackName> = new Set(["bodies", "pipeline", "silent", "streams"]);
const progressEveryMs = 10_000;
/** The time after the attacks for missing deliveries. The third retry is due 315 s (±10 %) after the first attempt. */
const longestDrainMs = 400_000;

async function main(options: BenchOptions, stopping: AbortSignal): Promise<boolean> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.use(startProgram(new URL("attacks/receiver.ts", import.meta.url)));
  const origin = await receiver.nextMessage();
  const start = await openStorage(options, opened);

  say("creating accounts …");
  const first = opened.use(await start());
  const { signingSecret, ...account } = await createVictim(first.url, hostToken, `${origin}/orders`);
  await receiver.request(signingSecret);
  const attackers = await Promise.all(
    options.attacks.map(async (name) => {
      const program = new URL("attacks/attacker.ts", import.meta.url);
      const attacker = opened.use(startProgram(program, { args: [name] }));
      const endpointOrigin = await attacker.nextMessage();
      const accounts = await createHostileAccounts(first.url, hostToken, { attack: name, endpointOrigin });
      return { name, attacker, accounts };
    }),
  );
  // The garbage of creating the accounts must not hide the growth under attack.
  if (options.storage !== "memory") await first.stop();
  const server = options.storage === "memory" ? first : opened.use(await start());
  const { url, pid } = server;
  let serverEnded: string | undefined;
  void server.exited.then(({ code, signal }) => {
    serverEnded = `with ${signal ?? code}`;
  });
  const isOver = (): boolean => serverEnded !== undefined || stopping.aborted;

  /** Waits, but less if the server exits or the bench is stopped. */
  async function waitFor(milliseconds: number): Promise<void> {
    if (isOver()) return;
    const waited = pause(milliseconds, undefined, { signal: stopping }).catch(() => {});
    await Promise.race([waited, server.exited]);
  }

  say("warming up …");
  const victim = startVictim({ ...account, url });
  await waitFor(warmUpMs / 2);
  const warmFromMs = monotonicMs();
  // The highest value counts, because each sign-in takes 32 MB for a tenth of a second.
  using usual = watchMemory(pid);
  await waitFor(warmUpMs / 2);
  const before = usual.highest;

  using memory = watchMemory(pid);
  const attackedFromMs = monotonicMs();
  const holders = options.attacks.filter((name) => holdingSockets.has(name)).length;
  const pace = connectionsPerSecond / Math.max(1, holders);
  for (const { attacker, accounts } of attackers) {
    const target = { url, accounts, connectionsPerSecond: pace, victimEmail: account.email };
    await attacker.request(JSON.stringify(target satisfies AttackTarget));
  }
  const endsAt = attackedFromMs + options.seconds * 1_000;
  for (let left = endsAt - monotonicMs(); left >= 1; left = endsAt - monotonicMs()) {
    await waitFor(Math.min(progressEveryMs, left));
    if (isOver()) break;
    const elapsed = ((monotonicMs() - attackedFromMs) / 1_000).toFixed(0);
    const { own, files } = memory.latest;
    const resident = `${own.toFixed(0)} MB + ${files.toFixed(0)} MB of files`;
    say(`attacked for ${elapsed} of ${options.seconds} s: ${resident}, ${describeLatest(victim)}`);
  }
  const attackedMs = monotonicMs() - attackedFromMs;
  const end = memory.latest;
  const attacks = await Promise.all(
    attackers.map(async ({ name, attacker }) => ({ name, counts: await attacker.request("counts") })),
  );
  await Promise.all(attackers.map(({ attacker }) => attacker[Symbol.asyncDispose]()));

  say("waiting for missing deliveries …");
  await victim.stop();
  const received = await drain(() => receiver.request("received"), victim.samples.publishes, isOver);
  if (stopping.aborted) say("stopped early: these results are incomplete");
  const isMet = report(
    {
      warmFromMs,
      attackedFromMs,
      attackedMs,
      samples: victim.samples,
      received,
      attacks,
      memory: { before, highest: memory.highest, end },
      errors: server.stdout.split('"level":"error"').length - 1,
      serverEnded,
    },
    options,
  );
  return isMet && !stopping.aborted;
}

/** Returns a function that starts a server on a storage and a directory of its own. Both are removed with `opened`. */
async function openStorage({ storage, attacks }: BenchOptions, opened: AsyncDisposableStack) {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-attacks-"));
  opened.defer(() => rm(directory, { recursive: true, force: true }));
  const redis = storage === "redis" ? opened.use(await openRedis()) : undefined;
  return () =>
    startServer({
      directory,
      openFiles,
      env: {
        HOOKWRIGHT_STORAGE: redis?.url ?? (storage === "memory" ? "memory" : "file:data"),
        HOOKWRIGHT_HOST_TOKEN: hostToken,
        HOOKWRIGHT_SECRET: "a secret that only this bench uses",
        HOOKWRIGHT_PRIVATE_TARGETS: "allow",
        ...(attacks.includes("traceparent") ? { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" } : {}),
      },
    });
}

/** Waits until every acknowledged event has arrived, or until the missing ones count as lost. */
async function drain(
  read: () => Promise<Received>,
  publishes: readonly Publish[],
  isOver: () => boolean,
): Promise<Received> {
  const acknowledged = publishes.filter(({ succeeded }) => succeeded);
  const begunAt = monotonicMs();
  for (let saidAt = begunAt; ; await pause(1_000)) {
    const received = await read();
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
