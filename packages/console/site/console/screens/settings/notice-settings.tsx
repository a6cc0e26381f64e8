import type { CreatedNoticeTarget, NoticeKind, NoticeTarget } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { FormDialog } from "../../parts/dialogs.tsx";
import { Check, Choice, TextField } from "../../parts/fields.tsx";
import { FailureNote, Pending } from "../../parts/page.tsx";
import { useAsk, useConsole } from "../../state/console-context.ts";
import { useAction, useGet } from "../../state/use-api.ts";

const kinds: readonly (readonly [NoticeKind, string])[] = [
  ["webhook.failing", "a webhook fails"],
  ["webhook.switched_off", "a webhook was disabled"],
  ["webhook.removed", "a webhook was removed"],
  ["webhook.recovered", "a webhook works again"],
  ["delivery.failed", "deliveries have failed"],
  ["key.expiring", "a key ends soon"],
];

function nameOf(kind: NoticeKind): string {
  return kinds.find(([each]) => each === kind)?.[1] ?? kind;
}

const problems = { unconfirmed: "not confirmed", removed: "answered 410: gets no more notices" };
const typeNames = { email: "E-mail", webhook: "Signed POST", chat: "Chat" };

/** The people and programs that get notices: by mail, with a signed POST, or in a chat. */
export function NoticeSettings() {
  const { api } = useConsole();
  const ask = useAsk();
  const targets = useGet<readonly NoticeTarget[]>(toPath("notice-targets"));
  const [isAdding, setIsAdding] = useState(false);
  const { busy, failure, run } = useAction();
  const [sent, setSent] = useState<{ readonly what: string; readonly to: string }>();
  const send = async ({ id, to, status }: NoticeTarget): Promise<void> => {
    const [path, what] = status === "active" ? ["test", "A test"] : ["confirmation", "The link"];
    if (await run(() => api.post(toPath("notice-targets", id, path)))) setSent({ what, to });
  };
  const askToRemove = ({ id, to }: NoticeTarget): void =>
    ask({
      title: "Remove",
      text: (
        <p>
          <bdi>{to}</bdi> gets no more notices.
        </p>
      ),
      confirm: "Remove",
      kind: "danger",
      onConfirm: async () => {
        await api.delete(toPath("notice-targets", id));
        targets.reload();
      },
    });
  return (
    <section aria-busy={busy}>
      <h2>Notices</h2>
      <div class="panel">
        <Pending of={targets} />
        <FailureNote failure={failure} />
        {targets.data?.length === 0 ? <p class="quiet">No notices are sent.</p> : null}
        <ul class="lines">
          {(targets.data ?? []).map((target) => (
            <li key={target.id}>
              <span class="text">
                {typeNames[target.type]} <bdi class="url">{target.to}</bdi>{" "}
                <span class="quiet">if {target.kinds.map(nameOf).join(", ")}</span>
                {target.status === "active" ? null : (
                  <>
                    {" "}
                    <span class="badge kind">{problems[target.status]}</span>
                  </>
                )}
              </span>
              <span class="actions">
                {target.status === "active" ? (
                  <Button changes label={`Test ${target.to}`} onClick={() => void send(target)}>
                    Test
                  </Button>
                ) : null}
                {target.status === "unconfirmed" ? (
                  <Button
                    changes
                    label={`Send the link to ${target.to} again`}
                    onClick={() => void send(target)}
                  >
                    Send again
                  </Button>
                ) : null}
                <Button changes label={`Remove ${target.to}`} onClick={() => askToRemove(target)}>
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
        {sent === undefined ? null : (
          <p role="status">
            {sent.what} was sent to <bdi>{sent.to}</bdi>.
          </p>
        )}
        <div class="actions">
          <Button changes onClick={() => setIsAdding(true)}>
            Add
          </Button>
        </div>
      </div>
      {isAdding ? <AddDialog onClose={() => setIsAdding(false)} onAdded={targets.reload} /> : null}
    </section>
  );
}

interface AddDialogProps {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const { api, showSecret } = useConsole();
  const [type, setType] = useState("email");
  const [to, setTo] = useState("");
  const [chosen, setChosen] = useState<readonly NoticeKind[]>([
    "webhook.failing",
    "webhook.switched_off",
    "webhook.removed",
  ]);

  async function add(): Promise<void> {
    const created = await api.post<CreatedNoticeTarget>(toPath("notice-targets"), {
      type,
      to,
      kinds: chosen,
    });
    onAdded();
    if (created.signing_secret !== undefined)
      showSecret({
        title: "Notices are sent",
        label: "Signing secret",
        value: created.signing_secret,
        text: "Notices are signed with it, as deliveries are.",
      });
    onClose();
  }

  return (
    <FormDialog
      title="Send notices"
      labels={{ to: "To", kinds: "If" }}
      submit="Add"
      onSubmit={add}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <Choice
            label="How"
            value={type}
            choices={Object.entries(typeNames)}
            all={null}
            onChoose={setType}
          />
          <TextField
            label="To"
            hint={
              type === "email"
                ? "An e-mail address. It first gets a link that confirms it, and then at most ten mails a day."
                : type === "chat"
                  ? "The URL of an incoming webhook of Slack, Microsoft Teams, Discord or Google Chat."
                  : "A URL of yours."
            }
            problem={problemAt("to")}
            input={{ required: true, maxLength: 2_048 }}
            value={to}
            onChange={setTo}
          />
          {kinds.map(([kind, text]) => (
            <Check
              key={kind}
              checked={chosen.includes(kind)}
              onChange={(checked) =>
                setChosen(checked ? [...chosen, kind] : chosen.filter((each) => each !== kind))
              }
            >
              If {text}
            </Check>
          ))}
        </>
      )}
    </FormDialog>
  );
}
