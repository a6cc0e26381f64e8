import { describeSwitchOff, keptBodies } from "@hookwright/domain";
import type { AccountDelivery, AccountLimits, AccountRetention, ReadAccount } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/buttons.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { Choice, TextField } from "../parts/fields.tsx";
import { formatCount, parseNumber } from "../parts/format.ts";
import { Facts } from "../parts/page.tsx";
import { useConsole } from "../state/console-context.ts";

const limits: Readonly<Record<keyof AccountLimits, string>> = {
  requests_per_minute: "Requests to the API a minute",
  console_requests_per_minute: "Requests of the console a minute",
  sends_per_minute: "Resends and tests a minute",
  webhooks: "Webhooks",
  api_keys: "Active API keys",
};
const retention: Readonly<Record<keyof AccountRetention, string>> = {
  days: "Days in the logs",
  deliveries: "Deliveries in the log",
  delivery_log_mib: "MiB of the delivery log",
  requests: "Requests in the log",
  bodies: "Bodies in the log",
};
const delivery: Readonly<Record<keyof AccountDelivery, string>> = {
  switch_off_after: "Failed attempts in a row until a webhook is disabled",
  retry_delays_seconds: "Seconds between attempts",
};
/** The fields of `PUT /host/v1/accounts/{id}`. */
const groups = { limits, retention, delivery };
type Group = keyof typeof groups;
/** What was entered, by group and name. Empty: the default of the server. */
type Texts = Readonly<Record<Group, Readonly<Record<string, string>>>>;

export interface AccountLimitsProps {
  readonly account: ReadAccount;
  readonly onChanged: () => void;
}

/** What the host permits an account, how much is kept of it, and how its deliveries are repeated. */
export function AccountLimitFacts({ account, onChanged }: AccountLimitsProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const rules = account.delivery_in_effect;
  const show = (value: unknown): string => {
    if (typeof value === "number") return formatCount(value);
    return typeof value === "string" ? value.replaceAll("_", " ") : "default";
  };
  const factsOf = (group: "limits" | "retention") =>
    Object.entries(groups[group]).map(([name, label]) => [label, show(readOf(account, group, name))]);
  return (
    <>
      <Facts
        facts={Object.fromEntries([
          ["A webhook is disabled", describeSwitchOff(rules)],
          [delivery.retry_delays_seconds, rules.retry_delays_seconds.join(", ")],
          ...factsOf("limits"),
          ...factsOf("retention"),
        ])}
      />
      <div class="actions">
        <Button onClick={() => setOpen(true)}>Change limits…</Button>
      </div>
      {isOpen ? <ChangeLimits account={account} onClose={close} onChanged={onChanged} /> : null}
    </>
  );
}

function ChangeLimits({
  account,
  onChanged,
  onClose,
}: AccountLimitsProps & { readonly onClose: () => void }) {
  const { api, toast } = useConsole();
  const [before] = useState(() => toTexts(account));
  const [texts, setTexts] = useState(before);
  return (
    <FormDialog
      title={`Limits of ${account.id}`}
      labels={labels}
      values={texts}
      submit="Change"
      onClose={onClose}
      onSubmit={async () => {
        await api.put(`host/v1/accounts/${encodeURIComponent(account.id)}`, toInput(before, texts));
        onClose();
        toast("Changed.");
        onChanged();
      }}
    >
      {(problemAt) => (
        <>
          <p>An empty field has the default of the server. Separate delays with commas.</p>
          {fields.map(({ group, name, label }) => {
            const field = {
              label,
              value: texts[group][name] ?? "",
              problem: problemAt(`${group}.${name}`),
            };
            const enter = (text: string): void =>
              setTexts({ ...texts, [group]: { ...texts[group], [name]: text } });
            return name === "bodies" ? (
              <Choice
                key={name}
                {...field}
                all="default"
                choices={keptBodies.map((each) => [each, each.replaceAll("_", " ")])}
                onChoose={enter}
              />
            ) : (
              <TextField key={name} {...field} input={{ placeholder: "default" }} onChange={enter} />
            );
          })}
        </>
      )}
    </FormDialog>
  );
}

const fields = (["limits", "retention", "delivery"] as const).flatMap((group) =>
  Object.entries(groups[group]).map(([name, label]) => ({ group, name, label })),
);
const labels = Object.fromEntries(fields.map(({ group, name, label }) => [`${group}.${name}`, label]));

function readOf(account: ReadAccount, group: Group, name: string): unknown {
  return new Map<string, unknown>(Object.entries(account[group])).get(name);
}

function toTexts(account: ReadAccount): Texts {
  const textsOf = (group: Group) =>
    Object.fromEntries(
      Object.keys(groups[group]).map((name) => {
        const value = readOf(account, group, name) ?? "";
        return [name, Array.isArray(value) ? value.join(", ") : String(value)];
      }),
    );
  return { limits: textsOf("limits"), retention: textsOf("retention"), delivery: textsOf("delivery") };
}

/** The fields that were changed. */
function toInput(before: Texts, texts: Texts): Readonly<Record<string, unknown>> {
  const changed = (group: Group) =>
    Object.fromEntries(
      Object.entries(texts[group])
        .filter(([name, text]) => text !== before[group][name])
        .map(([name, text]) => [name, name === "retry_delays_seconds" ? toList(text) : parseNumber(text)]),
    );
  return { limits: changed("limits"), retention: changed("retention"), delivery: changed("delivery") };
}

function toList(text: string): unknown {
  return text.trim() === "" ? null : text.split(",").map(parseNumber);
}
