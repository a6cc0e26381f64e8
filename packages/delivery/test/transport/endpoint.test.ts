import { expect, it } from "vitest";
import { toEndpoint } from "../../src/transport/endpoint.ts";

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
])("%s is dialled, named and asked for", (text, port, hostname, serverName, path, host) => {
  const url = new URL(text);
  expect(toEndpoint(url)).toEqual({
    origin: url.origin,
    secure: text.startsWith("https:"),
    hostname,
    serverName,
    port,
    requestPrefix: `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n`,
  });
});
