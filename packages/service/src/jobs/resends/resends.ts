import { findDeliveries, listLoggedEvents } from "@hookwright/delivery";
import type { DeliveryRow, WebhookRow } from "@hookwright/delivery";
import {
  endedStatuses,
  HookwrightError,
  isHostId,
  parseInput,
  parseTimestamp,
  resendInputSchema,
  unknownEventProblem,
  validationFailed,
  withoutEmptyIn,
} from "@hookwright/domain";
import type { ResendInput } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check, Key, Store } from "@hookwright/storage";
import { commitAudited } from "../../audit/commit-audited.ts";
import type { ServiceContext } from "../../context.ts";
import { findProject, unknownProject } from "../../lookups/find-project.ts";
import { listNewestWebhooks } from "../../lookups/find-webhooks.ts";
import { noSuch } from "../../lookups/no-such.ts";
import { expectMaySend } from "../../lookups/read-account.ts";
import { keys } from "../../rows/keys.ts";
import {
  endResend,
  jobsOfAccount,
  parseResendRow,
  toResend,
  toResendMutations,
} from "../../rows/resend-row.ts";
import type { ResendRow } from "../../rows/resend-row.ts";
import { readIdPage } from "../../store/id-page.ts";
import type { ChangeOrigin, ResendUseCases } from "../../use-cases.ts";
import { countMatches } from "./count-matches.ts";
import { newResend, toResendStart } from "./start-resend.ts";
import type { ResendRange, ResendTarget } from "./start-resend.ts";

/** Jobs of an account, besides recoveries, that run at the same time. */
const maximumRunning = 10;
/** A preview counts this many times a thousand deliveries. */
const stepsOfPreview = 10;
/** Deliveries that were chosen are read in groups of this size. */
const readAtOnce = 100;

