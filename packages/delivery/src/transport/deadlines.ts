/** What may have a deadline, one at a time. */
export interface Timed<Item> {
  /** Written by {@link Deadlines} alone. Whatever has a deadline again and again allocates nothing for it. */
  readonly deadline: Deadline<Item>;
}

interface Deadline<Item> {
  /** On the clock of `performance.now()`. */
  dueAt: number;
  line: Line<Item> | undefined;
  earlier: Item | undefined;
  later: Item | undefined;
}

/** Those that have the same time, in the order in which they began; so the first is the first to be due. */
interface Line<Item> {
  readonly owner: Deadlines<Item>;
  first: Item | undefined;
  last: Item | undefined;
  timer: NodeJS.Timeout;
}

export interface Deadlines<Item> {
  /** `item` is due `ms` after `since`, which is now or was a moment ago. Whatever deadline it had is over. */
  begin(item: Item, since: number, ms: number): void;
  /** Answers whether there was one to be ended: one that somebody else began is left alone. */
  end(item: Item): boolean;
  /** The one that is due first. */
  next(): Item | undefined;
  /** Stops the timers: nothing is due any more. */
  close(): void;
}

export interface DeadlinesOptions<Item> {
  readonly onDue: (item: Item) => void;
  /** Whether the process has to stay for what is due. */
  readonly keepsProcess: boolean;
}

/** Of something that has had none yet. */
export function noDeadline(): Deadline<never> {
  return { dueAt: Number.POSITIVE_INFINITY, line: undefined, earlier: undefined, later: undefined };
}

/**
 * One timer for all that have the same time. Nearly all deadlines end before they are due, thousands a second: a timer of Node's for
 * each costs 400 bytes and a call into libuv.
 */
export function createDeadlines<Item extends Timed<Item>>({
  onDue,
  keepsProcess,
}: DeadlinesOptions<Item>): Deadlines<Item> {
  const lines = new Map<number, Line<Item>>();
  const deadlines: Deadlines<Item> = { begin, end, next, close };

  function openLine(ms: number): Line<Item> {
    const line = { owner: deadlines, first: undefined, last: undefined, timer: startTimer(ms, ms) };
    lines.set(ms, line);
    return line;
  }

  function startTimer(ms: number, inMs: number): NodeJS.Timeout {
    const timer = setTimeout(onTimer, inMs, ms);
    if (!keepsProcess) timer.unref();
    return timer;
  }

  /** Whoever was first in line when the timer began may have left it since. */
  function onTimer(ms: number): void {
    const line = lines.get(ms);
    if (line === undefined) return;
    const now = performance.now();
    try {
      for (let { first } = line; first !== undefined && first.deadline.dueAt <= now; { first } = line) {
        leave(first, line);
        onDue(first);
      }
    } finally {
      const { first } = line;
      if (first === undefined) lines.delete(ms);
      else if (lines.has(ms)) line.timer = startTimer(ms, Math.max(1, Math.ceil(first.deadline.dueAt - now)));
    }
  }

  function begin(item: Item, since: number, ms: number): void {
    const { deadline } = item;
    if (deadline.line !== undefined) leave(item, deadline.line);
    const line = lines.get(ms) ?? openLine(ms);
    deadline.dueAt = since + ms;
    deadline.line = line;
    deadline.earlier = line.last;
    if (line.last !== undefined) line.last.deadline.later = item;
    else {
      line.first = item;
      if (keepsProcess) line.timer.ref();
    }
    line.last = item;
  }

  function end(item: Item): boolean {
    const { line } = item.deadline;
    if (line?.owner !== deadlines) return false;
    leave(item, line);
    return true;
  }

  function next(): Item | undefined {
    let soonest: Item | undefined;
    for (const { first } of lines.values()) {
      if (soonest === undefined || (first !== undefined && first.deadline.dueAt < soonest.deadline.dueAt))
        soonest = first;
    }
    return soonest;
  }

  function close(): void {
    for (const { timer } of lines.values()) clearTimeout(timer);
    lines.clear();
  }

  return deadlines;
}

function leave<Item extends Timed<Item>>({ deadline }: Item, line: Line<Item>): void {
  const { earlier, later } = deadline;
  if (earlier === undefined) line.first = later;
  else earlier.deadline.later = later;
  if (later === undefined) line.last = earlier;
  else later.deadline.earlier = earlier;
  deadline.line = deadline.earlier = deadline.later = undefined;
  // The timer goes on, since whoever comes next would start another; but nobody waits for it.
  if (line.first === undefined) line.timer.unref();
}
