import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/documentation-site.md
var __pageData = JSON.parse(
  '{"title":"The documentation is also a site","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/documentation-site.md","filePath":"docs/decisions/documentation-site.md"}',
);
var _sfc_main = { name: "decisions/documentation-site.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="the-documentation-is-also-a-site" tabindex="-1">The documentation is also a site <a class="header-anchor" href="#the-documentation-is-also-a-site" aria-label="Permalink to “The documentation is also a site”">​</a></h1><p><strong>Context.</strong> The pages under <code class="short">docs/</code> and the READMEs of the packages are read where they lie, beside the code. Whoever only uses Hookwright wants them as a site: with a search, a table of contents, and no files in between.</p><p><strong>Choice.</strong> VitePress makes it of the very same files: <code class="short">npm run docs</code> shows it while one writes, <code class="short">npm run docs -- build</code> makes it. No page is written twice, and none is written for the site. What a page&#39;s link leads to is told by <span class="source" title="docs/.vitepress/source-links.ts"><code class="short">source-links.ts</code></span>: another page, or something in the repository that is no page (a test, a source), whose path stands there instead. Which page stands where is in <span class="source" title="docs/.vitepress/pages.ts"><code class="short">pages.ts</code></span>. A test builds the site and asks of every page that it is there, is in the table of contents, and has no link that leads nowhere.</p><p><strong>Rejected.</strong></p><ul><li><em>A folder of its own for the site&#39;s pages:</em> they would say what the others said some months ago.</li><li><em>Docusaurus, Astro&#39;s Starlight:</em> as good, and each another bundler; VitePress runs on the Vite that the tests need anyway.</li><li><em>VitePress 1:</em> its last release is from last year. The second major version is an alpha, but the one that is kept; what it makes are files, and nothing of it reaches a user&#39;s machine.</li></ul><p><strong>Consequence.</strong> A new page is a line in <code class="short">pages.ts</code>, or the test says so. The site has no address of its own yet, and links into the repository wait for one.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/documentation-site.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var documentation_site_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, documentation_site_default as default };
