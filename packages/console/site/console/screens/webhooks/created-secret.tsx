import type { CreatedConsoleWebhook } from "@hookwright/domain";
import { toStandardForm } from "../../parts/secret-dialog.tsx";
import { TestButton } from "../../parts/test-button.tsx";
import { VerifySnippet } from "../../parts/verify-snippet.tsx";
import type { Secret, SecretForm } from "../../state/console-context.ts";
import { hrefTo } from "../../state/use-route.ts";

/**
 * What is shown after webhooks were created: the secret of each, how to verify with it, and a test.
 *
 * @param created at least one, all with the same URL
 */
export function toCreatedSecret(created: readonly CreatedConsoleWebhook[]): Secret {
  const areSeveral = created.length > 1;
  const [first, ...others] = created.flatMap((webhook) => toForms(webhook, areSeveral));
  if (first === undefined) throw new Error("toCreatedSecret needs at least one webhook.");
  return {
    ...first,
    title: areSeveral ? `${created.length} webhooks created` : "Webhook created",
    otherForms: others,
    areSeveral,
    text: <CreatedText created={created} />,
    next: <CreatedTests created={created} />,
  };
}

function toForms(webhook: CreatedConsoleWebhook, areSeveral: boolean): readonly SecretForm[] {
  const { event, signing_secret, standard_signing_secret } = webhook;
  const ours = areSeveral
    ? { label: `Signing secret for ${event}`, value: signing_secret, variable: toVariable(event) }
    : { label: "Signing secret", value: signing_secret };
  return [ours, ...toStandardForm(standard_signing_secret)];
}

/** @example toVariable("order.created") // "WEBHOOK_SECRET_ORDER_CREATED" */
function toVariable(event: string): string {
  return `WEBHOOK_SECRET_${event.replaceAll(/\W+/gu, "_").toUpperCase()}`;
}

interface CreatedProps {
  readonly created: readonly CreatedConsoleWebhook[];
}

function CreatedText({ created }: CreatedProps) {
  const url = <bdi>{created[0]?.target_url}</bdi>;
  if (created.length === 1)
    return (
      <>
        Deliveries to {url} are signed with this secret. Your endpoint verifies them with it:
        <VerifySnippet />
      </>
    );
  return (
    <>
      There are {created.length} webhooks to {url}, one for each event, and {created.length} different
      secrets. Your endpoint verifies each event with its own secret:
      <VerifySnippet variables={Object.fromEntries(created.map(({ event }) => [event, toVariable(event)]))} />
    </>
  );
}

/** The links open another tab, because the secret is still shown in this one. */
function CreatedTests({ created }: CreatedProps) {
  return (
    <>
      {created.map(({ id, event }) => (
        <div key={id} class="created">
          <p>
            <code>{event}</code>{" "}
            <a href={hrefTo(["webhooks", id])} target="_blank" rel="noreferrer">
              Open the webhook in a new tab
            </a>
          </p>
          <TestButton webhookId={id} />
        </div>
      ))}
    </>
  );
}
