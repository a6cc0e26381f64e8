import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/reading-records.md
var __pageData = JSON.parse(
  '{"title":"Records that are right are read without zod\'s explanations","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/reading-records.md","filePath":"docs/decisions/reading-records.md"}',
);
var _sfc_main = { name: "decisions/reading-records.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="records-that-are-right-are-read-without-zods-explanations" tabindex="-1">Records that are right are read without zod&#39;s explanations <a class="header-anchor" href="#records-that-are-right-are-read-without-zods-explanations" aria-label="Permalink to “Records that are right are read without zod&#39;s explanations”">​</a></h1><p><strong>Context.</strong> What a host publishes is read by a <a href="https://zod.dev" target="_blank" rel="noreferrer">zod</a> schema: it refuses what is wrong with the name of every field, gives records the shape the API answers, and describes them in the OpenAPI document. To be able to explain, zod makes a payload and a list of issues for every field. An order has some forty; reading one took 2.7 µs and 8 KB of memory, a tenth of a delivery, and nearly every record that comes in is right.</p><p><strong>Choice.</strong> <span class="source" title="packages/domain/src/quick-reader.ts"><code class="short">quickReaderOf(schema)</code></span> makes a reader of the schema&#39;s own parts, with the schema&#39;s own checks. It answers exactly what the schema would, or that it has not read the value; then the schema judges. There is one set of rules, and what is said about a wrong record is always zod&#39;s. Reading an order takes 1.0 µs and 2 KB.</p><p><strong>Rejected.</strong> A validator written by hand beside each schema: two sets of rules drift apart. Another library that compiles its schemas: zod is what the public types are made of. No check where the host is trusted: the data ends up in other people&#39;s systems, signed by us.</p><p><strong>Consequence.</strong> Objects are compiled with <code class="short">new Function</code>, as zod compiles its own; the source holds the names of the schema&#39;s fields and nothing else. Where a policy forbids that, or a schema has a part the reader does not know, the schema does all the work. For every event, values with random changes are read by both, and the results compared (<span class="source" title="packages/domain/test/quick-reader.test.ts">tested</span>).</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/reading-records.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var reading_records_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, reading_records_default as default };
