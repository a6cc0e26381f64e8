import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import type { Resolve } from "../../src/transport/guarded-lookup.ts";
import { createNameServerLookup, createSystemResolver } from "../../src/transport/system-resolver.ts";

interface Question {
  readonly hostname: string;
  answer(address: string): void;
  refuse(code: string): void;
}

/** Notes what it is asked, and answers when it is told. */
function createFakeResolver() {
  const questions: Question[] = [];
  const resolve: Resolve = (hostname) =>
    new Promise<readonly LookupAddress[]>((answer, refuse) => {
      questions.push({
        hostname,
        answer: (address) => answer([{ address, family: 4 }]),
        refuse: (code) => refuse(Object.assign(new Error(`query ${code} ${hostname}`), { code })),
      });
    });
  return { resolve, questions };
}

function createResolver() {
  const system = createFakeResolver();
  const nameServers = createFakeResolver();
  const resolve = createSystemResolver({ askSystem: system.resolve, askNameServers: nameServers.resolve });
  const asked = () => ({
    system: system.questions.map(({ hostname }) => hostname),
    nameServers: nameServers.questions.map(({ hostname }) => hostname),
  });
  return { resolve, asked, system: system.questions, nameServers: nameServers.questions };
}

const address = (text: string) => [{ address: text, family: 4 }];

describe("a name is resolved", () => {
  it("as every other program on the host does it", async () => {
    const addresses = await createSystemResolver()("localhost");
    expect(addresses.map(({ address }) => address)).toContain("127.0.0.1");
  });

  it("once, however many ask for it at once, and anew for whoever asks later", async () => {
    const { resolve, asked, system } = createResolver();
    const both = Promise.all([resolve("a.example"), resolve("a.example")]);
    expect(asked().system).toEqual(["a.example"]);
    system[0]?.answer("192.0.2.1");
    expect(await both).toEqual([address("192.0.2.1"), address("192.0.2.1")]);
    void resolve("a.example");
    expect(asked()).toEqual({ system: ["a.example", "a.example"], nameServers: [] });
  });

  it("or not: what the system says of it is passed on", async () => {
    await expect(createSystemResolver()("no-such-name.invalid")).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/u),
    });
  });

  it("by the name servers while two that never answer hold the system's threads", async () => {
    const { resolve, asked, nameServers } = createResolver();
    void resolve("silent-1.example");
    void resolve("silent-2.example");
    const third = resolve("a.example");
    expect(asked()).toEqual({ system: ["silent-1.example", "silent-2.example"], nameServers: ["a.example"] });
    nameServers[0]?.answer("192.0.2.1");
    expect(await third).toEqual(address("192.0.2.1"));
  });

  it.each(["answers", "fails"])("by the system again once one of the two %s", async (how) => {
    const { resolve, asked, system } = createResolver();
    const first = resolve("silent-1.example").catch(() => {});
    void resolve("silent-2.example");
    if (how === "answers") system[0]?.answer("192.0.2.1");
    else system[0]?.refuse("ENOTFOUND");
    await first;
    void resolve("a.example");
    expect(asked()).toEqual({
      system: ["silent-1.example", "silent-2.example", "a.example"],
      nameServers: [],
    });
  });

  it.each(["ENOTFOUND", "ENODATA", "ECONNREFUSED"])(
    "by the system all the same where the name servers know no such name: it may stand in /etc/hosts (%s)",
    async (code) => {
      const { resolve, asked, system, nameServers } = createResolver();
      void resolve("silent-1.example");
      void resolve("silent-2.example");
      const third = resolve("in-a-file");
      nameServers[0]?.refuse(code);
      await expect.poll(() => asked().system).toContain("in-a-file");
      system[2]?.answer("192.0.2.1");
      expect(await third).toEqual(address("192.0.2.1"));
    },
  );

  it.each(["ESERVFAIL", "ETIMEOUT"])("by nobody else where they fail: %s", async (code) => {
    const { resolve, asked, nameServers } = createResolver();
    void resolve("silent-1.example");
    void resolve("silent-2.example");
    const third = resolve("a.example");
    nameServers[0]?.refuse(code);
    await expect(third).rejects.toMatchObject({ code });
    expect(asked().system).toEqual(["silent-1.example", "silent-2.example"]);
  });
});

describe("the name servers", () => {
  const knows =
    (...addresses: readonly string[]) =>
    async () =>
      addresses;
  const refuses = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };

  it("are asked for addresses of both families, the fourth first", async () => {
    const lookup = createNameServerLookup({
      resolve4: knows("192.0.2.1"),
      resolve6: knows("2001:db8::1", "2001:db8::2"),
    });
    expect(await lookup("a.example")).toEqual([
      { address: "192.0.2.1", family: 4 },
      { address: "2001:db8::1", family: 6 },
      { address: "2001:db8::2", family: 6 },
    ]);
  });

  it("need not know one of each", async () => {
    const only4 = createNameServerLookup({ resolve4: knows("192.0.2.1"), resolve6: refuses("ENODATA") });
    expect(await only4("a.example")).toEqual([{ address: "192.0.2.1", family: 4 }]);
    const only6 = createNameServerLookup({ resolve4: refuses("ENODATA"), resolve6: knows("2001:db8::1") });
    expect(await only6("a.example")).toEqual([{ address: "2001:db8::1", family: 6 }]);
  });

  it("say why, where they know none", async () => {
    const lookup = createNameServerLookup({ resolve4: refuses("ESERVFAIL"), resolve6: refuses("ENODATA") });
    await expect(lookup("a.example")).rejects.toMatchObject({ code: "ESERVFAIL" });
  });
});
