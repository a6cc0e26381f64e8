import {
  contactInputSchema,
  findProblems,
  mergeContact,
  toTimestamp,
  withoutEmpty,
} from "@hookwright/domain";
import type { Contact } from "@hookwright/domain";
import { expectOfProject } from "../state/expect-project.ts";
import { findContact } from "../state/find-person.ts";
import { toRow } from "../state/world.ts";
import type { World } from "../state/world.ts";

/** @throws HookwrightError `validation_failed` */
export function writeContact(
  world: World,
  body: unknown,
): { readonly contact: Contact; readonly created: boolean } {
  const sent = withoutEmpty(body);
  const input = expectOfProject(world, { sent, parsed: findProblems(contactInputSchema, sent) });
  const { email, project_id: projectId } = input;
  const existing = findContact(world, projectId, email);
  const merged = mergeContact(existing?.value, input, "write");
  const at = toTimestamp(world.now());
  if (existing === undefined) {
    const base = { id: world.newId("ct"), project_id: projectId, email };
    const contact: Contact = { ...base, ...merged, tags: [...merged.tags], created_at: at, updated_at: at };
    world.contacts.set(contact.id, toRow(world, contact));
    return { contact, created: true };
  }
  if (merged === existing.value) return { contact: existing.value, created: false };
  const contact: Contact = { ...existing.value, ...merged, tags: [...merged.tags], updated_at: at };
  world.contacts.set(existing.id, { ...existing, value: contact });
  return { contact, created: false };
}
