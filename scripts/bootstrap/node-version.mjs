/**
 * Is this Node new enough for the current majors of the dependencies, and not newer than what the tests ran on?
 * Odd majors are left out: they live for six months, and Vite, tsup and h3's tools refuse them.
 *
 * @param {string} version `process.versions.node`
 */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major === 22) return minor >= 19;
  if (major === 24) return minor >= 11;
  return major === 26;
}
