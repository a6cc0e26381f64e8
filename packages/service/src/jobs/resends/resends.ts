import { findDeliveries, listLoggedEvents } from "@hookwright/delivery";
import type { DeliveryRow, IssueFilter, OnUnreadable, WebhookRow } from "@hookwright/delivery";
import {
  endedStatuses,
  HookwrightError,
  isHostId,
  parseInput,
  parseTimestamp,
  recoveredStatuses,
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
import { findIssueFilter } from "../../issues/read-issues.ts";
import { findProject, unknownProject } from "../../lookups/find-project.ts";
import { listNewestWebhooks, toEndedSince } from "../../lookups/find-webhooks.ts";
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
import { collectUnreadable } from "../../store/unreadable-rows.ts";
import type { ChangeOrigin, OwnOfKey, ResendUseCases } from "../../use-cases.ts";
import { countMatches, describeOmitted } from "./count-matches.ts";
import { newResend, toResendStart } from "./start-resend.ts";
import type { ResendRange, ResendTarget } from "./start-resend.ts";
import { prepareTurnOn } from "./turn-on.ts";
import type { PreparedTurnOn } from "./turn-on.ts";

/** Jobs of an account, besides recoveries, that run at the same time. */
const maximumRunning = 10;
const slots = Array.from({ length: maximumRunning }, (_, index) => String(index));
/** A preview counts this many times twenty deliveries. */
const pagesOfPreview = 500;
/** Deliveries that were chosen are read in groups of this size. */
const readAtOnce = 100;
/** Jobs that one page of the list of a key reads. */
const maximumScanned = 500;

/** Jobs that send again what a filter matches (contract: The developer API). `createJobRunner` runs them. */
export function createResends(context: ServiceContext): ResendUseCases {
  const { store, events, now, newId } = context;

  /** A job that has counted nothing yet. */
  async function begin(
    accountId: string,
    body: unknown,
    own: OwnOfKey | undefined,
    onUnreadable: OnUnreadable,
  ): Promise<ResendRow> {
    const startedAt = now();
    const input = ofSite(parseInput(resendInputSchema, withoutEmptyIn(resendInputSchema, body)), own);
    const range = readRange(input, startedAt);
    const issue =
      input.filter.issue === undefined
        ? undefined
        : await findIssueFilter(store, accountId, input.filter.issue);
    const { targets, missing } = await findTargets(accountId, input, {
      own,
      issue,
      onUnreadable,
    });
    const others = {
      id: newId("rcv"),
      key_id: own?.keyId,
      missing,
      issue,
      ...(input.turn_on === true && { turned_on: 0 }),
      now: startedAt,
    };
    return newResend("resend", range, targets, others);
  }

  async function findTargets(
    accountId: string,
    { filter, not_sent: notSent = false, turn_on: turnsOn = false }: ResendInput,
    {
      own,
      issue,
      onUnreadable,
    }: {
      readonly own: OwnOfKey | undefined;
      readonly issue: IssueFilter | undefined;
      readonly onUnreadable: OnUnreadable;
    },
  ): Promise<Targets> {
    const { webhook_ids: asked, project_id: projectId, event, delivery_ids: chosen } = filter;
    const webhooks = own?.webhooks ?? (await listNewestWebhooks(store, accountId));
    const problems = (asked ?? [])
      .filter((id) => !webhooks.some((webhook) => webhook.id === id))
      .map((id) => `filter.webhook_ids: no such webhook: ${id}`);
    if (issue !== undefined && !webhooks.some(({ id }) => id === issue.webhook_id))
      problems.push(`filter.issue: no such issue: ${filter.issue}`);
    if (problems.length > 0) throw validationFailed(problems);
    if (projectId !== undefined && (await findProject(store, accountId, projectId)) === undefined)
      throw new HookwrightError("invalid_project", `filter.${unknownProject}`);
    if (event !== undefined && !(await isKnownEvent(accountId, event, webhooks)))
      throw new HookwrightError("unknown_event", `filter.event: ${unknownEventProblem(event, events.names)}`);
    const wanted = webhooks.filter(
      ({ id }) => (asked?.includes(id) ?? true) && id === (issue?.webhook_id ?? id),
    );
    if (turnsOn) {
      const stopped = wanted.filter(({ status }) => status !== "active");
      if (stopped.length === 0)
        throw new HookwrightError(
          "invalid_state",
          "All webhooks of filter.webhook_ids are active. Leave turn_on out to send again.",
        );
      const targets = stopped.map((webhook) => ({ webhook, endedSince: toEndedSince(webhook) ?? now() }));
      return { targets, missing: 0 };
    }
    if (chosen === undefined) return { targets: wanted.map((webhook) => ({ webhook })), missing: 0 };
    const ids = [...new Set(chosen)];
    const rows = await findChosen(store, accountId, ids, { own, onUnreadable });
    const ofWebhooks = Map.groupBy(rows, ({ webhook_id: id }) => id);
    const toTarget = (webhook: ResendTarget["webhook"]): ResendTarget => ({
      webhook,
      deliveryIds: (ofWebhooks.get(webhook.id) ?? []).map(({ id }) => id).toSorted(),
    });
    // What was sent to a removed webhook is found, and then skipped.
    const removed = [...ofWebhooks]
      .filter(([id]) => asked === undefined && !webhooks.some((webhook) => webhook.id === id))
      .map(([id, [row]]) => ({ id, event: row?.event ?? "", project_id: null }));
    const present = wanted.filter(({ id }) => notSent || ofWebhooks.has(id));
    return { targets: [...present, ...removed].map(toTarget), missing: ids.length - rows.length };
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
      const unreadable = collectUnreadable();
      const job = await begin(accountId, body, own, unreadable.add);
      unreadable.report(describeOmitted(job), { ...context, accountId });
      let turnedOn: PreparedTurnOn["webhooks"] = [];
      const started = await startJob(context, accountId, job, { origin, prepareStart });
      for (const { event, id: webhookId } of turnedOn)
        context.worker.webhookChanged({ accountId, event, webhookId });
      return toResend(started);

      /** The commit fails if another job takes the slot. */
      async function prepareStart() {
        const prefix = keys.resendsRunning(accountId, jobsOfAccount);
        const running = await store.list({ prefix, limit: maximumRunning });
        const taken = new Set(running.map(({ key }) => key.at(-1)));
        const slot = slots.find((each) => !taken.has(each));
        if (running.length >= maximumRunning || slot === undefined)
          throw new HookwrightError(
            "invalid_state",
            `${maximumRunning} jobs of this account are running. Wait until one ends, or stop one.`,
          );
        if (job.turned_on === undefined) return { fields: { slot }, checks: [] };
        const turnedOnAt = now();
        const { webhooks, ...commit } = await prepareTurnOn(store, accountId, job, turnedOnAt);
        turnedOn = webhooks;
        return { ...commit, fields: { slot, turned_on: webhooks.length, created_at: turnedOnAt } };
      }
    },

    async preview(accountId, body, own) {
      const begun = await begin(accountId, body, own, () => {});
      if (begun.turned_on !== undefined) await prepareTurnOn(store, accountId, begun, now());
      // The job itself reports rows that cannot be read.
      const counting = { accountId, job: begun, maximumPages: pagesOfPreview, onError: () => {} };
      const job = await countMatches({ ...context, ...counting });
      const webhooks = await listNewestWebhooks(store, accountId);
      const isActive = (id: string) =>
        webhooks.some((webhook) => webhook.id === id && webhook.status === "active");
      const isSkipped = (id: string) => job.turned_on === undefined && !isActive(id);
      const inactive = job.parts.filter(({ webhook_id: id }) => isSkipped(id));
      const { found } = toResend(job);
      return {
        found,
        skipped: inactive.reduce((sum, part) => sum + part.found, job.missing ?? 0),
        complete: job.stage === "send",
      };
    },

    list(accountId, page, keyId) {
      const { isShown } = shownTo(keyId);
      return readIdPage(context, {
        accountId,
        list: "resends",
        page,
        prefix: keys.resends(accountId),
        ...(keyId !== undefined && { isShown: (text) => isShown(parseResendRow(text)), maximumScanned }),
        toRow: (text) => toResend(parseResendRow(text)),
      });
    },

    async get(accountId, jobId, keyId) {
      return toResend((await expectJob(store, accountId, jobId, shownTo(keyId))).row);
    },

    async stop(accountId, jobId, origin, keyId) {
      return toResend(await stopJob(context, accountId, jobId, { origin, ...shownTo(keyId) }));
    },
  };
}

