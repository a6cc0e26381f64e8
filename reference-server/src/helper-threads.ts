import { readdirSync, readFileSync } from "node:fs";
import { getPriority, platform, setPriority } from "node:os";
import path from "node:path";

/** Where Linux lists the threads of this process. */
const threads = "/proc/self/task";
/** Steps of `nice(1)`: whoever has ten less gets ten times as much of a core that both want. */
const helpersNiceness = 10;

/**
 * V8's threads, which collect garbage and compile, give way to the one that serves and delivers: with two cores it waits for them else, for
 * as long as the kernel lets somebody run. They have whatever it leaves, so that nothing is slower for it.
 *
 * Linux alone has a priority for each thread, which anybody may lower; elsewhere nothing happens, nor under a Node that does not name
 * its threads.
 *
 * @see docs/decisions/troubled-webhooks.md for what it is worth
 */
export function letHelpersGiveWay(): void {
  if (platform() !== "linux") return;
  try {
    if (getPriority() >= helpersNiceness) return;
    for (const thread of readdirSync(threads)) {
      const name = readFileSync(path.join(threads, thread, "comm"), "utf8");
      if (name.includes("V8Worker")) setPriority(Number(thread), helpersNiceness);
    }
  } catch {
    // A system that hides its threads, or lets nobody touch them, keeps them as they are: nobody is told of what costs a millisecond.
  }
}
