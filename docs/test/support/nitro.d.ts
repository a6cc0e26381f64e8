/** Nitro sets this value while it prerenders pages. */
interface ImportMeta {
  readonly prerender?: boolean;
}
