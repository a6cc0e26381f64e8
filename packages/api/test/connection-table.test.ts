import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createConnectionTable } from "../src/node-server/connection-table.ts";
import type { Connection, ConnectionTable } from "../src/node-server/connection-table.ts";

function open(table: ConnectionTable, network: string, { at = 0, isServed = false } = {}): Connection {
  const socket = new Socket();
  onTestFinished(() => void socket.destroy());
  const requests = new Set<IncomingMessage>();
  if (isServed) requests.add(Object.assign(new IncomingMessage(socket), { complete: true }));
  const times = { openedAt: at, waitingSince: at, progressAt: at };
  const connection = { socket, network, isReady: true, requests, sentMark: 0, isUpgraded: false, ...times };
  table.add(connection);
  return connection;
}

it("a new connection of a small network is not closed before its request can arrive", () => {
  const table = createConnectionTable();
  const [longest] = [1, 2, 3].map(() => open(table, "large", { isServed: true }));
  const small = open(table, "small", { at: 5_000 });
  const newest = open(table, "other", { at: 5_100 });
  expect(table.chooseLeastUseful(newest, 5_100)).toBe(longest);
  expect(table.chooseLeastUseful(newest, 5_999)).toBe(longest);
  expect(table.chooseLeastUseful(newest, 6_000)).toBe(small);
});

it("a connection waits anew after each response", () => {
  const table = createConnectionTable();
  const [longest] = [1, 2, 3].map(() => open(table, "large", { isServed: true }));
  const small = open(table, "small");
  table.markWaiting(small, 5_000);
  const newest = open(table, "other", { at: 5_500 });
  expect(table.chooseLeastUseful(newest, 5_500)).toBe(longest);
});

it("a network with the most connections makes no place in smaller ones for itself", () => {
  const table = createConnectionTable();
  for (let count = 0; count < 3; count++) open(table, "large", { isServed: true });
  open(table, "small", { at: 5_000 });
  const newest = open(table, "large", { at: 5_100 });
  expect(table.chooseLeastUseful(newest, 5_100)).toBe(newest);
});
