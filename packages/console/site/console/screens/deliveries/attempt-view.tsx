import { findHeaderPrefix, nameSignedHeaders, toCurl, toFetch } from "@hookwright/domain";
import type { Attempt, Delivery, SentRequest, SignedHeaderNames } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { BodyText, GoneBodies, RequestBody } from "../../parts/bodies.tsx";
import { Button, CopyButton } from "../../parts/buttons.tsx";
import { Segments, TextField } from "../../parts/fields.tsx";
import { onDemand } from "../../parts/on-demand.tsx";
import { Facts } from "../../parts/page.tsx";
import { SignAgain } from "./sign-again.tsx";

const CompareReceived = onDemand(async () => (await import("./delivery-tools.ts")).CompareReceived);

const sharedViews = { body: "Body", headers: "Headers", response: "Response" };
/** Whole signatures are for the owner, and so is what only a session can ask for. */
const views = { ...sharedViews, signature: "Signature", compare: "Compare" };

export interface AttemptViewProps {
  readonly attempt: Attempt;
  /** Of the attempt, for what only the owner can do. Undefined: a link shows it, or it is of a test. */
  readonly delivery?: Pick<Delivery, "id" | "target_url"> | undefined;
}

/** What one attempt sent and got. A failed attempt shows its response first. */
export function AttemptView({ attempt, delivery }: AttemptViewProps) {
  const { number, error, request, headers, excerpt, body_state: bodyState } = attempt;
  const { body } = request;
  // What the owner can do with a request needs its body.
  const own = delivery === undefined || body === null ? undefined : { delivery, sent: { ...request, body } };
  const [view, setView] = useState<keyof typeof views>(
    error !== null && headers !== null ? "response" : "body",
  );
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <div class="actions">
        <Segments<keyof typeof views>
          label="Part of the attempt"
          value={view}
          choices={own === undefined ? sharedViews : views}
          onChoose={setView}
        />
        {own === undefined ? null : (
          <>
            <CopyButton text={toCurl(own.delivery.target_url, own.sent)}>Copy as cURL</CopyButton>
            <CopyButton text={toFetch(own.delivery.target_url, own.sent)}>Copy as fetch</CopyButton>
          </>
        )}
      </div>
      {own === undefined ? null : <SignAgain id={own.delivery.id} attempt={attempt} />}
      {view === "headers" ? null : <GoneBodies state={bodyState} />}
      {view === "body" && body !== null ? <RequestBody body={body} /> : null}
      {view === "headers" ? (
        <HeaderList headers={request.headers} caption={`Request headers${describeSending(attempt)}`} />
      ) : null}
      {view === "response" ? (
        headers === null ? (
          <p class="quiet">No response arrived.</p>
        ) : (
          <>
            {excerpt ? <BodyText name="Response body">{excerpt}</BodyText> : null}
            {excerpt === "" ? <p class="quiet">The body of the response was empty.</p> : null}
            <HeaderList headers={headers} caption="Response headers" />
          </>
        )
      ) : null}
      {view === "signature" && own !== undefined ? <SignatureCheck request={own.sent} /> : null}
      {view === "compare" && own !== undefined ? (
        <CompareReceived id={own.delivery.id} number={number} />
      ) : null}
    </section>
  );
}

/** Errors that happen before a request can be sent. A timeout can happen before or after. */
const errorsBeforeSending: ReadonlySet<string> = new Set(["dns", "blocked_address", "connect", "tls"]);

function describeSending({ error }: Attempt): string {
  if (error === "timeout") return "";
  return error !== null && errorsBeforeSending.has(error) ? " (not sent)" : " (sent)";
}

interface HeaderListProps {
  readonly headers: Readonly<Record<string, string>>;
  readonly caption: string;
}

/** Headers of a request or a response. */
function HeaderList({ headers, caption }: HeaderListProps) {
  const entries = Object.entries(headers);
  return (
    <div>
      <p class="quiet">{caption}</p>
      <Facts style="headers" facts={headers} />
      <div class="actions">
        <CopyButton text={entries.map(([name, value]) => `${name}: ${value}`).join("\n")}>
          Copy headers
        </CopyButton>
      </div>
    </div>
  );
}

/** What was signed, and a check of a secret that runs in the browser: the secret is sent nowhere. */
function SignatureCheck({ request }: { readonly request: SentRequest }) {
  const [secret, setSecret] = useState("");
  const [outcome, setOutcome] = useState("");
  const names = namesOf(request.headers);
  const timestamp = readHeader(request.headers, names.timestamp) ?? "";
  const signature = readHeader(request.headers, names.signature) ?? "";
  const signed = `${timestamp}.${request.body}`;
  return (
    <div class="signature">
      <p>
        The signature is an HMAC-SHA256 of <code>{"{timestamp}.{raw body}"}</code> with the signing secret, in
        hexadecimal. Compare it with each <code>v1=</code> value of the header.
      </p>
      <BodyText name="Signed text">{signed}</BodyText>
      <p class="quiet">
        <code class="url">
          {names.signature}: {signature}
        </code>
      </p>
      <div class="actions">
        <CopyButton text={signed}>Copy signed text</CopyButton>
        <CopyButton text={signature}>Copy signature</CopyButton>
      </div>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void checkSecret(secret, request).then(setOutcome);
        }}
      >
        <TextField
          label="Check a secret"
          hint="The check runs in this browser. The secret is sent nowhere."
          input={{ autocomplete: "off", spellcheck: false, placeholder: "whsec_…" }}
          value={secret}
          onChange={setSecret}
        />
        <div class="actions">
          <Button type="submit">Check</Button>
          <span role="status">{outcome}</span>
        </div>
      </form>
    </div>
  );
}

/** Names of headers are case-insensitive (RFC 9110, 5.1). */
export function readHeader(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/** The names of the signed headers of a request. Those of older requests may differ from those of today. */
export function namesOf(headers: SentRequest["headers"]): SignedHeaderNames {
  return nameSignedHeaders(findHeaderPrefix(Object.keys(headers)));
}

/** Says in words whether a secret made the signature of a request. */
export async function checkSecret(secret: string, request: SentRequest): Promise<string> {
  const trimmed = secret.trim();
  if (trimmed === "") return "Enter a secret.";
  // Browsers have no WebCrypto on pages over plain HTTP, except on this machine.
  if (crypto.subtle === undefined) return "The browser can check it only over https.";
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(trimmed),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const names = namesOf(request.headers);
  const timestamp = readHeader(request.headers, names.timestamp) ?? "";
  const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(`${timestamp}.${request.body}`));
  const expected = `v1=${[...new Uint8Array(mac)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const given = (readHeader(request.headers, names.signature) ?? "").split(",").map((each) => each.trim());
  if (!given.includes(expected)) return "✕ This secret did not sign the request.";
  return trimmed === secret
    ? "● This secret signed the request."
    : "● This secret signed it, without the spaces around it.";
}
