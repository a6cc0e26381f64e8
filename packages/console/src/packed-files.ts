/**
 * The files of the site, each a module of its own that is loaded when somebody asks for it. Bundlers and tracers know what to do with a
 * module that is imported by its name; files beside the code they leave behind, or mistake for one another.
 */
export const packedFiles = {
  "console.css": () => import("#site/console.css"),
  "console.html": () => import("#site/console.html"),
  "console.js": () => import("#site/console.js"),
  "icon.svg": () => import("#site/icon.svg"),
  "reference.html": () => import("#site/reference.html"),
  "reference.js": () => import("#site/reference.js"),
  "scalar.js": () => import("#site/scalar.js"),
} as const;

export type PackedFileName = keyof typeof packedFiles;
