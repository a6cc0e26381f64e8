/** Reads server-sent events, as a client that accepts compression, until a text has come. */
export async function readStream(
  url: string,
  token: string,
  wanted: string,
): Promise<{ readonly headers: Headers; readonly text: string }> {
  const controller = new AbortController();
  const { headers, body } = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream", "accept-encoding": "gzip, br" },
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(10_000)]),
  });
  let text = "";
  try {
    for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes(wanted)) break;
    }
  } finally {
    controller.abort();
  }
  return { headers, text };
}
