import { formatMs } from "@hookwright/domain";
import type { Attempt, DeliveryDetail } from "@hookwright/domain";
import { Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Answer } from "../../parts/cells.tsx";
import { everySecond, formatExactSpan, Time } from "../../parts/time.tsx";
import { nameEnd } from "./end-note.tsx";
import { DurationBar, Waterfall } from "./waterfall.tsx";

export interface RetryTimelineProps {
  readonly delivery: DeliveryDetail;
  readonly shown: Attempt | undefined;
  readonly onShow: (number: number) => void;
}

/** The attempts, oldest first, with the time between them, the next attempt, and how it ended. */
export function RetryTimeline({ delivery, shown, onShow }: RetryTimelineProps) {
  const { attempts, next_attempt_at } = delivery;
  const end = nameEnd(delivery);
  const longest = Math.max(1, ...attempts.map(({ duration_ms }) => duration_ms));
  const shownIndex = attempts.findIndex(({ id }) => id === shown?.id);
  return (
    <ol class="timeline" aria-label="Attempts, oldest first">
      {attempts.map((attempt, index) => {
        const before = attempts[index - 1];
        return (
          <Fragment key={attempt.id}>
            {before === undefined ? null : (
              <li class="gap">+{formatExactSpan(secondsBetween(before.started_at, attempt.started_at))}</li>
            )}
            <li class={attempt.error === null ? "good" : "bad"}>
              <button
                type="button"
                aria-pressed={attempt.id === shown?.id}
                data-shortcut={index === shownIndex - 1 ? "[" : index === shownIndex + 1 ? "]" : undefined}
                onClick={() => onShow(attempt.number)}
              >
                <span class="node" aria-hidden="true" />
                <span class="heard">Attempt </span>
                <strong>{attempt.number}</strong> <Answer status={attempt.status} error={attempt.error} />{" "}
                <span class="number">{formatMs(attempt.duration_ms)}</span>{" "}
                <Time at={attempt.started_at} precise />
              </button>
              <DurationBar attempt={attempt} longestMs={longest} />
              {attempt.id === shown?.id ? <Waterfall attempt={attempt} /> : null}
            </li>
          </Fragment>
        );
      })}
      {end === undefined ? (
        <li class="ahead">
          <span class="node" aria-hidden="true" />
          {next_attempt_at === null ? (
            "Waiting"
          ) : (
            <Countdown number={attempts.length + 1} at={next_attempt_at} />
          )}
        </li>
      ) : (
        <li class="end">
          <span class="node" aria-hidden="true" />
          {end}
        </li>
      )}
    </ol>
  );
}

/** Counts down to an attempt. */
function Countdown({ number, at }: { readonly number: number; readonly at: string }) {
  const [left, setLeft] = useState(() => secondsUntil(at));
  useEffect(() => {
    const update = (): void => setLeft(secondsUntil(at));
    update();
    return everySecond(update);
  }, [at]);
  return (
    <time dateTime={at} title={at}>
      Next attempt {left < -5 ? "is due" : left <= 0 ? "now" : `in ${formatExactSpan(left)}`} · {number}
    </time>
  );
}

function secondsUntil(at: string): number {
  return Math.ceil((Date.parse(at) - Date.now()) / 1_000);
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000));
}