/** @throws HookwrightError `validation_failed` with all problems of the fields */
function readRange({ filter, turn_on: turnsOn = false, ...input }: ResendInput, now: number): ResendRange {
  const { statuses: asked, outcome, delivery_ids, since, until, webhook_ids, ...others } = filter;
  const { not_sent = turnsOn } = input;
  const statuses = asked ?? (outcome && [outcome]) ?? (turnsOn ? recoveredStatuses : undefined);
  const problems: string[] = [];
  // A program that lists no webhooks must not turn all on.
  if (turnsOn && webhook_ids === undefined) problems.push("filter.webhook_ids: is needed with turn_on");
  if (turnsOn && delivery_ids !== undefined)
    problems.push("filter.delivery_ids: cannot be used with turn_on");
  if (statuses === undefined && delivery_ids === undefined && !not_sent)
    problems.push(
      `filter.statuses: is needed, unless not_sent is true, or outcome or delivery_ids are given: ${endedStatuses.join(", ")}`,
    );
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
  const chosen = delivery_ids && new Set(delivery_ids).size;
  return {
    filter: { statuses: [...new Set(statuses ?? given)], ...times, webhook_ids, chosen, outcome, ...others },
    not_sent,
  };
}

/** @throws HookwrightError `invalid_project` */
function ofSite(input: ResendInput, own: OwnOfKey | undefined): ResendInput {
  if (own?.projectId === undefined) return input;
  const { project_id: named = own.projectId } = input.filter;
  if (named !== own.projectId) throw new HookwrightError("invalid_project", `filter.${unknownProject}`);
  return { ...input, filter: { ...input.filter, project_id: named } };
}

