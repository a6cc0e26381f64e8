/** Permissive licences. To publish with them, naming the authors is enough. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  // Like ISC, and it grants patents. Its text must be passed on, and npm installs it with the package.
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  // MIT without the duty to name the authors.
  "MIT-0",
  // Of fonts. It may be shipped with programs of any licence, if its text is passed on.
  "OFL-1.1",
]);

/**
 * Whether we may ship code under this licence: an expression of SPDX, where `AND` binds more strongly than `OR`. Anything else, such as
 * a missing licence or `SEE LICENSE IN …`, is not allowed.
 *
 * @param {unknown} license As in a package.json.
 */
export function isAllowed(license) {
  if (typeof license !== "string") return false;
  const tokens = license.match(/[()]|[^\s()]+/g) ?? [];
  const either = () => {
    let result = all();
    while (tokens[0] === "OR") {
      tokens.shift();
      // Not `||`, which would leave the tokens of the right side.
      const right = all();
      result = result || right;
    }
    return result;
  };
  const all = () => {
    let result = one();
    while (tokens[0] === "AND") {
      tokens.shift();
      const right = one();
      result = result && right;
    }
    return result;
  };
  /** @returns {boolean} */
  const one = () => {
    const token = tokens.shift();
    if (token !== "(") return token !== undefined && ALLOWED.has(token);
    const result = either();
    return tokens.shift() === ")" && result;
  };
  // Anything behind the expression, such as `WITH`, is an exception that nobody has read.
  return either() && tokens.length === 0;
}
