/** Longest `target_url` (contract §5). */
export const maximumTargetUrlLength = 2_048;

const localHint = "for a receiver on your machine use `--private-targets allow` or `hookwright listen`";

/** What an `invalid_target_url` error says, for each rule that a `target_url` can break (contract §5). */
export const targetUrlProblems = {
  tooLong: `must be at most ${maximumTargetUrlLength} characters`,
  whiteSpace: "must not contain white space or control characters",
  notHttps: "must start with https://",
  userInfo: "must not contain a user name or password",
  notUrl: "must be a valid URL",
  plainHttp: `must start with https://; ${localHint}`,
  localhost: `must not point to localhost; ${localHint}`,
  notPublicName: `must name a public host, such as hooks.example.com; ${localHint}`,
  localName: (topLevel: "local" | "internal") => `must not point to a .${topLevel} name; ${localHint}`,
  /** @param address as the URL parser writes it, without brackets */
  notPublicAddress: (address: string) =>
    `must point to a public address, and ${address} is not one; ${localHint}`,
} as const;
