/** What the build makes of a file of the site: compressed with gzip, in base64. */
declare module "#site/*" {
  const packed: string;
  export default packed;
}
