import { MockError } from "../mock-error.ts";

/** A status, or `network_error` (the connection breaks), or `no_answer` (the sender must time out). */
export type ReceiverAnswer = number | "network_error" | "no_answer";

export interface ReceiverAnswers {
  /** Sets the answers to deliveries in order. The last one repeats. @throws MockError `invalid_answer` */
  set(answers: readonly ReceiverAnswer[]): void;
  take(): ReceiverAnswer;
}

/** @throws MockError `invalid_answer` */
export function createReceiverAnswers(initial: readonly ReceiverAnswer[]): ReceiverAnswers {
  let left = parseAnswers(initial);
  return {
    set(answers) {
      left = parseAnswers(answers);
    },
    take() {
      const [next = 204] = left;
      if (left.length > 1) left = left.slice(1);
      return next;
    },
  };
}

function parseAnswers(answers: readonly ReceiverAnswer[]): readonly ReceiverAnswer[] {
  const wrong = answers.findIndex((answer) => !isAnswer(answer));
  if (wrong === -1) return answers;
  throw new MockError(
    "invalid_answer",
    `An answer must be a status from 200 to 599, network_error or no_answer, not ${answers[wrong]}.`,
  );
}

function isAnswer(answer: ReceiverAnswer): boolean {
  if (typeof answer !== "number") return answer === "network_error" || answer === "no_answer";
  return Number.isInteger(answer) && answer >= 200 && answer <= 599;
}
