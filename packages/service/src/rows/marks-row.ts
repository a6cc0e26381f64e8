import type { IssueStatus } from "@hookwright/domain";

/** What people of an account said about its issues and alerts. Times are in milliseconds. */
export interface MarksRow {
  /** By the id of the issue. Only issues that exist. */
  readonly issues: Readonly<
    Record<string, { readonly status: Exclude<IssueStatus, "open">; readonly at: number }>
  >;
  /** When an alert that was put off comes back, by its kind and webhook. */
  readonly snoozes: Readonly<Record<string, number>>;
}

/** A row that cannot be read starts again: it only hides alerts. */
export function parseMarks(text: string | undefined): MarksRow {
  try {
    const { issues = {}, snoozes = {} }: Partial<MarksRow> = text === undefined ? {} : JSON.parse(text);
    return { issues, snoozes };
  } catch {
    return { issues: {}, snoozes: {} };
  }
}
