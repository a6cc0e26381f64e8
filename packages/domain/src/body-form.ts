/**
 * The forms of the body of a delivery. `hookwright`: `{id, event, project, data}` (specification, section 6.3). `standard`: `{type,
 * timestamp, data, id, project}`, as receivers of other senders read it.
 */
export const bodyForms = ["hookwright", "standard"] as const;
export type BodyForm = (typeof bodyForms)[number];
