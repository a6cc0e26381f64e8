import { isHeaderPrefix } from "@hookwright/domain";
import { MockError } from "./mock-error.ts";

/** @throws MockError `invalid_header_prefix` */
export function expectHeaderPrefix(headerPrefix: string | undefined): void {
  if (headerPrefix !== undefined && !isHeaderPrefix(headerPrefix))
    throw new MockError(
      "invalid_header_prefix",
      "`headerPrefix` must be like X-Acme, as for createHookwright.",
    );
}
