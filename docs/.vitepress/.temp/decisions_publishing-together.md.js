import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/publishing-together.md
var __pageData = JSON.parse(
  '{"title":"Events published together share a commit","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/publishing-together.md","filePath":"docs/decisions/publishing-together.md"}',
);
var _sfc_main = { name: "decisions/publishing-together.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="events-published-together-share-a-commit" tabindex="-1">Events published together share a commit <a class="header-anchor" href="#events-published-together-share-a-commit" aria-label="Permalink to “Events published together share a commit”">​</a></h1><p><strong>Context.</strong> A host that imports a thousand orders, or has fifty requests in the same turn of its event loop, publishes them all at once. Each was a commit of its own: on Redis a run of the script with its own checks, on LMDB a message to the thread that writes. The stores put commits that arrive together into one call, but judge each by itself.</p><p><strong>Choice.</strong> Publications of one account that are asked for in one round of microtasks are looked up in one read and written in one atomic commit, of some 500 changes or 32 KiB at most (<span class="source" title="packages/service/src/publishing/pack-publications.ts"><code class="short">pack-publications.ts</code></span>). Nobody waits for others to come: one alone is published as ever. What else is about the same record follows, one after the other, in the order in which it was asked for; where the first makes a contact of the customer of both, the second is read again once that is written. A commit that is refused because somebody else was faster, or because one publication cannot be stored, is taken apart, and each goes on by itself; so none fails for another. While all records of an event have been new, 256 in a row, they are not read first: the commit checks that they are, and where one is there already all of them are read and written together once more. When the store is away all of them are told so, and nothing is tried twice.</p><p><strong>Rejected.</strong> Waiting a millisecond for more: it would cost every single publish that millisecond. One commit for several accounts: they lie in different partitions, and must not slow one another.</p><p><strong>Consequence.</strong> With twenty at a time Redis spends 12 % less on a delivery and the publishing process 8 %; in memory nothing is gained. Whatever is published together leaves what it would have left one after the other, but for which of two telephone numbers a customer is known by; a property test checks it (<span class="source" title="packages/service/test/publish-together.test.ts">tested</span>).</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/publishing-together.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var publishing_together_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, publishing_together_default as default };
