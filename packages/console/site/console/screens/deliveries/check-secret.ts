import type { Attempt } from "@hookwright/domain";

/** Names of headers are case-insensitive (RFC 9110, 5.1). */
export function readHeader(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/** Says in words whether a secret made the signature of a request. */
export async function checkSecret(secret: string, request: Attempt["request"]): Promise<string> {
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
  const timestamp = readHeader(request.headers, "X-Service-Timestamp") ?? "";
  const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(`${timestamp}.${request.body}`));
  const expected = `v1=${[...new Uint8Array(mac)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const given = (readHeader(request.headers, "X-Service-Signature") ?? "")
    .split(",")
    .map((each) => each.trim());
  if (!given.includes(expected)) return "✕ This secret did not sign the request.";
  return trimmed === secret
    ? "● This secret signed the request."
    : "● This secret signed it, without the spaces around it.";
}
