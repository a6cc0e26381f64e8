import type { OnError } from "@hookwright/domain";
import { RepositoryError } from "./repository.ts";
import type { Awaitable } from "./repository.ts";

/** The API responds within five seconds even if the host's database is unavailable. */
const deadlineMs = 4_500;

/**
 * Calls a function of the host's repository, with a deadline. At the deadline it aborts the signal and throws.
 *
 * @param name of the function, such as `contacts.get`
 * @throws RepositoryError `unavailable`, and every error of the function
 */
export async function callRepository<Answer>(
  { onError }: { readonly onError: OnError },
  name: string,
  call: (signal: AbortSignal) => Awaitable<Answer>,
): Promise<Answer> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new RepositoryError(
        "unavailable",
        `${name} has not answered for ${deadlineMs / 1_000} s`,
      );
      controller.abort(error);
      reject(error);
    }, deadlineMs);
  });
  const answer = new Promise<Answer>((resolve) => resolve(call(controller.signal)));
  answer.catch((error: unknown) => {
    // Nothing awaits the answer after the deadline. The abort reason itself is not an error of the repository.
    if (controller.signal.aborted && error !== controller.signal.reason)
      onError(error, { function: name, code: "repository_answered_late" });
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
