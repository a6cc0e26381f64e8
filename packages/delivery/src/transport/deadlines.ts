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
  readonly ms: number;
  first: Item | undefined;
  last: Item | undefined;
  timer: NodeJS.Timeout;
  /** When the timer goes off: no later than the first is due. */
  wakesAt: number;
}

export interface Deadlines<Item> {
  /** `item` is due `ms` after `since`, which is now or was a moment ago. Whatever deadline it had is over. */
  begin(item: Item, since: number, ms: number): void;
  /** Answers whether there was one to be ended: one that somebody else began is left alone. */
  end(item: Item): boolean;
  /** Nothing is due any more. */
  close(): void;
}

/**
 * A timer that goes off so late tells that the process stood still: stopped, or suspended with its machine. What came in time lies unread in
 * the sockets, and timers go before it: thirty answers that are taken for time-outs switch a webhook off.
 */
const standstillMs = 100;

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
  const deadlines: Deadlines<Item> = { begin, end, close };

  function openLine(ms: number, wakesAt: number): Line<Item> {
    const timer = startTimer(ms, ms);
    const line = { owner: deadlines, ms, first: undefined, last: undefined, timer, wakesAt };
    lines.set(ms, line);
    return line;
  }

  function startTimer(ms: number, inMs: number): NodeJS.Timeout {
    const timer = setTimeout(onTimer, inMs, ms);
    if (!keepsProcess) timer.unref();
    return timer;
  }

  function wake(line: Line<Item>, at: number): void {
    clearTimeout(line.timer);
    line.timer = startTimer(line.ms, Math.max(1, Math.ceil(at - performance.now())));
    line.wakesAt = at;
  }

  function onTimer(ms: number): void {
    const line = lines.get(ms);
    if (line === undefined) return;
    if (performance.now() - line.wakesAt < standstillMs) meetDue(ms);
    // The check phase comes behind the poll phase, in which what has come meanwhile is read.
    else setImmediate(meetDue, ms);
  }

  /** Whoever was first in line when the timer began may have left it since. */
  function meetDue(ms: number): void {
    const line = lines.get(ms);
    if (line === undefined) return;
    // The timer may be a fraction of a millisecond early, or go by a clock that a test moves while this one stands.
    const now = Math.max(line.wakesAt, performance.now());
    try {
      for (let { first } = line; first !== undefined && first.deadline.dueAt <= now; { first } = line) {
        leave(first, line);
        onDue(first);
      }
    } finally {
      const { first } = line;
      if (first !== undefined) wake(line, first.deadline.dueAt);
      else if (lines.get(ms) === line) lines.delete(ms);
    }
  }

  function begin(item: Item, since: number, ms: number): void {
    const { deadline } = item;
    if (deadline.line !== undefined) leave(item, deadline.line);
    deadline.dueAt = since + ms;
    const line = lines.get(ms) ?? openLine(ms, deadline.dueAt);
    deadline.line = line;
    deadline.earlier = line.last;
    if (line.last !== undefined) line.last.deadline.later = item;
    else beginLine(line, item, since);
    line.last = item;
  }

  function beginLine(line: Line<Item>, item: Item, since: number): void {
    line.first = item;
    // A timer that should have gone off, or goes off too late, belongs to a clock that is no more: a test's, say, which had replaced it.
    if (line.wakesAt < since || line.wakesAt > item.deadline.dueAt) wake(line, item.deadline.dueAt);
    else if (keepsProcess) line.timer.ref();
  }

  function end(item: Item): boolean {
    const { line } = item.deadline;
    if (line?.owner !== deadlines) return false;
    leave(item, line);
    return true;
  }

  function close(): void {
    for (const line of lines.values()) {
      clearTimeout(line.timer);
      while (line.first !== undefined) leave(line.first, line);
    }
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
