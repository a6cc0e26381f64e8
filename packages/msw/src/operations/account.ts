import type { Operation } from "../routing/operation.ts";

export const accountOperations: readonly Operation[] = [
  {
    name: "GET /v1/me",
    operationId: "getAccount",
    handle: ({ world }) => {
      // `status` is the host's to know.
      const { status: _, ...account } = world.account;
      return { data: account };
    },
  },
];
