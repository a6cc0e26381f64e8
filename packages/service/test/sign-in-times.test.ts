import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, expect, it, vi } from "vitest";
import { openService } from "./support/open-service.ts";

const derive = vi.spyOn(crypto, "scrypt");
syncBuiltinESMExports();

afterEach(() => derive.mockClear());

it("the first sign-in of a process takes one derivation, whether the address is somebody's or nobody's", async () => {
  const password = "correct horse";
  const { service, store } = openService();
  await service.accounts.put("acc_1", { email: "owner@example.com", password });
  for (const email of ["owner@example.com", "nobody@example.com"]) {
    derive.mockClear();
    const { service: begun } = openService({ store });
    await expect(begun.sessions.create({ email, password: "battery staple" })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    expect(derive).toHaveBeenCalledTimes(1);
  }
});