/** What a job sends to, and which of the chosen deliveries it cannot send. */
interface Targets {
  readonly targets: readonly ResendTarget[];
  /** Chosen deliveries that do not exist, or cannot be read. */
  readonly missing: number;
}

/** @param own only deliveries of this key exist. @default all deliveries of the account */
async function findChosen(
  store: Store,
  accountId: string,
  ids: readonly string[],
  { own, onUnreadable }: { readonly own: OwnOfKey | undefined; readonly onUnreadable: OnUnreadable },
): Promise<readonly DeliveryRow[]> {
  const found: DeliveryRow[] = [];
  for (let first = 0; first < ids.length; first += readAtOnce) {
    const batch = ids.slice(first, first + readAtOnce);
    found.push(...(await findDeliveries(store, accountId, batch, onUnreadable)));
  }
  const isOwn = ({ webhook_id: id, project_id: site }: DeliveryRow): boolean =>
    own === undefined ||
    ((own.projectId ?? site) === site && own.webhooks.some((webhook) => webhook.id === id));
  return found.filter(isOwn);
}

/** A key sees the jobs that it started. */
function shownTo(keyId: string | undefined): Pick<StopOptions, "noun" | "isShown"> {
  return { noun: "job", isShown: ({ key_id }) => keyId === undefined || key_id === keyId };
}

export interface StartOptions {
  readonly origin: ChangeOrigin | undefined;
  /** Throws if the job must not start. */
  readonly prepareStart: () => Promise<PreparedStart>;
}

/** What the commit of a start also does. */
interface PreparedStart extends Partial<Omit<PreparedTurnOn, "webhooks">> {
  readonly checks: readonly Check[];
  /** Fields that the start sets. If the job turns webhooks on, its creation time is the time of that change. */
  readonly fields?: Pick<ResendRow, "slot" | "turned_on"> & Partial<Pick<ResendRow, "created_at">>;
}

/** Starts a job or a recovery. Most logs are counted at once. The background work counts the rest of a large one. */
export function startJob(
  context: ServiceContext,
  accountId: string,
  job: ResendRow,
  { origin, prepareStart }: StartOptions,
): Promise<ResendRow> {
  const { store } = context;
  let counted: ResendRow | undefined;
  return commitAudited(context, partitionOf(accountId), origin, async () => {
    const account = await expectMaySend(store, accountId);
    const { checks, mutations = [], notify = [], audited = [], fields } = await prepareStart();
    counted ??= await countMatches({ ...context, accountId, job });
    const started = { ...counted, ...fields };
    const start = await toResendStart(store, accountId, started);
    return {
      commit: {
        checks: [{ key: keys.account(accountId), value: account }, ...checks, ...start.checks],
        mutations: [...mutations, ...start.mutations],
        notify: [...notify, ...start.notify],
      },
      result: started,
      audited: [
        ...audited,
        { action: `${job.kind}.started`, accountId, target: { kind: job.kind, id: job.id } },
      ],
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
