/** `set NODE_ENV=production && …` leaves a trailing space in Windows. */
export function isProduction(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment["NODE_ENV"]?.trim() === "production";
}
