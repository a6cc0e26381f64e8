/** A file of the site as the build stores it: compressed with gzip, in base64. */
declare module "#site/*" {
  const packed: string;
  export default packed;
}
