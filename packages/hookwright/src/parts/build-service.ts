import { defaultConnections, openFilesLimit } from "@hookwright/api";
import { systemClock } from "@hookwright/delivery";
import { createFindOrdersOfHost, createJobRunner, createService, isKnownOwnEvent } from "@hookwright/service";
import type { FailedAuthentication, JobRunner, JobRunnerOptions, Service } from "@hookwright/service";
import type { Tracer } from "@opentelemetry/api";
import { createFailedAuthentications } from "../log/failed-authentications.ts";
import { logChange } from "../log/log-activity.ts";
import { createRelays } from "../outbox/create-relays.ts";
import type { OutboxRelays } from "../outbox/create-relays.ts";
import { outsideTraces } from "../tracing/outside-traces.ts";
import { currentTraceParent } from "../tracing/spans.ts";
import { tracePublishing } from "../tracing/trace-publishing.ts";
import type { DeliveryParts } from "./build-delivery.ts";
import type { Storage } from "./open-storage.ts";
import type { Setup } from "./read-setup.ts";

/** The use cases, and what calls them in the background. */
export interface ServiceParts {
  readonly service: Service;
  readonly relays: OutboxRelays;
  readonly jobRunner: JobRunner;
  readonly onFailedAuthentication: (failure: FailedAuthentication) => void;
}

export function buildService(
  { options, checked, metrics, log, now, clock, mailer, consoleUrl }: Setup,
  { store, serverKeys, declaredEvents, outboxes, onError }: Storage,
  { targetPolicy, worker, testSender }: DeliveryParts,
  tracer: Tracer,
): ServiceParts {
  const onFailedAuthentication = createFailedAuthentications({
    log,
    now: () => performance.now(),
    onCounted: metrics.onFailedAuthentication,
  });
  const onAudited: JobRunnerOptions["onAudited"] = (row) => logChange(log, row);
  const untraced = createService({
    store,
    serverKeys,
    events: checked.events,
    declaredEvents,
    standardWebhooks: checked.standardWebhooks,
    headerPrefix: checked.headerPrefix,
    bodyForm: checked.bodyForm,
    repositories: { contacts: options.contacts, orders: options.orders, blogPosts: options.blogPosts },
    worker: {
      delivers: worker.delivers,
      offer: outsideTraces(worker.offer),
      rescan: outsideTraces(worker.rescan),
      webhookChanged: outsideTraces(worker.webhookChanged),
    },
    outboxes: outboxes.all.map(({ outbox }) => outbox),
    traceParent: currentTraceParent,
    testSender,
    mailer,
    consoleUrl,
    targetPolicy,
    consoleTokenSeconds: checked.consoleTokenSeconds,
    keptBodies: checked.keepBodies,
    auditRetentionMs: checked.auditRetentionMs,
    onAudited,
    onFailedAuthentication,
    onSubscribed: options.onSubscribed,
    maximumConnections: options.maxConnections ?? defaultConnections(openFilesLimit()),
    now,
    onError,
  });
  const { publish, publishMany, publishFromOutbox } = tracePublishing(untraced, tracer);
  const relays = createRelays({
    outboxes,
    publish: publishFromOutbox,
    isKnownElsewhere: (event) => isKnownOwnEvent(store, event),
    clock: systemClock,
    log,
  });
  const jobRunner = createJobRunner({
    store,
    events: checked.events,
    clock,
    worker,
    outboxes: outboxes.all.map(({ outbox }) => outbox),
    findOrdersOfHost:
      options.orders &&
      createFindOrdersOfHost({ store, cursors: serverKeys.cursors, now, onError }, options.orders),
    auditRetentionMs: checked.auditRetentionMs,
    onAudited,
    onError,
  });
  return { service: { ...untraced, publish, publishMany }, relays, jobRunner, onFailedAuthentication };
}
