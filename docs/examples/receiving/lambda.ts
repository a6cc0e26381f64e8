import { receive } from "./receive.ts";

/** The required fields of an event from API Gateway, a function URL or a load balancer. */
interface HttpEvent {
  readonly body?: string | null;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly isBase64Encoded: boolean;
}

export async function handler({
  body,
  headers,
  isBase64Encoded,
}: HttpEvent): Promise<{ statusCode: number }> {
  const bytes = Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8");
  return { statusCode: await receive({ body: bytes, headers }) };
}
