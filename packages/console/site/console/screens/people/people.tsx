import { roles } from "@hookwright/domain";
import type { CreatedInvitation, Person } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Button, CommandLine } from "../../parts/buttons.tsx";
import { Dialog, FormDialog } from "../../parts/dialogs.tsx";
import { Choice, TextField } from "../../parts/fields.tsx";
import { ScreenHeader } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { loginId, personColumns, PersonName } from "../../parts/people.tsx";
import { Time } from "../../parts/time.tsx";
import { useAsk, useConsole } from "../../state/console-context.ts";
import { usePages } from "../../state/use-pages.ts";
import { roleTexts } from "./role-texts.ts";

const choices = roles.map((role) => [role, roleTexts[role]] as const);

/** The people who have the console of the account, and open invitations. */
export function PeopleList() {
  const { api, person: self } = useConsole();
  const ask = useAsk();
  const pages = usePages<Person>(toPath("people"));
  const [isInviting, setInviting] = useState(false);
  const [changing, setChanging] = useState<Person>();
  const askToRemove = (person: Person): void => {
    const isInvitation = person.status !== "active";
    ask({
      title: isInvitation ? "Withdraw the invitation" : "Remove this person",
      text: isInvitation ? (
        <p>
          The link that <bdi>{person.email}</bdi> got stops working.
        </p>
      ) : (
        <p>
          <bdi>{person.name}</bdi> (<bdi>{person.email}</bdi>) is signed out everywhere at once and cannot
          sign in again. What the person made stays: API keys, webhooks, shared deliveries, addresses that get
          notices, and open invitations.
        </p>
      ),
      confirm: isInvitation ? "Withdraw invitation" : "Remove person",
      kind: "danger",
      onConfirm: () => api.delete(toPath("people", person.id)),
      onDone: pages.reload,
    });
  };
  return (
    <>
      <ScreenHeader title="People">
        <Button kind="primary" changes="people" onClick={() => setInviting(true)}>
          Invite
        </Button>
      </ScreenHeader>
      <PagedTable
        caption="People of the account"
        columns={[
          {
            name: "Name",
            kind: "name",
            place: "title",
            cell: ({ id, name, email }) => (
              <>
                <PersonName of={{ id, name, email }} />
                {id === self?.id ? <span class="badge kind">you</span> : null}
              </>
            ),
          },
          ...personColumns,
          {
            name: "Action",
            place: "mark",
            cell: (person) =>
              person.id === loginId ? null : (
                <>
                  <Button
                    changes="people"
                    label={`Change the role of ${person.name ?? person.email}`}
                    onClick={() => setChanging(person)}
                  >
                    Role
                  </Button>{" "}
                  <Button
                    changes="people"
                    label={`Remove ${person.name ?? person.email}`}
                    onClick={() => askToRemove(person)}
                  >
                    Remove
                  </Button>
                </>
              ),
          },
        ]}
        pages={pages}
        empty={null}
      />
      {isInviting ? <InviteDialog onInvited={pages.reload} onClose={() => setInviting(false)} /> : null}
      {changing === undefined ? null : (
        <RoleDialog person={changing} onChanged={pages.reload} onClose={() => setChanging(undefined)} />
      )}
    </>
  );
}

interface InviteDialogProps {
  readonly onInvited: () => void;
  readonly onClose: () => void;
}

/** Asks for an address and a role, then shows the link once. */
function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const { api } = useConsole();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<string>("developer");
  const [invitation, setInvitation] = useState<CreatedInvitation>();
  if (invitation !== undefined)
    return (
      <Dialog title="Send this link" onClose={onClose}>
        <p role="status">
          Copy the link now and send it to <bdi>{invitation.email}</bdi>: it is not shown again. It works
          once, until <Time at={invitation.expires_at} />.
        </p>
        <CommandLine text={new URL(invitation.url, location.href).href} />
        <p class="quiet">Anybody with the link can join with this address, so send it only to this person.</p>
        <div class="actions end">
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title="Invite somebody"
      labels={{ email: "E-mail", role: "Role" }}
      values={{ email, role }}
      submit="Create invitation"
      onSubmit={async () => {
        setInvitation(await api.post<CreatedInvitation>(toPath("people"), { email, role }));
        onInvited();
      }}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <TextField
            label="E-mail"
            hint="The person signs in with it. An open invitation of this address is replaced."
            problem={problemAt("email")}
            input={{ type: "email", required: true, autofocus: true, autocomplete: "off" }}
            value={email}
            onChange={setEmail}
          />
          <Choice
            label="Role"
            problem={problemAt("role")}
            value={role}
            all={null}
            choices={choices}
            onChoose={setRole}
          />
        </>
      )}
    </FormDialog>
  );
}

interface RoleDialogProps {
  readonly person: Person;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function RoleDialog({ person: { id, name, email, role: current }, onChanged, onClose }: RoleDialogProps) {
  const { api } = useConsole();
  const [role, setRole] = useState<string>(current);
  return (
    <FormDialog
      title={
        <>
          Role of <bdi>{name ?? email}</bdi>
        </>
      }
      labels={{ role: "Role" }}
      submit="Change role"
      onSubmit={async () => {
        await api.patch(toPath("people", id), { role });
        onChanged();
        onClose();
      }}
      onClose={onClose}
    >
      {(problemAt) => (
        <Choice
          label="Role"
          hint="The new role counts at once."
          problem={problemAt("role")}
          value={role}
          all={null}
          choices={choices}
          onChoose={setRole}
        />
      )}
    </FormDialog>
  );
}
