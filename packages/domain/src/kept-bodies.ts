/** Until when the log has the bodies of requests and responses. The first is the default of the server. */
export const keptBodies = ["all", "until_accepted", "none"] as const;
export type KeptBodies = (typeof keptBodies)[number];
