import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import {
  createCheckedLookup,
  createNameServerLookup,
  createSystemResolver,
} from "../../src/transport/dns-lookup.ts";
import type { Resolve } from "../../src/transport/dns-lookup.ts";

/** The result for `net.connect`, which asks for one address or for all. */
function look(resolve: Resolve, options: { readonly all?: boolean } = {}) {
  return new Promise<{ error: unknown; address: string | LookupAddress[]; family: number | undefined }>(
    (told) => {
      createCheckedLookup(resolve)("hooks.example.com", options, (error, address, family) =>
        told({ error, address, family }),
      );
    },
  );
}

const answering =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("of the addresses of a name", () => {
  it("the first public one is dialled", async () => {
    const answer = await look(answering("10.0.0.1", "93.184.215.14", "2606:2800:21f::1"));
    expect(answer).toEqual({ error: null, address: "93.184.215.14", family: 4 });
  });

  it("only the public ones are dialled, each of them", async () => {
    const resolve = answering("127.0.0.1", "2606:2800:21f::1", "fe80::1", "93.184.215.14");
    expect(await look(resolve, { all: true })).toMatchObject({
      error: null,
      address: [
        { address: "2606:2800:21f::1", family: 6 },
        { address: "93.184.215.14", family: 4 },
      ],
    });
  });

  it.each([
    ["an address of this machine", "127.0.0.1"],
    ["an address of one interface of this machine", "2606:2800:21f::1%eth0"],
    ["another spelling of one", "0x7f.1"],
    ["another name", "localhost"],
    ["nothing that is an address", "93.184.215.14.example"],
  ])("%s is not dialled", async (_, address) => {
    expect(await look(answering(address), { all: true })).toMatchObject({
      error: { failure: "blocked_address" },
    });
  });

  it("none is dialled when the resolver returns nothing, or throws something that is not an error", async () => {
    expect(await look(answering())).toMatchObject({ error: { failure: "dns" } });
    const throwing: Resolve = () => Promise.reject("out of order");
    expect(await look(throwing)).toMatchObject({ error: { failure: "dns", cause: "out of order" } });
  });
});

interface Question {
  readonly hostname: string;
  answer(address: string): void;
  refuse(code: string): void;
}

/** Records the lookups. The test answers them. */
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

  it("once for equal questions at the same time, and again later", async () => {
    const { resolve, asked, system } = createResolver();
    const both = Promise.all([resolve("a.example"), resolve("a.example")]);
    expect(asked().system).toEqual(["a.example"]);
    system[0]?.answer("192.0.2.1");
    expect(await both).toEqual([address("192.0.2.1"), address("192.0.2.1")]);
    void resolve("a.example");
    expect(asked()).toEqual({ system: ["a.example", "a.example"], nameServers: [] });
  });

  it("or the error of the system is returned", async () => {
    await expect(createSystemResolver()("no-such-name.invalid")).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/u),
    });
  });

  it("by the name servers while two lookups occupy the threads of the system's resolver", async () => {
    const { resolve, asked, nameServers } = createResolver();
    void resolve("silent-1.example");
    void resolve("silent-2.example");
    const third = resolve("a.example");
    expect(asked()).toEqual({ system: ["silent-1.example", "silent-2.example"], nameServers: ["a.example"] });
    nameServers[0]?.answer("192.0.2.1");
    expect(await third).toEqual(address("192.0.2.1"));
  });

  it.each(["answers", "fails"])("by the system again when one of the two %s", async (how) => {
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
    "by the system if the name servers do not know it: it may be in /etc/hosts (%s)",
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

  it.each(["ESERVFAIL", "ETIMEOUT"])("by nothing else if they fail: %s", async (code) => {
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

  it("are asked for addresses of both families, version 4 first", async () => {
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

  it("may know only one of them", async () => {
    const only4 = createNameServerLookup({ resolve4: knows("192.0.2.1"), resolve6: refuses("ENODATA") });
    expect(await only4("a.example")).toEqual([{ address: "192.0.2.1", family: 4 }]);
    const only6 = createNameServerLookup({ resolve4: refuses("ENODATA"), resolve6: knows("2001:db8::1") });
    expect(await only6("a.example")).toEqual([{ address: "2001:db8::1", family: 6 }]);
  });

  it("give the reason if they know none", async () => {
    const lookup = createNameServerLookup({ resolve4: refuses("ESERVFAIL"), resolve6: refuses("ENODATA") });
    await expect(lookup("a.example")).rejects.toMatchObject({ code: "ESERVFAIL" });
  });
});
