import { keyRights } from "@hookwright/domain";
import type { ApiKey, ConsoleWebhook, CreatedApiKey, KeyRight } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { ExportMenu } from "../../parts/export-menu.tsx";
import { Button } from "../../parts/buttons.tsx";
import { Endpoint, SiteName, WebhookEvents } from "../../parts/cells.tsx";
import { ConfirmDialog, FormDialog } from "../../parts/dialogs.tsx";
import { Check, Choice, TextField } from "../../parts/fields.tsx";
import { Loading, ScreenHeader } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Ago, Time } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo, useAskedDialog } from "../../state/route.ts";
import { useRows } from "../../state/use-api.ts";
import { useNewest, usePages } from "../../state/use-pages.ts";

/** The API keys of the account. A key that is revoked takes its webhooks with it. */
export function KeyList({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const pages = usePages<ApiKey>(toPath("keys"));
  useNewest(pages);
  const creation = useAskedDialog(query["create"] === "key", ["create"]);
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <>
      <ScreenHeader title="Keys">
        <ExportMenu path={toPath("keys", "export")} name="keys" query={{}} />
        <Button kind="primary" changes="keys" onClick={creation.open}>
          Create key
        </Button>
      </ScreenHeader>
      <PagedTable
        caption="API keys, newest first"
        columns={[
          {
            name: "Name",
            kind: "name",
            place: "title",
            cell: ({ name, integration }) => (
              <>
                <bdi>{name}</bdi>
                {integration ? <span class="badge kind">integration</span> : null}
              </>
            ),
          },
          { name: "Key", place: "detail", cell: ({ prefix }) => <code>{prefix}…</code> },
          { name: "Rights", place: "detail", cell: ({ rights }) => nameRights(rights) },
          {
            name: "Site",
            kind: "name",
            isWide: true,
            cell: ({ project_id }) => <SiteName id={project_id} />,
          },
          {
            name: "Webhooks",
            kind: "number",
            cell: ({ id, name, webhooks_count }) =>
              webhooks_count === 0 ? (
                "–"
              ) : (
                <a href={hrefTo(["webhooks"], { key_id: id })} aria-label={`Webhooks of ${name}`}>
                  {webhooks_count}
                </a>
              ),
          },
          { name: "Created", isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
          { name: "Last used", place: "detail", cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
          { name: "End", isWide: true, cell: (key) => <End of={key} /> },
          {
            name: "Action",
            place: "mark",
            cell: (key) =>
              key.revoked_at === null ? (
                <Button changes="keys" label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
                  Revoke
                </Button>
              ) : null,
          },
        ]}
        pages={pages}
        empty={
          <>
            <h2>No keys yet</h2>
            <p>
              A key lets a program act as you. Create a separate key for each program, with the rights that it
              needs.
            </p>
          </>
        }
      />
      {creation.isOpen ? <CreateKeyDialog onClose={creation.close} onCreated={pages.reload} /> : null}
      {revoking === undefined ? null : (
        <RevokeKeyDialog apiKey={revoking} onRevoked={pages.reload} onClose={() => setRevoking(undefined)} />
      )}
    </>
  );
}

/** When a key ended or will end. */
function End({ of: { expires_at, revoked_at } }: { readonly of: ApiKey }) {
  if (revoked_at !== null)
    return (
      <>
        revoked <Time at={revoked_at} />
      </>
    );
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now();
  return (
    <>
      {isOver ? "expired " : null}
      <Time at={expires_at} />
    </>
  );
}

const usualRights: readonly (readonly [name: string, rights: readonly KeyRight[]])[] = [
  ["Everything", keyRights],
  ["Read only", ["read"]],
  ["Webhooks only", ["webhooks"]],
];

/** @example nameRights(["read"]) // "Read only" */
function nameRights(rights: readonly KeyRight[]): string {
  const [name] = usualRights.find(([, usual]) => usual.join() === rights.join()) ?? [rights.join(", ")];
  return name;
}

const dayMs = 24 * 60 * 60 * 1_000;
const lives = [
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
] as const;

interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Asks for a name and for what the key may do, then shows the new key once. */
function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const { api, projects, showSecret } = useConsole();
  const [name, setName] = useState("");
  const [rights, setRights] = useState("Everything");
  const [site, setSite] = useState("");
  const [days, setDays] = useState("");
  const [integration, setIntegration] = useState(false);

  async function create(): Promise<void> {
    const created = await api.post<CreatedApiKey>(toPath("keys"), {
      name,
      integration,
      rights: usualRights.find(([each]) => each === rights)?.[1],
      project_id: site,
      expires_at: days === "" ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
    });
    onCreated();
    showSecret({
      title: (
        <>
          Key “<bdi>{created.name}</bdi>” created
        </>
      ),
      label: "API key",
      value: created.api_key,
      text: "Send it with every request, in the header Authorization: Bearer …",
    });
    onClose();
  }

  return (
    <FormDialog
      title="Create an API key"
      labels={{ name: "Name", rights: "Rights", project_id: "Site", expires_at: "End" }}
      submit="Create key"
      onSubmit={create}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <TextField
            label="Name"
            hint="The program that uses this key. The name helps you to recognise the key."
            problem={problemAt("name")}
            input={{ required: true, autofocus: true, maxLength: 200 }}
            value={name}
            onChange={setName}
          />
          <Choice
            label="Rights"
            hint="Read only changes nothing. Webhooks only manages and sees the webhooks that it creates."
            problem={problemAt("rights")}
            value={rights}
            all={null}
            choices={usualRights.map(([each]) => [each, each])}
            onChoose={setRights}
          />
          <Choice
            label="Site"
            problem={problemAt("project_id")}
            value={site}
            all="All sites"
            choices={projects.map((project) => [project.id, project.name])}
            onChoose={setSite}
          />
          <Choice
            label="End"
            hint="Then the key stops working. Its webhooks stay until it is revoked."
            problem={problemAt("expires_at")}
            value={days}
            all="Never"
            choices={lives}
            onChoose={setDays}
          />
          <Check checked={integration} onChange={setIntegration}>
            The key belongs to an integration of an automation platform. Webhooks that it creates keep their
            secret.
          </Check>
        </>
      )}
    </FormDialog>
  );
}

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

