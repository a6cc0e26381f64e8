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
  emptyLabel: "must name a host without two dots in a row",
  longLabel: (maximum: number) => `must name a host whose labels have at most ${maximum} characters`,
  longName: (maximum: number) => `must name a host of at most ${maximum} characters`,
  privateName: (suffix: string) => `must not point to a .${suffix} name; ${localHint}`,
  /** @param allowed such as `443, 8443, 1024 to 65535` */
  port: (port: number, allowed: string) => `must not use port ${port}; allowed ports are ${allowed}`,
  /** @param address as the URL parser writes it, without brackets */
  notPublicAddress: (address: string) =>
    `must point to a public address, and ${address} is not one; ${localHint}`,
} as const;
