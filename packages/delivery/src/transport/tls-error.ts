const authorities = "use a certificate from an authority that browsers trust, with its whole chain";

const brokenOff =
  "the receiver broke off the handshake: it must speak TLS 1.3, or TLS 1.2 with ECDHE, have a certificate for this name, and need no certificate of ours";

/** What OpenSSL and Node call a problem, and what its owner can do about it. */
const explanations: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate is self-signed: ${authorities}`,
  SELF_SIGNED_CERT_IN_CHAIN: `the certificate's chain ends in a self-signed one: ${authorities}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `the certificate's issuer is not trusted, or the intermediate one is not sent: ${authorities}`,
  UNABLE_TO_GET_ISSUER_CERT: `an issuer of the certificate is not trusted: ${authorities}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `an issuer of the certificate is not trusted: ${authorities}`,
  CERT_HAS_EXPIRED: "the certificate has expired: renew it",
  CERT_NOT_YET_VALID: "the certificate is not valid yet: check its dates, and the clocks of both sides",
  CERT_REVOKED: "the certificate is revoked: renew it",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host name",
  ERR_SSL_WRONG_VERSION_NUMBER: "the receiver does not speak TLS on this port",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the receiver does not speak TLS on this port",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "the receiver speaks no version of TLS from 1.2 on",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "the receiver speaks no version of TLS from 1.2 on",
  "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE": brokenOff,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: brokenOff,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: "the receiver must speak HTTP/1.1",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "the receiver asks for a client certificate",
};

/** A sentence for an error of the TLS layer; undefined for every other error, a broken connection included. */
export function explainTlsError(error: NodeJS.ErrnoException): string | undefined {
  const { code, message } = error;
  if (code === undefined) return undefined;
  const explanation = explanations[code];
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `${explanation} (${code}: ${message})`;
  if (explanation !== undefined) return `${explanation} (${code})`;
  const isTls =
    code === "EPROTO" ||
    code.startsWith("ERR_SSL_") ||
    code.startsWith("ERR_TLS_") ||
    isCertificateCode(code);
  return isTls ? `${code}: ${message}` : undefined;
}

/** The remaining results of a verification (`X509_V_ERR_…`), which Node passes on without the prefix. */
function isCertificateCode(code: string): boolean {
  return /(?:^|_)(?:CERT|CRL|CA|CHAIN|SIGNATURE|PURPOSE)(?:_|$)/u.test(code);
}
