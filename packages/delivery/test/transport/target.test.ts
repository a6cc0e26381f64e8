import { expect, it } from "vitest";
import { createTargetParser } from "../../src/transport/target.ts";

it.each([
  [
    "https://hooks.example.com/a?b=c",
    443,
    "hooks.example.com",
    "hooks.example.com",
    "/a?b=c",
    "hooks.example.com",
  ],
  ["http://hooks.example.com", 80, "hooks.example.com", "hooks.example.com", "/", "hooks.example.com"],
  [
    "https://hooks.example.com.:8443/",
    8443,
    "hooks.example.com.",
    "hooks.example.com",
    "/",
    "hooks.example.com.:8443",
  ],
  ["https://93.184.215.14/", 443, "93.184.215.14", undefined, "/", "93.184.215.14"],
  ["https://[2606:2800:21f::1]:8443/", 8443, "2606:2800:21f::1", undefined, "/", "[2606:2800:21f::1]:8443"],
])("the target of %s", (text, port, hostname, serverName, path, host) => {
  const target = {
    origin: new URL(text).origin,
    isSecure: text.startsWith("https:"),
    isTrusted: false,
    isChecked: false,
    hostname,
    serverName,
    port,
    requestStart: `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n`,
  };
  expect(createTargetParser({ privateTargets: true })(text)).toEqual({ ok: true, target });
});

it("the addresses of a name are checked unless its origin is trusted", () => {
  const parse = createTargetParser({ trustedOrigins: ["https://hooks.example.com"] });
  expect(parse("https://hooks.example.com/a")).toMatchObject({
    target: { isTrusted: true, isChecked: false },
  });
  expect(parse("https://hooks.example.com:8443/a")).toMatchObject({
    target: { isTrusted: false, isChecked: true },
  });
});
