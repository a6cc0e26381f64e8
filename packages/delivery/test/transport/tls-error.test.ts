import { expect, it } from "vitest";
import { explainTlsError } from "../../src/transport/tls-error.ts";

const explain = (code: string | undefined) =>
  explainTlsError(Object.assign(new Error("why"), code === undefined ? {} : { code }));

it.each(["EPROTO", "ERR_SSL_OF_TOMORROW", "ERR_TLS_OF_TOMORROW", "CERT_OF_TOMORROW", "INVALID_CA"])(
  "%s is of TLS, though nothing more is known of it",
  (code) => {
    expect(explain(code)).toBe(`${code}: why`);
  },
);

it.each([undefined, "ECONNRESET", "ENOTFOUND", "ERR_STREAM_DESTROYED", "ECERTAINLY"])("%s is not", (code) => {
  expect(explain(code)).toBeUndefined();
});
