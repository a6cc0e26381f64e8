/** What Nitro puts in its place while it builds pages ahead of time. */
interface ImportMeta {
  readonly prerender?: boolean;
}
