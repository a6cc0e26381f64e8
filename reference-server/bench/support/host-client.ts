/** One call of a server's HTTP interface; answers the `data` of the envelope. */
export async function callServer(
  url: string,
  path: string,
  { method, token, body }: { readonly method: string; readonly token: string; readonly body: unknown },
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { success, data, error }: Record<string, unknown> = await response.json();
  if (success !== true || typeof data !== "object" || data === null)
    throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(error)}`);
  return { ...data };
}
