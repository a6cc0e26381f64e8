import type { LogLine } from "./logger.ts";

/**
 * All log lines of Hookwright by code. Programs search for codes, so keys of this table never change.
 * Messages may. A test compares `docs/reference/log-lines.md` with it.
 *
 * Only mails without a mail server are logged without a code (contract: The server).
 */
export const logLines = {
  // Starting and stopping.
  unknown_option: {
    component: "lifecycle",
    level: "warn",
    message: "createHookwright ignores options that it does not know. Check their spelling.",
  },
  event_removed: {
    component: "lifecycle",
    level: "warn",
    message:
      "An event is no longer in the option `events`, but has webhooks. They get nothing new, and can be listed and removed. Deliveries that are pending are still sent. Add the event again, or ask the owners to remove the webhooks.",
  },
  private_targets_allowed: {
    component: "lifecycle",
    level: "warn",
    message:
      "PRIVATE TARGETS ARE ALLOWED: webhooks can reach every address of this network, also over plain HTTP. Use this only for development.",
  },
  host_token_short: {
    component: "lifecycle",
    level: "warn",
    message:
      "A host token (`hostToken`, HOOKWRIGHT_HOST_TOKEN) has fewer than 16 characters and could be guessed. Create a longer one with `openssl rand -base64 32`.",
  },
  metrics_token_short: {
    component: "lifecycle",
    level: "warn",
    message:
      "The metrics token (`metricsToken`, HOOKWRIGHT_METRICS_TOKEN) has fewer than 16 characters and could be guessed. Create a longer one with `openssl rand -base64 32`.",
  },
  proxy_checks_addresses: {
    component: "lifecycle",
    level: "warn",
    message:
      "DELIVERIES GO THROUGH A PROXY, which resolves the names of endpoints. THE PROXY MUST REFUSE PRIVATE ADDRESSES, because they cannot be checked here.",
  },
  open_files_limit_low: {
    component: "lifecycle",
    level: "warn",
    message:
      "The limit for open files reduces the number of concurrent delivery attempts. Raise the limit (ulimit -n, LimitNOFILE).",
  },
  store_not_opened: {
    component: "lifecycle",
    level: "error",
    message: "The store was passed as a promise, and the promise was rejected. Await the store first.",
  },
  shutdown_incomplete: {
    component: "lifecycle",
    level: "warn",
    message:
      "The process closed before all work had ended. Nothing is lost: the next process repeats unrecorded attempts.",
  },
  shutdown_failed: {
    component: "lifecycle",
    level: "error",
    message: "A component could not be closed. Nothing is lost: the next process continues its work.",
  },

  // Requests.
  request_failed: {
    component: "api",
    level: "error",
    message:
      "A request was answered with a status of 500 or more. If `error` names the storage or your own code, fix it there. Otherwise please report it with its stack.",
  },
  change_audited: {
    component: "audit",
    level: "info",
    message: "A change was written to the audit log.",
  },
  listener_not_renewed: {
    component: "api",
    level: "error",
    message:
      "The storage did not extend a listener that has a reader. It is tried again every minute. After ten failures the listener is removed.",
  },
  listener_stream_failed: {
    component: "api",
    level: "error",
    message:
      "A stream of a listener was closed after an error. The client can continue it with Last-Event-ID.",
  },
  console_changes_not_read: {
    component: "api",
    level: "error",
    message:
      "Open consoles do not show the newest changes, because the storage could not be read. It is read again.",
  },
  console_stream_failed: {
    component: "api",
    level: "error",
    message: "A stream of changes for an open console was closed after an error. The page connects again.",
  },
  body_memory_full: {
    component: "api",
    level: "warn",
    message:
      "A request was answered with 503 because the memory for request bodies is full. Look for a client that sends many large or slow bodies at once. If your clients need more, raise `bodyMemoryBytes`.",
  },
  response_not_sent: {
    component: "api",
    level: "error",
    message:
      "A response could not be sent, so its connection was closed. Check middleware that runs before Hookwright.",
  },
  request_not_logged: {
    component: "api",
    level: "error",
    message: "A request is missing in the console's request log. Its response was sent.",
  },
  request_log_not_written: {
    component: "api",
    level: "error",
    message:
      "Recent requests are missing in the console's request log. Check that the storage can be written.",
  },
  rate_limit_not_stored: {
    component: "api",
    level: "error",
    message:
      "The storage is full or read-only, so each process counts the requests of an account by itself. `error` says why.",
  },
  request_served: {
    component: "api",
    level: "info",
    message: "A request was answered.",
  },
  attempt_recorded: {
    component: "delivery",
    level: "info",
    message: "A delivery attempt was recorded.",
  },
  storage_available: {
    component: "storage",
    level: "info",
    message: "The storage can be written again, after an outage that `not_ready` reported.",
  },
  not_ready: {
    component: "storage",
    level: "warn",
    message:
      "`/readyz` returns 503. `problem` says why, and `error` is the error of the storage. Check the storage.",
  },
  forwarded_for_ignored: {
    component: "api",
    level: "warn",
    message:
      "Sign-ins come through a proxy that is not trusted, so the rate limits count all its clients as one. Set `trustProxy` (--trust-proxy) to the number of proxies.",
  },

  // Accounts and the host's own code.
  welcome_failed: {
    component: "own_data",
    level: "error",
    message: "`onSubscribed` failed for a new subscriber. It is not called again for this subscriber.",
  },
  repository_answered_late: {
    component: "own_data",
    level: "error",
    message:
      "A function of your own repository failed after its caller had stopped waiting. Make it faster than 4.5 s.",
  },
  repository_order_missing: {
    component: "own_data",
    level: "warn",
    message:
      "Your own repository does not have an order, so its delivery is cancelled. Publish an order after you have committed it.",
  },
  repository_order_not_read: {
    component: "own_data",
    level: "error",
    message:
      "An order could not be read from your own repository, so it is sent as it was published. Fix what `error` names.",
  },
  repository_row_refused: {
    component: "own_data",
    level: "error",
    message:
      "A function of your own repository returned a row that must not be shown, so it was left out. Fix what `error` names.",
  },
  sign_in_failed: {
    component: "accounts",
    level: "warn",
    message:
      "A network sent wrong passwords to the console: so many `failures` within a minute. Written for the 1st, 10th, 100th and so on.",
  },
  console_link_refused: {
    component: "accounts",
    level: "warn",
    message:
      "A network sent codes of console links that are unknown, used or expired: so many `failures` within a minute. Written for the 1st, 10th, 100th and so on.",
  },
  host_token_refused: {
    component: "api",
    level: "warn",
    message:
      "A network sent wrong host tokens: so many `failures` within a minute. Written for the 1st, 10th, 100th and so on. If it is a program of yours, correct its token.",
  },
  metrics_token_refused: {
    component: "api",
    level: "warn",
    message:
      "A network sent wrong tokens for `/metrics`: so many `failures` within a minute. Written for the 1st, 10th, 100th and so on. If it is your Prometheus, correct its token.",
  },
  sign_in_failure_not_recorded: {
    component: "accounts",
    level: "error",
    message: "A failed sign-in could not be written to the audit log of its account. Check the storage.",
  },
  sign_in_entry_not_removed: {
    component: "accounts",
    level: "error",
    message:
      "An old sign-in entry could not be removed. It gives no access and is removed at the next sign-in.",
  },
  api_key_entry_not_removed: {
    component: "accounts",
    level: "error",
    message: "The entry of an API key that was not created could not be removed. It gives no access.",
  },
  revoked_keys_not_removed: {
    component: "accounts",
    level: "error",
    message:
      "Old revoked API keys could not be removed. They give no access. The next revocation tries again.",
  },
  key_use_not_recorded: {
    component: "accounts",
    level: "error",
    message: "The time at which an API key was last used could not be stored. The request was served.",
  },
  mail_retried: {
    component: "mail",
    level: "warn",
    message:
      "A mail to the owner of an account could not be sent. It is sent again later. Check the mail server.",
  },
  mail_not_sent: {
    component: "mail",
    level: "error",
    message:
      "A mail to the owner of an account could not be sent and is not retried. Tell the owner about the webhook yourself.",
  },

  mail_held_back: {
    component: "mail",
    level: "warn",
    message:
      "A mail to the owner of an account was not sent. `reason` is `limit_reached` after ten mails in 24 hours, or `already_warned` if this event and URL were warned about in the last 24 hours.",
  },
  mail_not_counted: {
    component: "mail",
    level: "error",
    message:
      "A mail to the owner of an account could not be counted, so it is sent without applying the limit. Check that the storage can be written.",
  },

  // The outbox.
  outbox_rejected: {
    component: "outbox",
    level: "warn",
    message:
      "An event in the outbox is invalid, so its row was moved to the table `outbox_rejected`. `problem` says what to correct. Then insert it into the outbox again.",
  },
  outbox_not_published: {
    component: "outbox",
    level: "error",
    message:
      "Events in the outbox could not be published. They are tried again within seconds, and later events of the same records wait. `error` says why.",
  },
  outbox_unavailable: {
    component: "outbox",
    level: "error",
    message:
      "The outbox could not be read, so its events wait. It is read again within seconds. Check its PostgreSQL.",
  },
  outbox_stuck: {
    component: "outbox",
    level: "error",
    message:
      "For at least 30 s, the first event of the outbox was not published, or the outbox could not be read. `problem` says what to do. `/readyz` has a warning meanwhile.",
  },
  outbox_moving: {
    component: "outbox",
    level: "info",
    message: "The events of the outbox are published again, after `outbox_stuck`.",
  },

  // Deliveries.
  leases_not_renewed: {
    component: "delivery",
    level: "error",
    message:
      "The leases of this worker could not be renewed. It tries again in a second. If this lasts 15 s, other workers take over. Check the storage.",
  },
  queues_not_read: {
    component: "delivery",
    level: "error",
    message: "Queued deliveries could not be read. They are read again within seconds. Check the storage.",
  },
  queues_unreadable: {
    component: "delivery",
    level: "error",
    message:
      "A later version has written queues. They wait for a process of that version. Finish the upgrade.",
  },
  delivery_unreadable: {
    component: "delivery",
    level: "error",
    message: "A stored delivery cannot be read, so it is not sent. Other deliveries continue.",
  },
  deliveries_unreadable: {
    component: "retention",
    level: "error",
    message: "Old deliveries cannot be read, so they are not removed. Other old deliveries are removed.",
  },
  attempts_not_prepared: {
    component: "delivery",
    level: "error",
    message: "Attempts could not be prepared. Their deliveries stay queued and are tried again.",
  },
  attempt_not_made: {
    component: "delivery",
    level: "error",
    message: "An attempt could not be made. Its delivery stays queued and is tried again.",
  },
  too_many_open_files: {
    component: "delivery",
    level: "error",
    message:
      "No connection could be opened because this process has too many files open. The delivery stays queued; a test fails. Raise the limit (ulimit -n, LimitNOFILE).",
  },
  proxy_unavailable: {
    component: "delivery",
    level: "error",
    message:
      "The proxy for deliveries cannot be used. The delivery stays queued and is tried again; a test fails. Check the proxy and its URL.",
  },
  source_address_unavailable: {
    component: "delivery",
    level: "error",
    message:
      "The source address of deliveries does not belong to this machine. The delivery stays queued and is tried again; a test fails.",
  },
  secret_missing: {
    component: "delivery",
    level: "error",
    message:
      "A webhook has no signing secret, so its deliveries wait. Delete the webhook and create it again.",
  },
  secret_unreadable: {
    component: "delivery",
    level: "error",
    message:
      "The signing secret of a webhook cannot be decrypted, so its deliveries wait. Start with the server secret that the data was written with, or with both during a rotation.",
  },
  results_not_recorded: {
    component: "delivery",
    level: "error",
    message:
      "The results of attempts could not be stored. They are kept in memory and stored again every half second. Check the storage.",
  },
  webhook_counters_unreadable: {
    component: "delivery",
    level: "error",
    message: "The failure counters of a webhook cannot be read. They start again from zero.",
  },
  notice_failed: {
    component: "delivery",
    level: "error",
    message: "The owner of a webhook could not be notified about it. Its deliveries continue.",
  },
  metrics_failed: {
    component: "delivery",
    level: "error",
    message: "An attempt could not be counted in the metrics. Its result is stored.",
  },
  partition_not_released: {
    component: "delivery",
    level: "error",
    message:
      "A partition could not be released to another worker. The release is tried again. Check the storage.",
  },
  recovery_failed: {
    component: "recovery",
    level: "error",
    message:
      "A recovery of a webhook, or an action on many webhooks, could not continue. It is tried again within a minute and sends nothing twice. Check the storage.",
  },
  retention_failed: {
    component: "retention",
    level: "error",
    message:
      "Old data of an account could not be removed. The removal is tried again in an hour. Check the storage.",
  },
} as const satisfies Readonly<Record<string, LogLine>>;

export type LogCode = keyof typeof logLines;