/** Jobs that send again what a filter matches (contract: The developer API). `createJobRunner` runs them. */
export function createResends(context: ServiceContext): ResendUseCases {
  const { store, events, now, newId } = context;

  /** A job that has counted nothing yet. */
  async function begin(
    accountId: string,
    body: unknown,
    own: readonly WebhookRow[] | undefined,
  ): Promise<ResendRow> {
    const startedAt = now();
    const input = parseInput(resendInputSchema, withoutEmptyIn(resendInputSchema, body));
    const range = readRange(input, startedAt);
    const targets = await findTargets(accountId, input.filter, own);
    return newResend("resend", range, targets, { id: newId("rcv"), now: startedAt });
  }

  async function findTargets(
    accountId: string,
    { webhook_ids: asked, project_id: projectId, event, delivery_ids: chosen }: ResendInput["filter"],
    own: readonly WebhookRow[] | undefined,
  ): Promise<ResendTarget[]> {
    const webhooks = own ?? (await listNewestWebhooks(store, accountId));
    const problems = (asked ?? [])
      .filter((id) => !webhooks.some((webhook) => webhook.id === id))
      .map((id) => `filter.webhook_ids: no such webhook: ${id}`);
    if (projectId !== undefined && (await findProject(store, accountId, projectId)) === undefined)
      problems.push(`filter.${unknownProject}`);
    if (event !== undefined && !(await isKnownEvent(accountId, event, webhooks)))
      problems.push(`filter.event: ${unknownEventProblem(event, events.names)}`);
    if (problems.length > 0) throw validationFailed(problems);
    const wanted = webhooks.filter(({ id }) => asked?.includes(id) ?? true);
    if (chosen === undefined) return wanted.map((webhook) => ({ webhook }));
    const rows = await findChosen(store, accountId, [...new Set(chosen)], own);
    const targets = Array.from(
      Map.groupBy(rows, ({ webhook_id: id }) => id),
      ([id, [first, ...others]]): ResendTarget => ({
        // What was sent to a removed webhook is found, and then skipped.
        webhook: webhooks.find((webhook) => webhook.id === id) ?? {
          id,
          event: first?.event ?? "",
          project_id: null,
        },
        deliveryIds: [first, ...others].flatMap((row) => row?.id ?? []).toSorted(),
      }),
    );
    return targets.filter(({ webhook: { id } }) => asked?.includes(id) ?? true);
  }

  /** An event that this process does not know may be one of a webhook, or was one. */
  async function isKnownEvent(accountId: string, event: string, webhooks: readonly WebhookRow[]) {
    if (events.find(event) !== undefined) return true;
    for (const webhook of webhooks)
      if (webhook.event === event || (await listLoggedEvents(store, accountId, webhook.id)).includes(event))
        return true;
    return false;
  }

  return {
    async start(accountId, body, origin, own) {
      const job = await begin(accountId, body, own);
      return toResend(await startJob(context, accountId, job, { origin, expectStartable }));

      async function expectStartable(): Promise<readonly Check[]> {
        const prefix = keys.resendsRunning(accountId, jobsOfAccount);
        const running = await store.list({ prefix, limit: maximumRunning });
        if (running.length < maximumRunning) return [];
        throw new HookwrightError(
          "invalid_state",
          `${maximumRunning} jobs of this account are running. Wait until one ends, or stop one.`,
        );
      }
    },

    async preview(accountId, body, own) {
      let job = await begin(accountId, body, own);
      // The job itself reports rows that cannot be read.
      for (let step = 0; step < stepsOfPreview && job.stage === "count"; step++)
        job = await countMatches({ ...context, accountId, job, onError: () => {} });
      const webhooks = await listNewestWebhooks(store, accountId);
      const isActive = (id: string) =>
        webhooks.some((webhook) => webhook.id === id && webhook.status === "active");
      const inactive = job.parts.filter(({ webhook_id: id }) => !isActive(id));
      const { found } = toResend(job);
      return {
        found,
        skipped: inactive.reduce((sum, part) => sum + part.found, 0),
        complete: job.stage === "send",
      };
    },

    list(accountId, page, own) {
      const { isShown } = shownTo(own);
      return readIdPage(context, {
        accountId,
        list: "resends",
        page,
        prefix: keys.resends(accountId),
        isShown: (text) => own === undefined || isShown(parseResendRow(text)),
        toRow: (text) => toResend(parseResendRow(text)),
      });
    },

    async get(accountId, jobId, own) {
      return toResend((await expectJob(store, accountId, jobId, shownTo(own))).row);
    },

    async stop(accountId, jobId, origin, own) {
      return toResend(await stopJob(context, accountId, jobId, { origin, ...shownTo(own) }));
    },
  };
}

/** @throws HookwrightError `validation_failed` with all problems of the fields */
function readRange({ filter, not_sent = false }: ResendInput, now: number): ResendRange {
  const { statuses, delivery_ids, since, until, webhook_ids, ...others } = filter;
  const problems: string[] = [];
  if (statuses === undefined && delivery_ids === undefined && !not_sent)
    problems.push(
      `filter.statuses: is needed, unless not_sent is true or delivery_ids are given: ${endedStatuses.join(", ")}`,
    );
  const onlyOfDeliveries = (["delivery_ids", "http_status", "error", "q"] as const).filter(
    (name) => filter[name] !== undefined,
  );
  if (not_sent && onlyOfDeliveries.length > 0)
    problems.push(`not_sent: cannot be combined with ${onlyOfDeliveries.join(", ")}: no delivery was made`);
  const times = {
    since: since === undefined ? undefined : parseTimestamp(since),
    until: until === undefined ? undefined : parseTimestamp(until),
  };
  if (times.since !== undefined && times.since > now)
    problems.push("filter.since: must not be in the future");
  if (times.since !== undefined && times.until !== undefined && times.since >= times.until)
    problems.push("filter.until: must be later than filter.since");
  if (problems.length > 0) throw validationFailed(problems);
  const given = delivery_ids === undefined ? [] : endedStatuses;
  return {
    filter: { statuses: [...new Set(statuses ?? given)], ...times, webhook_ids, ...others },
    not_sent,
  };
}

