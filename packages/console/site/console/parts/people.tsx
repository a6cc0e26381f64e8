import type { Person } from "@hookwright/domain";
import type { Column } from "./data-table.tsx";
import { Ago, Time } from "./time.tsx";

/** The id of the login of the account, which stays. */
export const loginId = "account";

export function PersonName({
  of: { id, name, email },
}: {
  readonly of: Pick<Person, "id" | "name" | "email">;
}) {
  return (
    <>
      <bdi>{name ?? email}</bdi>
      {id === loginId ? <span class="badge kind">login of the account</span> : null}
    </>
  );
}

/** What the owner and the operator see of a person, besides the name. */
export const personColumns: readonly Column<Person>[] = [
  { name: "E-mail", isWide: true, cell: ({ email }) => <bdi>{email}</bdi> },
  { name: "Role", place: "detail", cell: ({ role }) => role },
  {
    name: "Status",
    place: "detail",
    cell: ({ status, expires_at }) => {
      if (status === "active") return status;
      return status === "expired" ? (
        "invitation expired"
      ) : (
        <>
          invited until <Time at={expires_at} />
        </>
      );
    },
  },
  { name: "Last sign-in", isWide: true, cell: ({ last_sign_in_at }) => <Ago at={last_sign_in_at} /> },
];
