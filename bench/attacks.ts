import { setTimeout as pause } from "node:timers/promises";
import type { AttackTarget } from "./attacks/attacker.ts";
import { createHostileAccounts, createVictim } from "./attacks/create-accounts.ts";
import { attackOptions, usage } from "./attacks/names.ts";
import type { AttackName } from "./attacks/names.ts";
import type { Received } from "./attacks/receiver.ts";
import { report } from "./attacks/report.ts";
import { startVictim } from "./attacks/victim.ts";
import type { Sample } from "./attacks/victim.ts";
import { hostToken, startBenchServer } from "./harness/measured-server.ts";
import { monotonicMs } from "./harness/monotonic-clock.ts";
import { readOptions } from "./harness/options.ts";
import { watchMemory } from "./harness/process-usage.ts";
import { startProgram } from "./harness/program.ts";
import { openStorage } from "./harness/storages.ts";
import { quantile, say } from "./harness/table.ts";

/**
 * Attacks a built server while another account publishes 20 events a second. Each attack is a separate process with its
 * own accounts, from 127.0.0.1. The other account connects from 127.0.0.2, and its host from 127.0.0.3.
 */
const warmUpMs = 15_000;
/** The open-files limit of the server, including sockets. */
const openFiles = 1_024;
/** The limit of all attacks together, so that the kernel does not become the bottleneck. */
const connectionsPerSecond = 200;
const holdingSockets: ReadonlySet<AttackName> = new Set(["bodies", "pipeline", "silent", "streams"]);
const progressEveryMs = 10_000;
/** The time after the attacks for missing deliveries. The third retry is due 315 s (±10 %) after the first attempt. */
const longestDrainMs = 400_000;

const options = readOptions(usage, attackOptions);
await using opened = new AsyncDisposableStack();
const receiver = opened.use(startProgram(new URL("attacks/receiver.ts", import.meta.url)));
const origin = await receiver.nextMessage();
const { location } = opened.use(await openStorage(options.storage));
const isTraced = options.only.includes("traceparent");
const start = () =>
  startBenchServer({
    openFiles,
    env: {
      HOOKWRIGHT_STORAGE: location,
      ...(isTraced ? { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" } : {}),
    },
  });

say("creating accounts …");
const first = opened.use(await start());
const { signingSecret, ...account } = await createVictim(first.url, hostToken, `${origin}/orders`);
await receiver.request(signingSecret);
const attackers = await Promise.all(
  options.only.map(async (name) => {
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
/** Waits, but less if the server exits. */
const waitFor = (milliseconds: number) => Promise.race([pause(milliseconds), server.exited]);

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
const holders = options.only.filter((name) => holdingSockets.has(name)).length;
const pace = connectionsPerSecond / Math.max(1, holders);
for (const { attacker, accounts } of attackers) {
  const target = { url, accounts, connectionsPerSecond: pace, victimEmail: account.email };
  await attacker.request(JSON.stringify(target satisfies AttackTarget));
}
const endsAt = attackedFromMs + options.seconds * 1_000;
for (let left = endsAt - monotonicMs(); left >= 1; left = endsAt - monotonicMs()) {
  await waitFor(Math.min(progressEveryMs, left));
  if (serverEnded !== undefined) break;
  const elapsed = ((monotonicMs() - attackedFromMs) / 1_000).toFixed(0);
  say(`attacked for ${elapsed} of ${options.seconds} s: ${describeLatest()}`);
}
const attackedMs = monotonicMs() - attackedFromMs;
const end = memory.latest;
const attacks = await Promise.all(
  attackers.map(async ({ name, attacker }) => ({ name, counts: await attacker.request("counts") })),
);
await Promise.all(attackers.map(({ attacker }) => attacker[Symbol.asyncDispose]()));

say("waiting for missing deliveries …");
await victim.stop();
const received = await drain();
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
  options.storage,
);
if (!isMet) process.exitCode = 1;

/** Waits until every acknowledged event has arrived, or until the missing ones count as lost. */
async function drain(): Promise<Received> {
  const acknowledged = victim.samples.filter(({ kind, succeeded }) => kind === "publish" && succeeded);
  const begunAt = monotonicMs();
  for (let saidAt = begunAt; ; await pause(1_000)) {
    const got: Received = await receiver.request("received");
    const ids = new Set(got.arrivals.map(([id]) => id));
    const missing = acknowledged.filter(({ eventId = "" }) => !ids.has(eventId)).length;
    const now = monotonicMs();
    if (missing === 0 || serverEnded !== undefined || now > begunAt + longestDrainMs) return got;
    if (now < saidAt + progressEveryMs) continue;
    saidAt = now;
    say(`${missing} deliveries are missing after ${((now - begunAt) / 1_000).toFixed(0)} s`);
  }
}

/** The memory of the server, and the results of the other account in the last ten seconds. */
function describeLatest(): string {
  const since = monotonicMs() - progressEveryMs;
  const p99 = (of: Sample["kind"]): string => {
    const latest = victim.samples.filter(({ kind, atMs }) => kind === of && atMs >= since);
    const times = latest.map(({ tookMs }) => tookMs);
    return times.length === 0 ? "no response" : `p99 ${quantile(times, 0.99).toFixed(0)} ms`;
  };
  return `${memory.latest.anonymous.toFixed(0)} MB, publish ${p99("publish")}, /healthz ${p99("probe")}, ${victim.unanswered} unanswered`;
}
