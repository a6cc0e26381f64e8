import type { Notice } from "@hookwright/domain";

/** What a delivery of a notice sends. */
export interface NoticeMessageRow {
  readonly notice: Notice;
  readonly delivery_id: string;
  /** The exact text. */
  readonly body: string;
}

/** As long as its delivery is in the log. */
export const noticeMessageLifetimeMs = 31 * 24 * 60 * 60 * 1_000;

export function renderNoticeMessage(row: NoticeMessageRow): string {
  return JSON.stringify(row);
}

export function parseNoticeMessage(text: string): NoticeMessageRow {
  return JSON.parse(text);
}
