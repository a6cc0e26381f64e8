import { createPublicKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isIPv4 } from "node:net";

export interface Certificate {
  readonly name: string;
  readonly privateKey: KeyObject;
  /** PEM, as `node:tls` takes them. */
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  /** The common name and the only alternative name: a host name or an IPv4 address. */
  readonly name: string;
  /** Without it, the certificate is self-signed. */
  readonly issuer?: Certificate;
  readonly isAuthority?: boolean;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

const day = 86_400_000;

/**
 * Makes an X.509 certificate (RFC 5280) for one test run. So the tests need no OpenSSL program and no files that expire, and they
 * can choose the dates.
 */
export function createCertificate(options: CertificateOptions): Certificate {
  const { name, issuer, isAuthority = false } = options;
  const { notBefore = new Date(Date.now() - day), notAfter = new Date(Date.now() + day) } = options;
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(objectIdentifier("2a8648ce3d040302"));
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    distinguishedName(issuer?.name ?? name),
    sequence(time(notBefore), time(notAfter)),
    distinguishedName(name),
    createPublicKey(privateKey).export({ type: "spki", format: "der" }),
    explicit(
      3,
      sequence(
        extension("551d11", sequence(alternativeName(name))),
        ...(isAuthority ? [extension("551d13", sequence(tagged(0x01, Buffer.from([0xff]))))] : []),
      ),
    ),
  );
  const signature = sign("sha256", toBeSigned, issuer?.privateKey ?? privateKey);
  const certificate = sequence(
    toBeSigned,
    ecdsaWithSha256,
    tagged(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return {
    name,
    privateKey,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
  };
}

function alternativeName(name: string): Buffer {
  return isIPv4(name)
    ? tagged(0x87, Buffer.from(name.split(".").map(Number)))
    : tagged(0x82, Buffer.from(name));
}

function distinguishedName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(objectIdentifier("550403"), tagged(0x0c, Buffer.from(name)))));
}

function extension(identifier: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(identifier), tagged(0x04, value));
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/gu, "");
  return tagged(0x18, Buffer.from(digits));
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const objectIdentifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, "hex"));
const explicit = (number: number, content: Buffer): Buffer => tagged(0xa0 + number, content);

/** Tag, length, content (X.690 §8.1). */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
