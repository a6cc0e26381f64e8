import type { Delivery } from "@hookwright/domain";
import { Answer } from "../../parts/cells.tsx";
import { formatShare } from "../../parts/format.ts";
import { hrefTo } from "../../state/route.ts";

export interface AnswersProps {
  readonly webhookId: string;
  /** The newest deliveries that had an attempt, the newest first. */
  readonly deliveries: readonly Delivery[];
}

/** What the endpoint answered lately: the share of each answer. */
export function Answers({ webhookId, deliveries }: AnswersProps) {
  const answers = countAnswers(deliveries);
  const total = answers.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="panel">
      <h2>{total === 0 ? "Answers" : total === 1 ? "Newest answer" : `Newest ${total} answers`}</h2>
      {total === 0 ? <p class="quiet">None yet.</p> : <AnswerBar answers={answers} total={total} />}
      <ul class="lines">
        {answers.map(({ status, error, count }) => (
          <li key={`${status} ${error}`}>
            <Answer status={status} error={error} />
            <span class="share">{formatShare(count / total)}</span>
            <a
              class="number"
              aria-label={`${count === 1 ? "1 delivery" : `${count} deliveries`} with ${status ?? error}`}
              href={hrefTo(["deliveries"], {
                webhook_id: webhookId,
                ...(status === null ? { error: error ?? undefined } : { http_status: String(status) }),
              })}
            >
              {count}
            </a>
          </li>
        ))}
      </ul>
      <AttemptsNeeded deliveries={deliveries} />
    </div>
  );
}

/** The list below it says the same in text. */
function AnswerBar({ answers, total }: { readonly answers: readonly AnswerCount[]; readonly total: number }) {
  const before = (index: number): number =>
    answers.slice(0, index).reduce((sum, { count }) => sum + count, 0) / total;
  return (
    <svg class="answer-bar" width="100%" height="12" aria-hidden="true">
      {answers.map(({ status, error, count }, index) => (
        <rect
          key={`${status} ${error}`}
          class={error === null ? "good" : "bad"}
          x={`${before(index) * 100}%`}
          width={`${(count / total) * 100}%`}
          height="12"
        />
      ))}
    </svg>
  );
}

/** How many attempts the accepted deliveries took. It is shown only if some took several. */
function AttemptsNeeded({ deliveries }: Pick<AnswersProps, "deliveries">) {
  const attempts = deliveries
    .filter(({ status }) => status === "delivered")
    .map((each) => each.attempts_made);
  const most = Math.max(0, ...attempts);
  if (most < 2) return null;
  return (
    <>
      <h3>Attempts until accepted</h3>
      <ol class="lines">
        {Array.from({ length: most }, (_, index) => {
          const count = attempts.filter((made) => made === index + 1).length;
          return (
            <li key={index}>
              <span class="label">{index === 0 ? "1 attempt" : `${index + 1} attempts`}</span>
              <svg class="share" height="12" aria-hidden="true">
                <rect class="good" width={`${(count / attempts.length) * 100}%`} height="12" />
              </svg>
              <span class="number">{count}</span>
            </li>
          );
        })}
      </ol>
    </>
  );
}

export interface AnswerCount {
  readonly status: number | null;
  readonly error: Delivery["last_error"];
  readonly count: number;
}

/** How often each answer occurs, the most frequent first. Deliveries without an attempt do not count. */
export function countAnswers(deliveries: readonly Delivery[]): readonly AnswerCount[] {
  const counts = new Map<string, AnswerCount>();
  for (const { last_status: status, last_error: error } of deliveries) {
    if (status === null && error === null) continue;
    const key = status === null ? String(error) : String(status);
    counts.set(key, { status, error, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count);
}
