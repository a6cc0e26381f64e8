/** Until when the log has the bodies of requests and responses. The first is the default of the server. */
export const keptBodies = ["all", "until_accepted", "none"] as const;
export type KeptBodies = (typeof keptBodies)[number];

/** Whether the log has the bodies of an attempt, and if not, why. */
export const bodyStates = ["kept", "not_kept", "erased"] as const;
export type BodyState = (typeof bodyStates)[number];

/** Why the log has no bodies of an attempt. */
export const goneBodies: Readonly<Record<Exclude<BodyState, "kept">, string>> = {
  not_kept: "The log of this account keeps no bodies, or none of accepted deliveries.",
  erased: "They had data of a person that was erased.",
};
