import { test } from "node:test";
import { repositoryContractCases } from "hookwright/repository-contract";
import { blogPosts } from "./blog-posts.ts";
import { contacts } from "./contacts.ts";
import { orders, saveOrder } from "./orders.ts";

for (const { part, name, run } of repositoryContractCases) {
  test(`${part}: ${name}`, () => run(() => ({ contacts, orders, saveOrder, blogPosts })));
}
