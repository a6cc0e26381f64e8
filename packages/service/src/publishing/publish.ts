import { isHookwrightError, validationFailed } from "@hookwright/domain";
import type { ErrorCode } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import type { PublishResult, Service } from "../use-cases.ts";
import { readPublication } from "./publication.ts";
import type { ReadPublication } from "./publication.ts";
import { createPublishTogether } from "./publish-together.ts";

/** Items that one call of the host API may bring (contract §7). */
export const maximumBatch = 1_000;

/**
 * Publishes events: the record, what it adds to contacts, and one delivery for each webhook that listens, in one atomic
 * commit. Once that is acknowledged nothing is lost; before it nothing is sent.
 */
export function createPublish(context: ServiceContext): Pick<Service, "publish" | "publishMany"> {
  const { directory } = context;
  const publishTogether = createPublishTogether(context);

  /** Where the site is known it makes no promise of its own: a thousand events may be on their way at once. */
  function publish(input: unknown): Promise<PublishResult> {
    try {
      const read = readPublication(input, context.nextArrival());
      const accountId = directory.known("project", read.projectId);
      return accountId === undefined ? findAndPublish(read) : publishRead(accountId, read);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async function findAndPublish(read: ReadPublication): Promise<PublishResult> {
    return await publishRead(await directory.find("project", read.projectId), read);
  }

  function publishRead(accountId: string | undefined, read: ReadPublication): Promise<PublishResult> {
    // All that is wrong with one event is told at once.
    const ofSite = accountId === undefined ? ["project_id: no such site"] : [];
    if (!read.ok) throw validationFailed([...ofSite, ...read.problems]);
    if (accountId === undefined) throw validationFailed(ofSite);
    return publishTogether(accountId, read.publication);
  }

  async function publishOne(input: unknown): Promise<PublishResult | PublishRefusal> {
    try {
      return await publish(input);
    } catch (error) {
      if (!isHookwrightError(error) || error.status >= 500) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  }

  return {
    publish,
    async publishMany(inputs) {
      if (inputs.length > maximumBatch)
        throw validationFailed([`body: must have at most ${maximumBatch} entries`]);
      // Items of one record happen in the order given; all others share the store's commits.
      const chains = new Map<string, Promise<unknown>>();
      return Promise.all(
        inputs.map((input) => {
          const record = recordNameOf(input);
          const earlier = chains.get(record) ?? Promise.resolve();
          const result = earlier.then(
            () => publishOne(input),
            () => publishOne(input),
          );
          chains.set(record, result);
          return result;
        }),
      );
    },
  };
}

interface PublishRefusal {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** Which record an unread item speaks of, as far as that can be seen. */
function recordNameOf(input: unknown): string {
  if (typeof input !== "object" || input === null || !("data" in input)) return "";
  const { data } = input;
  if (typeof data !== "object" || data === null || !("id" in data)) return "";
  // Any other value is no id. Text cannot even be made of all of them: `{"toString": 1}` would throw.
  return typeof data.id === "string" ? data.id : "";
}
