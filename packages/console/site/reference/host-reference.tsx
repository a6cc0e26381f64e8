import { useState } from "preact/hooks";
import { Button } from "../console/parts/buttons.tsx";
import type { ApiDocument } from "./document.ts";
import { loadDocument } from "./load-document.ts";
import { Reference } from "./reference.tsx";

interface Loaded {
  readonly document: ApiDocument;
  readonly token: string;
}

/** The reference of the host API. Its document needs a host token with the scope `read`. */
export function HostReference() {
  const [loaded, setLoaded] = useState<Loaded>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [token, setToken] = useState("");
  if (loaded !== undefined)
    return <Reference document={loaded.document} hostToken={loaded.token} session={undefined} />;
  async function load(): Promise<void> {
    setBusy(true);
    try {
      setLoaded({ document: await loadDocument("host/v1/openapi.json", token), token });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <main class="reference-token">
      <h1>Host API</h1>
      <form
        class="credentials"
        onSubmit={(event) => {
          event.preventDefault();
          void load();
        }}
      >
        <div class="field">
          <label for="host-token">Host token</label>
          <input
            id="host-token"
            type="password"
            autocomplete="off"
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value.trim())}
          />
        </div>
        <Button type="submit" kind="primary" busy={isBusy}>
          Show the reference
        </Button>
        <p class="quiet">
          It needs the scope read. Requests on this page use it. It is forgotten when you close or reload the
          page.
        </p>
        {problem === undefined ? null : (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </main>
  );
}
