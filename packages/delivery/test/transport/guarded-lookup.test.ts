import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import { createGuardedLookup } from "../../src/transport/guarded-lookup.ts";
import type { Resolve } from "../../src/transport/guarded-lookup.ts";

/** What `net.connect` is told when it asks for one address, or for all. */
function look(resolve: Resolve, options: { readonly all?: boolean } = {}) {
  return new Promise<{ error: unknown; address: string | LookupAddress[]; family: number | undefined }>(
    (told) => {
      createGuardedLookup(resolve)("hooks.example.com", options, (error, address, family) =>
        told({ error, address, family }),
      );
    },
  );
}

const answering =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("of what a name leads to", () => {
  it("the first public address is dialled where one is asked for", async () => {
    const answer = await look(answering("10.0.0.1", "93.184.215.14", "2606:2800:21f::1"));
    expect(answer).toEqual({ error: null, address: "93.184.215.14", family: 4 });
  });

  it("all public ones are where all are, and no other", async () => {
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
  ])("%s is not", async (_, address) => {
    expect(await look(answering(address), { all: true })).toMatchObject({
      error: { name: "BlockedAddressError" },
    });
  });

  it("nothing is, where the resolver answers nothing or throws what is no error", async () => {
    expect(await look(answering())).toMatchObject({ error: { name: "ResolveError" } });
    const throwing: Resolve = () => Promise.reject("out of order");
    expect(await look(throwing)).toMatchObject({ error: { name: "ResolveError", cause: "out of order" } });
  });
});