/**
 * @param own only deliveries of these webhooks. @default all deliveries of the account
 * @throws HookwrightError `validation_failed`
 */
async function findChosen(
  store: Store,
  accountId: string,
  ids: readonly string[],
  own: readonly WebhookRow[] | undefined,
): Promise<DeliveryRow[]> {
  const rows: DeliveryRow[] = [];
  for (let first = 0; first < ids.length; first += readAtOnce)
    rows.push(...(await findDeliveries(store, accountId, ids.slice(first, first + readAtOnce))));
  const shown = rows.filter(({ webhook_id: id }) => own?.some((webhook) => webhook.id === id) ?? true);
  const known = new Set(shown.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw validationFailed(unknown.map((id) => `filter.delivery_ids: no such delivery: ${id}`));
  return shown;
}

/** A key sees the jobs all of whose webhooks are its own. */
function shownTo(own: readonly WebhookRow[] | undefined): Pick<StopOptions, "noun" | "isShown"> {
  const ids = own && new Set(own.map(({ id }) => id));
  return { noun: "job", isShown: ({ parts }) => parts.every(({ webhook_id: id }) => ids?.has(id) ?? true) };
}

export interface StartOptions {
  readonly origin: ChangeOrigin | undefined;
  /** Returns checks of the commit. Throws if the job must not start. */
  readonly expectStartable: () => Promise<readonly Check[]>;
}

/** Starts a job or a recovery. Most logs are counted at once. The background work counts the rest of a large one. */
export function startJob(
  context: ServiceContext,
  accountId: string,
  job: ResendRow,
  { origin, expectStartable }: StartOptions,
): Promise<ResendRow> {
  const { store } = context;
  return commitAudited(context, partitionOf(accountId), origin, async () => {
    const account = await expectMaySend(store, accountId);
    const checks = await expectStartable();
    const counted = await countMatches({ ...context, accountId, job });
    const start = await toResendStart(store, accountId, counted);
    return {
      commit: {
        ...start,
        checks: [{ key: keys.account(accountId), value: account }, ...checks, ...start.checks],
      },
      result: counted,
      audited: { action: `${job.kind}.started`, accountId, target: { kind: job.kind, id: job.id } },
    };
  });
}

export interface StopOptions {
  readonly origin: ChangeOrigin | undefined;
  /** Names the job in messages. */
  readonly noun: "job" | "recovery";
  readonly isShown: (row: ResendRow) => boolean;
}

/** @throws HookwrightError `resource_not_found`; `invalid_state` if the job has ended */
export function stopJob(
  context: ServiceContext,
  accountId: string,
  jobId: string,
  { origin, noun, isShown }: StopOptions,
): Promise<ResendRow> {
  return commitAudited(context, partitionOf(accountId), origin, async () => {
    const { row, check } = await expectJob(context.store, accountId, jobId, { noun, isShown });
    if (row.status !== "running")
      throw new HookwrightError("invalid_state", `This ${noun} has ${row.status} already.`);
    const stopped = endResend(row, "stopped", context.now());
    return {
      commit: { checks: [check], mutations: toResendMutations(accountId, stopped) },
      result: stopped,
      audited: { action: `${row.kind}.stopped`, accountId, target: { kind: row.kind, id: jobId } },
    };
  });
}

/** @throws HookwrightError `resource_not_found` */
export async function expectJob(
  store: Store,
  accountId: string,
  jobId: string,
  { noun, isShown }: Pick<StopOptions, "noun" | "isShown">,
) {
  const key: Key = keys.resend(accountId, jobId);
  const value = isHostId(jobId) ? await store.get(key) : undefined;
  const row = value === undefined ? undefined : parseResendRow(value);
  if (row === undefined || !isShown(row)) throw noSuch(noun);
  return { row, check: { key, value } };
}
