import type { AccountInput, EventName } from "@hookwright/domain";

/** A request for both sides. */
export interface Ask {
  /** The key of the request. `null` sends no header. @default the valid key */
  readonly authorization?: string | null;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The service or the mock, as scripts use it. */
export interface Side extends AsyncDisposable {
  readonly key: string;
  fetch(request: Request): Promise<Response>;
  changeAccount(change: Readonly<AccountInput>): Promise<void>;
  addProject(id: string, name: string, timezone: string): Promise<void>;
  addEmailList(id: string, projectId: string, name: string): Promise<void>;
  publish(event: EventName, projectId: string, data: Readonly<Record<string, unknown>>): Promise<void>;
  suppress(email: string): Promise<void>;
  unsubscribe(projectId: string, email: string): Promise<void>;
  revokeKey(): Promise<void>;
}
