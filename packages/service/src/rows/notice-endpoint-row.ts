import type { NoticeKind } from "@hookwright/domain";

/** The URL of the operator that gets notices. */
export interface NoticeEndpointRow {
  /** Of the webhook that sends them. */
  readonly id: string;
  readonly url: string;
  readonly kinds: readonly NoticeKind[];
}

export function parseNoticeEndpoint(text: string | undefined): NoticeEndpointRow | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}
