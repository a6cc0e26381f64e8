import { formatMs } from "@hookwright/domain";
import type { RequestLogEntry } from "@hookwright/domain";
import { CopyButton } from "../../parts/buttons.tsx";
import { Answer } from "../../parts/cells.tsx";
import { Drawer } from "../../parts/dialogs.tsx";
import { Facts, ReferenceLink } from "../../parts/page.tsx";
import type { ReferenceOperation } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useResource } from "../../state/use-api.ts";

export interface RequestDrawerProps {
  readonly entry: RequestLogEntry;
  readonly onClose: () => void;
}

/** One request, and what its error means. */
export function RequestDrawer({ entry, onClose }: RequestDrawerProps) {
  const { id, method, path, status, error_code, key_name, duration_ms, created_at } = entry;
  // Without it, the link leads to the reference as a whole.
  const operations = useResource("operations", readOperations).data;
  return (
    <Drawer title="Request" onClose={onClose}>
      <h2 class="url">
        <Answer status={status} error={null} /> <code>{`${method} ${path}`}</code>
      </h2>
      {error_code === null ? null : (
        <p class="note bad">
          <span>
            <code>{error_code}</code> {explainError(error_code)}
          </span>
        </p>
      )}
      <Facts
        facts={{
          Key: <bdi>{key_name}</bdi>,
          Time: <Time at={created_at} />,
          Duration: formatMs(duration_ms),
          "Request id": <code>{id}</code>,
        }}
      />
      <div class="actions">
        <CopyButton text={id} shortcut="c">
          Copy request id
        </CopyButton>
        <ReferenceLink operation={operations && findOperation(operations, entry)} />
      </div>
    </Drawer>
  );
}

/** The part of the OpenAPI document that names the operations. */
export interface OperationList {
  /** Operations by their path with parameters in braces, then by their method in lower case. */
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly tags: readonly [string, ...string[]] }>>>
  >;
}

/** @throws Error if the server sends no such document */
export async function readOperations(signal: AbortSignal): Promise<OperationList> {
  const response = await fetch("v1/openapi.json", { signal, credentials: "omit" });
  if (!response.ok) throw new Error(`The OpenAPI document got the status ${response.status}.`);
  return response.json();
}

/** The operation of a request. Undefined: the document does not list it, such as those of the developer API. */
export function findOperation(
  { paths }: OperationList,
  { method, path }: { readonly method: string; readonly path: string },
): ReferenceOperation | undefined {
  // A path without parameters comes first, as OpenAPI demands.
  const template = path in paths ? path : Object.keys(paths).find((each) => isMadeFrom(path, each));
  const verb = method === "HEAD" ? "GET" : method;
  const operation = paths[template ?? ""]?.[verb.toLowerCase()];
  if (template === undefined || operation === undefined) return undefined;
  const tag = operation.tags[0].toLowerCase().replaceAll(" ", "-");
  return { name: `${verb} ${template}`, anchor: `tag/${tag}/${verb}${template}` };
}

function isMadeFrom(path: string, template: string): boolean {
  const values = path.split("/");
  const segments = template.split("/");
  return (
    segments.length === values.length &&
    segments.every((segment, at) => (segment.startsWith("{") ? values[at] !== "" : segment === values[at]))
  );
}

const explanations: Readonly<Record<string, string>> = {
  missing_api_key: "The request had no key. Send it as “Authorization: Bearer …”.",
  invalid_api_key: "The key is unknown, was revoked or has expired. Create a new one.",
  forbidden: "The key does not have the right for this. Create one that has it.",
  account_unavailable: "The account may not use the API at present.",
  plan_required: "The account's plan does not include this part of the API.",
  plan_limit_reached: "A limit of the account's plan is reached.",
  rate_limited: "There were too many requests. Wait as long as the header Retry-After says.",
  not_found: "No such endpoint exists. Compare the method and the path with the reference.",
  resource_not_found: "No such resource exists on this account.",
  unknown_event: "No such event exists. The page Events lists them.",
  invalid_target_url: "The URL must begin with https:// and have a public address.",
  invalid_project: "The site is not one of this account.",
  invalid_list: "The e-mail list is not one of this site.",
  email_rejected: "Nothing is sent to this e-mail address: it bounced, complained, or is a throwaway one.",
  validation_failed: "A field is missing or has a wrong value. The message of the response names it.",
  webhook_limit_reached: "The account has 50 webhooks, the maximum. Remove one first.",
  invalid_cursor: "The cursor belongs to another list or other filters. Begin again without it.",
  invalid_state: "The present status of the resource does not allow this.",
  internal_error: "The server failed. Try again. If it fails again, send the request id to the support.",
};

/** What an error code of the API means, and what to do. */
export function explainError(code: string): string {
  return explanations[code] ?? "The API reference describes this error.";
}
