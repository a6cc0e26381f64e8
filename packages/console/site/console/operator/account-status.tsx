import type { HostAccount } from "@hookwright/domain";
import { hrefTo } from "../state/route.ts";

export function AccountStatus({ status }: { readonly status: HostAccount["status"] }) {
  const isActive = status === "active";
  return (
    <span class={`status ${isActive ? "good" : "bad"}`}>
      <i aria-hidden="true">{isActive ? "●" : "✕"}</i>
      {isActive ? "Active" : "Suspended"}
    </span>
  );
}

/** Leads to the page of an account. */
export function AccountLink({ id }: { readonly id: string }) {
  return (
    <a href={hrefTo(["operator", "accounts", id])}>
      <code>{id}</code>
    </a>
  );
}