/** Asks before a key is revoked. If webhooks go with it, they are listed, and the name must be typed. */
function RevokeKeyDialog({ apiKey, onRevoked, onClose }: RevokeKeyDialogProps) {
  const { api } = useConsole();
  const { id, name, webhooks_count } = apiKey;
  const [typed, setTyped] = useState("");
  const mustType = webhooks_count > 0;
  return (
    <ConfirmDialog
      title={
        <>
          Revoke “<bdi>{name}</bdi>”?
        </>
      }
      confirm="Revoke key"
      kind="danger"
      disabled={mustType && typed.trim() !== name.trim()}
      onConfirm={async () => {
        await api.post(toPath("keys", id, "revoke"));
        onRevoked();
      }}
      onClose={onClose}
    >
      <p>
        The key stops working immediately and permanently.
        {mustType ? " Its webhooks are removed, and their pending deliveries are cancelled." : null}
      </p>
      {mustType ? (
        <>
          <OwnedWebhooks keyId={id} />
          <TextField
            label={`To confirm, type the name of the key: ${name}`}
            input={{ autocomplete: "off", spellcheck: false }}
            value={typed}
            onChange={setTyped}
          />
        </>
      ) : null}
    </ConfirmDialog>
  );
}

/** The webhooks that a key has created. */
function OwnedWebhooks({ keyId }: { readonly keyId: string }) {
  const { data } = useRows<ConsoleWebhook>(toPath("webhooks"), { limit: "100" });
  if (data === undefined) return <Loading />;
  const owned = data.filter(({ created_by }) => created_by.type === "key" && created_by.key_id === keyId);
  return (
    <ul class="names">
      {owned.map((webhook) => (
        <li key={webhook.id}>
          <Endpoint url={webhook.target_url} name={webhook.name} /> <WebhookEvents webhook={webhook} />
        </li>
      ))}
    </ul>
  );
}
