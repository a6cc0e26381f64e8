import type { FailedAuthentication } from "@hookwright/service";
import { expect, it } from "vitest";
import { createFailedAuthentications } from "../src/log/failed-authentications.ts";

it("a network has a line for its 1st, 10th, 100th failure of a minute, and every failure is counted", () => {
  let time = 0;
  const lines: unknown[] = [];
  const counted: FailedAuthentication[] = [];
  const note = createFailedAuthentications({
    log: (code, { client_network: network, failures } = {}) => void lines.push([code, network, failures]),
    now: () => time,
    onCounted: (failure) => counted.push(failure),
  });
  for (let count = 0; count < 150; count++) note({ credential: "password", network: "192.0.2.1" });
  note({ credential: "host_token", network: "192.0.2.1" });
  note({ credential: "password", network: "192.0.2.2" });
  time += 60_000;
  note({ credential: "password", network: "192.0.2.1" });
  expect(lines).toEqual([
    ["sign_in_failed", "192.0.2.1", 1],
    ["sign_in_failed", "192.0.2.1", 10],
    ["sign_in_failed", "192.0.2.1", 100],
    ["host_token_refused", "192.0.2.1", 1],
    ["sign_in_failed", "192.0.2.2", 1],
    ["sign_in_failed", "192.0.2.1", 1],
  ]);
  expect(counted).toHaveLength(153);
});
