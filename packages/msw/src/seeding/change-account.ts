import {
  accountInputSchema,
  hostIdSchema,
  mergePlan,
  parseInput,
  withoutEmpty,
  withoutEmptyIn,
} from "@hookwright/domain";
import type { Seed } from "../seed.ts";
import type { World } from "../state/world.ts";

/** @throws HookwrightError `validation_failed` */
export function changeAccount(world: World, { id, ...sent }: NonNullable<Seed["account"]>): void {
  const input = parseInput(accountInputSchema, withoutEmptyIn(accountInputSchema, withoutEmpty(sent)));
  const before = world.account;
  world.account = {
    ...before,
    id: id === undefined ? before.id : parseInput(hostIdSchema, id, { root: "account.id" }),
    name: input.name ?? before.name,
    email: input.email ?? before.email,
    timezone: input.timezone ?? before.timezone,
    status: input.status ?? before.status,
    plan: mergePlan(before.plan, input.plan),
    demo: input.demo ?? before.demo,
  };
}
