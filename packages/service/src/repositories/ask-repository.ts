import type { OnError } from "@hookwright/domain";
import { RepositoryError } from "./repository.ts";
import type { Awaitable } from "./repository.ts";

/** Whoever waits for the API is answered within five seconds, also where a database is away. */
const deadlineMs = 4_500;

/**
 * Asks the host's own database, as long as somebody would wait for it. Then its signal is aborted, with the error that whoever asked is
 * told.
 *
 * @param name of the function, such as `contacts.get`
 * @throws RepositoryError `unavailable`; and whatever the function throws
 */
export async function askRepository<Answer>(
  { onError }: { readonly onError: OnError },
  name: string,
  ask: (signal: AbortSignal) => Awaitable<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new RepositoryError(
        "unavailable",
        `${name} has not answered for ${deadlineMs / 1_000} s`,
      );
      late.abort(error);
      reject(error);
    }, deadlineMs);
  });
  const answer = new Promise<Answer>((resolve) => resolve(ask(late.signal)));
  answer.catch((error: unknown) => {
    // Nobody waits for it any more. Who was told to stop may say so.
    if (late.signal.aborted && error !== late.signal.reason)
      onError(error, { function: name, code: "repository_answered_late" });
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
