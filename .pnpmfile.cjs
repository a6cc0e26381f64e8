/**
 * Of `@scalar/api-reference` one file is shipped with the developer site, which is bundled and complete (`dist/browser/standalone.js`).
 * What its package asks for beside that is some 270 packages that nothing here would read.
 */
module.exports = {
  hooks: {
    readPackage(manifest) {
      return manifest.name === "@scalar/api-reference" ? { ...manifest, dependencies: {} } : manifest;
    },
  },
};
