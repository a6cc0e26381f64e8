import type { LinkedSession, Session } from "@hookwright/domain";
import { useEffect, useRef, useState } from "preact/hooks";
import { createConsoleApi, toApiFailure, toPath } from "../console/api/console-api.ts";
import { Button } from "../console/parts/buttons.tsx";
import { toSections } from "./document.ts";
import type { ApiDocument, Section } from "./document.ts";
import { OperationView } from "./operation-view.tsx";
import { Text } from "../console/parts/text.tsx";

export interface ReferenceProps {
  readonly document: ApiDocument;
  /** That of the console which has opened this page. */
  readonly session: Session | LinkedSession | undefined;
  /** Of the host API: the token that requests have. */
  readonly hostToken?: string;
}

/** Every operation of the document, with a form that sends it. */
export function Reference({ document: api, session, hostToken }: ReferenceProps) {
  const sections = toSections(api);
  const [key, setKey] = useState("");
  // The document arrives after the page, so the browser has found no place for the address yet.
  useEffect(() => showAddress(), []);
  return (
    <div class="reference">
      <nav class="contents" aria-label="Operations">
        <details open={innerWidth > 900}>
          <summary>Operations</summary>
          <Contents sections={sections} />
        </details>
      </nav>
      <main>
        <h1>{api.info.title}</h1>
        <Text>{api.info.description}</Text>
        {hostToken === undefined ? (
          <Credentials session={session} value={key} onKey={setKey} />
        ) : (
          <p class="quiet">Requests on this page use your host token. They change real accounts.</p>
        )}
        {sections.map(({ anchor, name, description, operations }) => (
          <section key={anchor} aria-labelledby={anchor}>
            <h2 id={anchor}>{name}</h2>
            <Text>{description}</Text>
            {operations.map((operation) => (
              <OperationView
                key={operation.anchor}
                document={api}
                operation={operation}
                credential={hostToken ?? (key === "" ? (session?.token ?? "") : key)}
                shownKey={hostToken === undefined ? key || undefined : "<HOST_TOKEN>"}
                isSent={anchor === "webhooks"}
              />
            ))}
          </section>
        ))}
      </main>
    </div>
  );
}

function Contents({ sections }: { readonly sections: readonly Section[] }) {
  return (
    <ul>
      {sections.map(({ anchor, name, operations }) => (
        <li key={anchor}>
          <a href={`#${anchor}`}>{name}</a>
          <ul>
            {operations.map((operation) => (
              <li key={operation.anchor}>
                <a href={`#${operation.anchor}`} title={`${operation.method} ${operation.path}`}>
                  <code class={`method ${operation.method.toLowerCase()}`}>{operation.method}</code>
                  <span>{operation.summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const keyLifeMs = 30 * 24 * 60 * 60 * 1_000;

interface CredentialsProps {
  readonly session: ReferenceProps["session"];
  readonly value: string;
  readonly onKey: (key: string) => void;
}

/** The secret of a key is shown once, when it is created. So a signed-in reader can create one here. */
function Credentials({ session, value, onKey }: CredentialsProps) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const mayCreate =
    session !== undefined && !session.account.demo && !("read_only" in session && session.read_only);
  async function create(token: string): Promise<void> {
    setBusy(true);
    try {
      const api = createConsoleApi({ token });
      const created = await api.post<{ readonly api_key: string }>(toPath("keys"), {
        name: "API reference",
        rights: ["read"],
        expires_at: new Date(Date.now() + keyLifeMs).toISOString(),
      });
      onKey(created.api_key);
      setProblem(undefined);
      // The button goes away.
      input.current?.focus();
    } catch (error) {
      setProblem(toApiFailure(error).message);
    } finally {
      setBusy(false);
    }
  }
  return (
    <section class="credentials" aria-label="Your key">
      <div class="field">
        <label for="api-key">API key</label>
        <input
          ref={input}
          id="api-key"
          type="password"
          autocomplete="off"
          placeholder="hwk_…"
          value={value}
          onInput={({ currentTarget }) => onKey(currentTarget.value.trim())}
        />
      </div>
      {mayCreate && value === "" ? (
        <Button busy={isBusy} onClick={() => void create(session.token)}>
          Create a key
        </Button>
      ) : null}
      <p class="quiet">
        {session === undefined
          ? "Examples and requests on this page use it. It is forgotten when you close or reload the page."
          : value === ""
            ? `You are signed in as ${session.account.name}: requests use your session. A key of yours also fills in the examples. A created key can only read, and ends after 30 days.`
            : "Examples and requests use this key. This page forgets it when you close or reload it, so store it if you need it. The key itself works until it ends or is revoked."}
      </p>
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

function showAddress(): void {
  document.getElementById(decode(location.hash.slice(1)))?.scrollIntoView();
}

/** Anyone can write an address that cannot be decoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
