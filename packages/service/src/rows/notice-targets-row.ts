import type { NoticeKind, NoticeTarget } from "@hookwright/domain";

/** Somebody whom an account wants to be told. */
export interface NoticeTargetRow {
  readonly id: string;
  readonly type: NoticeTarget["type"];
  /** An e-mail address or a URL. Null: the address of the account, which may change. */
  readonly to: string | null;
  readonly kinds: readonly NoticeKind[];
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  /** True until the address is confirmed: it gets no notice before. @default false */
  readonly unconfirmed?: true;
}

/** What every account has until it changes its targets. */
const ofAccount: NoticeTargetRow = {
  id: "account",
  type: "email",
  to: null,
  kinds: ["webhook.failing", "webhook.switched_off", "webhook.removed", "key.expiring"],
  created_at: 0,
};

/** All targets of an account are one row. */
export function parseAllNoticeTargets(text: string | undefined): readonly NoticeTargetRow[] {
  return text === undefined ? [ofAccount] : JSON.parse(text);
}

/** Those that are told. */
export function parseNoticeTargets(text: string | undefined): readonly NoticeTargetRow[] {
  return parseAllNoticeTargets(text).filter(({ unconfirmed }) => unconfirmed !== true);
}
