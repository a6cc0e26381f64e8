/** A file of the site as the build stores it: compressed with gzip, in base64. */
declare module "#site/*" {
  const packed: string;
  export default packed;
}

/** The code of the console that `console.js` imports, by its file names. */
declare module "#site/parts" {
  const parts: Readonly<Record<string, () => Promise<{ readonly default: string }>>>;
  export default parts;
}
