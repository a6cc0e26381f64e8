import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/published-text.md
var __pageData = JSON.parse(
  '{"title":"Free text of a published record may be empty","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/published-text.md","filePath":"docs/decisions/published-text.md"}',
);
var _sfc_main = { name: "decisions/published-text.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="free-text-of-a-published-record-may-be-empty" tabindex="-1">Free text of a published record may be empty <a class="header-anchor" href="#free-text-of-a-published-record-may-be-empty" aria-label="Permalink to “Free text of a published record may be empty”">​</a></h1><p><strong>Context.</strong> What a body sends empty (<code class="short">&quot;&quot;</code>, white space, <code class="short">null</code>, <code class="short">[]</code>) counts as left out, and a required field that is left out is refused. The tables of the records that a host publishes say <code class="short">string</code> of most fields, without &quot;or null&quot;: the title of a review, the way an order is shipped, each line of an address, a customer&#39;s name. A shop that sells downloads has no <code class="short">shipping_method</code>, and a review may have a text and no title. Its host has nothing but <code class="short">&quot;&quot;</code> to say so.</p><p><strong>Choice.</strong> In the <code class="short">data</code> of an event free text may be empty, and is delivered as it was sent. What identifies a record or is filtered by (<code class="short">id</code>, <code class="short">number</code>, <code class="short">status</code>, <code class="short">currency</code>, e-mail addresses, dates and times) may not. Fields that may be <code class="short">null</code> may be left out or sent empty, and are <code class="short">null</code> then. In every other body a required field that was sent empty is refused.</p><p><strong>Rejected.</strong> <em>Refusing it:</em> the event would be lost to everybody who listens, for a blank that its host cannot fill. <em><code class="short">null</code> in its place:</em> receivers were told that it is text.</p><p><strong>Consequence.</strong> A receiver may find <code class="short">&quot;&quot;</code> where its table says <code class="short">string</code> (<span class="source" title="packages/domain/test/render-record.test.ts">tested</span>).</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/published-text.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var published_text_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, published_text_default as default };
