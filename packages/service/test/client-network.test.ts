import { expect, it } from "vitest";
import { toClientNetwork } from "../src/sign-in/client-network.ts";

it.each([
  ["93.184.215.14", "93.184.215.14"],
  ["::ffff:93.184.215.14", "93.184.215.14"],
  ["::ffff:5db8:d70e", "93.184.215.14"],
  ["0:0:0:0:0:FFFF:5DB8:D70E", "93.184.215.14"],
  ["2606:4700::1", "2606:4700:0:0"],
  ["2606:0047::1", "2606:47:0:0"],
  ["2606::", "2606:0:0:0"],
  ["2606:4700:1:2:3:4:5:6", "2606:4700:1:2"],
  ["2606:4700:1:2:3:4:5::", "2606:4700:1:2"],
  ["2606::1:2:3:4:5:6", "2606:0:1:2"],
  ["2A00:1450:4001:80B::200E", "2a00:1450:4001:80b"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["64:ff9b::1.2.3.4", "64:ff9b:0:0"],
  [undefined, "unknown"],
  ["", "unknown"],
  ["example.com", "unknown"],
])("the client %s belongs to the network %s", (address, network) => {
  expect(toClientNetwork(address)).toBe(network);
});
