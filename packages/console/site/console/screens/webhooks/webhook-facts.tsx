import type { ConsoleWebhook } from "@hookwright/domain";
import { Status } from "../../parts/status.tsx";
import { Facts } from "../../parts/facts.tsx";
import { SiteName } from "../../parts/site-name.tsx";
import { Time } from "../../parts/time.tsx";

export function WebhookFacts({ webhook }: { readonly webhook: ConsoleWebhook }) {
  const { id, status, event, project_id, consecutive_failures, created_by, name, headers } = webhook;
  const creator =
    created_by.type === "console" ? (
      "the console"
    ) : (
      <>
        the key “<bdi>{created_by.name ?? created_by.key_id}</bdi>”
      </>
    );
  return (
    <Facts
      facts={[
        ...(name === null ? [] : ([["Name", <bdi key="name">{name}</bdi>]] as const)),
        ["Status", <Status key="state" status={status} />],
        ["Event", <code key="event">{event}</code>],
        ["Site", <SiteName key="site" id={project_id} />],
        ...(headers.length === 0 ? [] : ([["Custom headers", headers.join(", ")]] as const)),
        ["Consecutive failures", consecutive_failures],
        ["Last accepted", <Time key="accepted" at={webhook.last_success_at} />],
        ["Last failed", <Time key="failed" at={webhook.last_failure_at} />],
        ["Created", <Time key="created" at={webhook.created_at} />],
        ["Created by", creator],
        ["Id", <code key="id">{id}</code>],
      ]}
    />
  );
}
