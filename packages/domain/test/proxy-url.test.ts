import { expect, it } from "vitest";
import { parseProxyUrl } from "../src/proxy-url.ts";

it.each([
  ["http://proxy.example.com:3128", { isSecure: false, hostname: "proxy.example.com", port: 3_128 }],
  ["http://proxy.example.com/", { isSecure: false, hostname: "proxy.example.com", port: 80 }],
  ["https://proxy.example.com", { isSecure: true, hostname: "proxy.example.com", port: 443 }],
  ["http://[::1]:8080", { isSecure: false, hostname: "::1", port: 8_080 }],
  ["http://user:p%40ss%3A@proxy:1", { hostname: "proxy", credentials: "user:p@ss:" }],
  ["http://token@proxy:1", { credentials: "token:" }],
])("the proxy URL %s is read", (text, target) => {
  expect(parseProxyUrl(text)).toMatchObject(target);
});

it.each([
  "proxy.example.com:3128",
  "socks5://proxy.example.com",
  "http://",
  "http://proxy/path",
  "http://proxy?a=1",
  "http://proxy#a",
  "http://%E0@proxy",
  "http://proxy:99999",
])("the proxy URL %s is refused", (text) => {
  expect(parseProxyUrl(text)).toBeUndefined();
});
