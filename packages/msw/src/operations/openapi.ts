import type { Operation } from "../routing/operation.ts";
import { splitName } from "../routing/route-table.ts";

/**
 * Returns a document with only the names of the operations. The service generates its document from its
 * routes, which the mock does not have.
 */
export function openApiOperation(others: readonly Operation[]): Operation {
  const own: Operation = {
    name: "GET /v1/openapi.json",
    operationId: "getOpenApiDocument",
    bare: true,
    handle: () => ({ data: toDocument([...others, own]) }),
  };
  return own;
}

function toDocument(operations: readonly Operation[]): unknown {
  const paths: Record<string, Record<string, { readonly operationId: string }>> = {};
  for (const { name, operationId } of operations) {
    const [method, path] = splitName(name);
    paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId } };
  }
  return { openapi: "3.1.1", info: { title: "Hookwright integration API, mocked", version: "1" }, paths };
}
