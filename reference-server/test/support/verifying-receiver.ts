import { createServer } from "node:http";
import { verifySync } from "@hookwright/signature/node";
import { listenLocally } from "../../../packages/hookwright/test/support/listen-locally.ts";

export interface VerifyingReceiver extends AsyncDisposable {
  readonly url: string;
  /** The signing secret of the webhook that sends to each path. */
  readonly secrets: Map<string, string>;
  /** The ids of deliveries with a valid signature. */
  readonly accepted: ReadonlySet<string>;
  /** The reasons for which other requests were refused. */
  readonly invalid: readonly string[];
}

/** An endpoint that verifies the signature of each request, as receivers do. */
export async function startVerifyingReceiver(): Promise<VerifyingReceiver> {
  const secrets = new Map<string, string>();
  const accepted = new Set<string>();
  const invalid: string[] = [];
  const server = createServer(async (request, response) => {
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const secret = secrets.get(request.url ?? "");
      // The webhook may deliver before its creation has been answered.
      if (secret === undefined) return void response.writeHead(503).end();
      verifySync({ body: Buffer.concat(chunks), headers: request.headers, secrets: [secret] });
      accepted.add(String(request.headers["x-service-delivery"]));
      response.writeHead(204).end();
    } catch (error) {
      invalid.push(String(error));
      response.writeHead(400).end();
    }
  });
  const listening = await listenLocally(server);
  return {
    url: listening.origin,
    secrets,
    accepted,
    invalid,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
