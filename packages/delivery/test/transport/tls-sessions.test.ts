import { describe, expect, it } from "vitest";
import { createTlsSessions } from "../../src/transport/tls-sessions.ts";

const origins = Array.from({ length: 1_001 }, (_, index) => `https://receiver-${index}.example`);
const [first = "", second = ""] = origins;

describe("TLS sessions", () => {
  it("are kept by origin, the newest of each", () => {
    const sessions = createTlsSessions();
    sessions.keep(first, Buffer.from("old"));
    sessions.keep(first, Buffer.from("new"));
    expect(String(sessions.get(first))).toBe("new");
    expect(sessions.get(second)).toBeUndefined();
    sessions.forget(first);
    expect(sessions.get(first)).toBeUndefined();
  });

  it("are not kept above 16 KiB, which only a hostile receiver sends", () => {
    const sessions = createTlsSessions();
    sessions.keep(first, Buffer.alloc(16_384));
    sessions.keep(second, Buffer.alloc(16_385));
    expect([first, second].map((origin) => sessions.get(origin)?.length)).toEqual([16_384, undefined]);
  });

  it("of a thousand origins are kept: the one that was renewed longest ago goes first", () => {
    const sessions = createTlsSessions();
    for (const origin of origins.slice(0, 1_000)) sessions.keep(origin, Buffer.from("session"));
    sessions.keep(second, Buffer.from("renewed"));
    const forgotten = () => origins.slice(0, 1_000).filter((origin) => sessions.get(origin) === undefined);
    expect(forgotten()).toEqual([]);
    sessions.keep(origins[1_000] ?? "", Buffer.from("session"));
    expect(forgotten()).toEqual([first]);
    sessions.keep("https://one-more.example", Buffer.from("session"));
    expect(forgotten()).toEqual([first, origins[2]]);
  });
});
