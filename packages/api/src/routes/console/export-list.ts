import type { Service } from "@hookwright/service";
import { checkAccount } from "../../access/check-account.ts";
import { exportResponse } from "../../response/export-response.ts";
import type { Export } from "../../response/export-response.ts";
import type { ApiResponse } from "../../response/api-response.ts";
import type { RouteContext, RouteRequest } from "../../routing/route.ts";

/**
 * A list of the console as a file. The first page has the place of the request. The others wait for theirs, and end the file with an error
 * if the session has ended or the account may not read any more.
 */
export function exportList<Row extends object>(
  request: Pick<RouteRequest, "party" | "signal"> & {
    readonly context: Pick<RouteContext, "readGate">;
    readonly service: Pick<Service, "authenticate">;
    readonly token: string;
  },
  asked: Export<Row>,
): Promise<ApiResponse> {
  const { service, token, context } = request;
  return exportResponse({
    ...asked,
    readPage: (cursor) =>
      cursor === undefined
        ? asked.readPage(cursor)
        : context.readGate.runLater("scan", request, async () => {
            checkAccount(await service.authenticate(token), { right: "read" });
            return asked.readPage(cursor);
          }),
  });
}
