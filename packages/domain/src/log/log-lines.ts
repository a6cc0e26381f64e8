import { linesOf } from "./lines-of.ts";
import type { LogLine } from "./logger.ts";

const lifecycle = linesOf("lifecycle");
const api = linesOf("api");
const audit = linesOf("audit");
const delivery = linesOf("delivery");
const storage = linesOf("storage");
const ownData = linesOf("own_data");
const accounts = linesOf("accounts");
const mail = linesOf("mail");
const notices = linesOf("notices");
const outbox = linesOf("outbox");
const retention = linesOf("retention");
const recovery = linesOf("recovery");

/**
 * All log lines of Hookwright by code. Programs search for codes, so keys of this table never change.
 * Messages may. A test compares `docs/reference/log-lines.md` with it.
 *
 * Only mails without a mail server are logged without a code (contract: The server).
 */
export const logLines = {
  // Starting and stopping.
  unknown_option: lifecycle.warn(
    "createHookwright ignores options that it does not know. Check their spelling.",
  ),
  event_removed: lifecycle.warn(
    "An event is no longer in the option `events`, or is switched off by `builtInEvents`, but has webhooks. They get nothing new, and can be listed and removed. Deliveries that are pending are still sent. Add the event again, or ask the owners to remove the webhooks.",
  ),
  events_missing: lifecycle.warn(
    "There are no events, so there is nothing to publish: `builtInEvents` has switched off those of the specification. Declare your own with PUT /host/v1/event-types/{name}, or define them in the option `events`.",
  ),
  event_type_refused: lifecycle.error(
    "An event that was declared over the host API is not used, so its publications are refused. `problem` says why. Declare it again under another name, or remove it from the option `events`.",
  ),
  private_targets_allowed: lifecycle.warn(
    "PRIVATE TARGETS ARE ALLOWED: webhooks can reach every address of this network, also over plain HTTP. Use this only for development.",
  ),
  host_token_short: lifecycle.warn(
    "A host token (`hostToken`, HOOKWRIGHT_HOST_TOKEN) has fewer than 16 characters and could be guessed. Create a longer one with `openssl rand -base64 32`.",
  ),
  metrics_token_short: lifecycle.warn(
    "The metrics token (`metricsToken`, HOOKWRIGHT_METRICS_TOKEN) has fewer than 16 characters and could be guessed. Create a longer one with `openssl rand -base64 32`.",
  ),
  proxy_checks_addresses: lifecycle.warn(
    "DELIVERIES GO THROUGH A PROXY, which resolves the names of endpoints. THE PROXY MUST REFUSE PRIVATE ADDRESSES, because they cannot be checked here.",
  ),
  open_files_limit_low: lifecycle.warn(
    "The limit for open files reduces the number of concurrent delivery attempts. Raise the limit (ulimit -n, LimitNOFILE).",
  ),
  store_not_opened: lifecycle.error(
    "The store was passed as a promise, and the promise was rejected. Await the store first.",
  ),
  shutdown_incomplete: lifecycle.warn(
    "The process closed before all work had ended. Nothing is lost: the next process repeats unrecorded attempts.",
  ),
  shutdown_failed: lifecycle.error(
    "A component could not be closed. Nothing is lost: the next process continues its work.",
  ),

  // Requests.
  request_failed: api.error(
    "A request was answered with a status of 500 or more. If `error` names the storage or your own code, fix it there. Otherwise please report it with its stack.",
  ),
  change_audited: audit.info("A change was written to the audit log."),
  listener_not_renewed: api.error(
    "The storage did not extend a listener that has a reader. It is tried again every minute. After ten failures the listener is removed.",
  ),
  listener_stream_failed: api.error(
    "A stream of a listener was closed after an error. The client can continue it with Last-Event-ID.",
  ),
  console_changes_not_read: api.error(
    "Open consoles do not show the newest changes, because the storage could not be read. It is read again.",
  ),
  console_stream_failed: api.error(
    "A stream of changes for an open console was closed after an error. The page connects again.",
  ),
  body_memory_full: api.warn(
    "A request was answered with 503 because the memory for request bodies is full. Look for a client that sends many large or slow bodies at once. If your clients need more, raise `bodyMemoryBytes`.",
  ),
  response_not_sent: api.error(
    "A response could not be sent, so its connection was closed. Check middleware that runs before Hookwright.",
  ),
  request_not_logged: api.error("A request is missing in the console's request log. Its response was sent."),
  request_log_not_written: api.error(
    "Recent requests are missing in the console's request log. Check that the storage can be written.",
  ),
  rate_limit_not_stored: api.error(
    "The storage is full or read-only, so each process counts the requests of an account by itself. `error` says why.",
  ),
  request_served: api.info("A request was answered."),
  attempt_recorded: delivery.info("A delivery attempt was recorded."),
  storage_available: storage.info(
    "The storage can be written again, after an outage that `not_ready` reported.",
  ),
  not_ready: storage.warn(
    "`/readyz` returns 503. `problem` says why, and `error` is the error of the storage. Check the storage.",
  ),
  forwarded_for_ignored: api.warn(
    "Sign-ins come through a proxy that is not trusted, so the rate limits count all its clients as one. Set `trustProxy` (--trust-proxy) to the number of proxies.",
  ),

  // Accounts and the host's own code.
  welcome_failed: ownData.error(
    "`onSubscribed` failed for a new subscriber. It is not called again for this subscriber.",
  ),
  repository_answered_late: ownData.error(
    "A function of your own repository failed after its caller had stopped waiting. Make it faster than 4.5 s.",
  ),
  repository_order_missing: ownData.warn(
    "Your own repository does not have an order, so its delivery is cancelled. Publish an order after you have committed it.",
  ),
  repository_order_not_read: ownData.error(
    "An order could not be read from your own repository, so it is sent as it was published. Fix what `error` names.",
  ),
  repository_not_searched: ownData.error(
    "Orders could not be searched in your own repository within a second, so the search has only what was published. Fix what `error` names.",
  ),
  account_not_searched: storage.error(
    "A stored row of an account cannot be read, so a search over all accounts leaves its records out. The other accounts are searched. Check the store with `check-storage`.",
  ),
  record_unreadable: storage.error(
    "A stored record cannot be read, so a search leaves it out and finds the others. Check the store with `check-storage`.",
  ),
  repository_row_refused: ownData.error(
    "A function of your own repository returned a row that must not be shown, so it was left out. Fix what `error` names.",
  ),
  sign_in_failed: accounts.warn(
    "A network sent wrong passwords to the console: so many `failures` within a minute. Written for the 1st, 10th, 100th and so on.",
  ),
  console_link_refused: accounts.warn(
    "A network sent codes of console links or invitations that are unknown, used or expired: so many `failures` within a minute. Written for the 1st, 10th, 100th and so on.",
  ),
  host_token_refused: api.warn(
    "A network sent wrong host tokens: so many `failures` within a minute. Written for the 1st, 10th, 100th and so on. If it is a program of yours, correct its token.",
  ),
  metrics_token_refused: api.warn(
    "A network sent wrong tokens for `/metrics`: so many `failures` within a minute. Written for the 1st, 10th, 100th and so on. If it is your Prometheus, correct its token.",
  ),
  sign_in_failure_not_recorded: accounts.error(
    "A failed sign-in could not be written to the audit log of its account. Check the storage.",
  ),
  sign_in_entry_not_removed: accounts.error(
    "An old sign-in entry could not be removed. It gives no access, and expires or is removed at the next sign-in.",
  ),
  api_key_entry_not_removed: accounts.error(
    "The entry of an API key that was not created could not be removed. It gives no access.",
  ),
  revoked_keys_not_removed: accounts.error(
    "Old revoked API keys could not be removed. They give no access. The next revocation tries again.",
  ),
  key_use_not_recorded: accounts.error(
    "The time at which an API key was last used could not be stored. The request was served.",
  ),
  login_not_extended: accounts.error(
    "The time at which a login of the command line was last used could not be stored, so it was not extended. The request was served. The next use tries again.",
  ),
  mail_retried: mail.warn(
    "A mail about an account could not be sent. It is sent again later. Check the mail server.",
  ),
  mail_not_sent: mail.error(
    "A mail about an account could not be sent for a day and is not retried. Tell the owner yourself what `notice` names.",
  ),
  confirmation_not_sent: mail.error(
    "The mail that asks an address for its confirmation could not be sent. The customer can send it again. Check the mail server.",
  ),
  mail_held_back: mail.warn(
    "A mail about an account was not sent. `reason` is `limit_reached` after ten mails in 24 hours, or `already_warned` if this event and URL were warned about in the last 24 hours.",
  ),
  notice_retried: notices.warn(
    "`onNotice` has thrown, or did not answer within a minute. It is called again later. Fix it: `error` says what it threw.",
  ),
  notice_not_handled: notices.error(
    "`onNotice`, or reading who gets a notice, has failed for a day, so the notice is dropped.",
  ),
  notices_dropped: notices.error(
    "An account had more than 1,000 notices that wait, so the oldest were dropped: `count`. Check what keeps them waiting, such as the mail server.",
  ),
  notice_endpoint_removed: notices.warn(
    "The URL of `PUT /host/v1/notice-endpoint` answered 410, so it gets no more notices. Set it again: that creates a new secret.",
  ),
  notices_not_read: notices.error(
    "Notices, or who gets them, could not be read or stored. They stay in the storage and are tried again. Check the storage. A damaged notice is removed.",
  ),

  // The outbox.
  outbox_rejected: outbox.warn(
    "An event in the outbox is invalid, so its row was moved to the table `outbox_rejected`. `problem` says what to correct. Then publish it again in the operator console, or with `POST /host/v1/outbox/rejected/{id}/retry`.",
  ),
  outbox_not_published: outbox.error(
    "Events in the outbox could not be published. They are tried again within seconds, and later events of the same records wait. `error` says why.",
  ),
  outbox_unavailable: outbox.error(
    "The outbox could not be read, so its events wait. It is read again within seconds. Check its PostgreSQL.",
  ),
  outbox_stuck: outbox.error(
    "For at least 30 s, the first event of the outbox was not published, or the outbox could not be read. `problem` says what to do. `/readyz` has a warning meanwhile.",
  ),
  outbox_moving: outbox.info("The events of the outbox are published again, after `outbox_stuck`."),

  // Deliveries.
  leases_not_renewed: delivery.error(
    "The leases of this worker could not be renewed. It tries again in a second. If this lasts 15 s, other workers take over. Check the storage.",
  ),
  queues_not_read: delivery.error(
    "Queued deliveries could not be read. They are read again within seconds. Check the storage.",
  ),
  queues_unreadable: delivery.error(
    "A later version has written queues. They wait for a process of that version. Finish the upgrade.",
  ),
  delivery_unreadable: delivery.error(
    "A stored delivery cannot be read, so it is not sent. Other deliveries continue.",
  ),
  deliveries_unreadable: retention.error(
    "Old deliveries cannot be read, so they are not removed. Other old deliveries are removed.",
  ),
  attempts_not_prepared: delivery.error(
    "Attempts could not be prepared. Their deliveries stay queued and are tried again.",
  ),
  attempt_not_made: delivery.error(
    "An attempt could not be made. Its delivery stays queued and is tried again.",
  ),
  too_many_open_files: delivery.error(
    "No connection could be opened because this process has too many files open. The delivery stays queued; a test fails. Raise the limit (ulimit -n, LimitNOFILE).",
  ),
  proxy_unavailable: delivery.error(
    "The proxy for deliveries cannot be used. The delivery stays queued and is tried again; a test fails. Check the proxy and its URL.",
  ),
  source_address_unavailable: delivery.error(
    "The source address of deliveries does not belong to this machine. The delivery stays queued and is tried again; a test fails.",
  ),
  secret_missing: delivery.error(
    "A webhook has no signing secret, so its deliveries wait. Delete the webhook and create it again.",
  ),
  secret_unreadable: delivery.error(
    "The signing secret of a webhook cannot be decrypted, so its deliveries wait. Start with the server secret that the data was written with, or with both during a rotation.",
  ),
  results_not_recorded: delivery.error(
    "The results of attempts could not be stored. They are kept in memory and stored again every half second. Check the storage.",
  ),
  webhook_counters_unreadable: delivery.error(
    "The failure counters of a webhook cannot be read. They start again from zero.",
  ),
  resent_delivery_unreadable: delivery.error(
    "A resend was accepted, and the delivery that it repeats cannot be read: the ledger still counts its event as failed. Nothing waits for it.",
  ),
  ledger_not_folded: delivery.error(
    "The counts of the overview could not be folded into fewer rows, or a damaged row of them starts again from zero. It is tried again within an hour. Check the storage.",
  ),
  notice_failed: delivery.error(
    "The owner of a webhook could not be notified about it. Its deliveries continue.",
  ),
  metrics_failed: delivery.error("An attempt could not be counted in the metrics. Its result is stored."),
  partition_not_released: delivery.error(
    "A partition could not be released to another worker. The release is tried again. Check the storage.",
  ),
  recovery_failed: recovery.error(
    "A recovery of a webhook, or an action on many webhooks, could not continue. It is tried again within a minute and sends nothing twice. Check the storage.",
  ),
  retention_failed: retention.error(
    "Old data of an account could not be removed. The removal is tried again in an hour. Check the storage.",
  ),
} as const satisfies Readonly<Record<string, LogLine>>;

export type LogCode = keyof typeof logLines;
