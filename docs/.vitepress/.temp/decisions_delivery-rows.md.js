import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/delivery-rows.md
var __pageData = JSON.parse(
  '{"title":"Where a delivery lives","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/delivery-rows.md","filePath":"docs/decisions/delivery-rows.md"}',
);
var _sfc_main = { name: "decisions/delivery-rows.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="where-a-delivery-lives" tabindex="-1">Where a delivery lives <a class="header-anchor" href="#where-a-delivery-lives" aria-label="Permalink to “Where a delivery lives”">​</a></h1><p><strong>Context.</strong> An accepted delivery must be found by id, listed newest first, filtered by webhook, event, status, site and kind, found by record, retried in order of due time, and taken in turn per webhook. Done with one row and one index entry for each of these, a delivery costs about twenty writes. On the durable store each write is one to two microseconds of the main thread, and the whole budget of a delivery is about thirty.</p><p><strong>Choice.</strong> A delivery that was never tried <em>is</em> its entry in the queue of its webhook. Its first attempt moves it to a row of its own, which holds all attempts and is keyed by an id that is ordered by time: that row is the list. One log entry has every filter in its key (<code>event, webhook, site, status, kind, id</code>); open filters are skipped over, fixed ones sought, and the sorted runs merged. An accepted delivery so costs one write to publish and three to record. Orders do the same with three entries for the sixteen combinations of their four filters.</p><p><strong>Rejected.</strong> One index for each filter and intersection at read time: more writes, and a sparse intersection still scans. A background indexer: the log would lag behind what was acknowledged. Rows with the names of their fields: beside the 460 bytes of an accepted delivery the names would be 300 more, so a row is an array. The bodies that were sent, and the headers: <a href="/decisions/record-versions">the row names what they were made of</a>.</p><p><strong>Consequence.</strong> Reading a filtered page costs a seek or two for each existing combination of the filters left open (webhooks × sites × statuses), and some hundreds of entries, whatever the number of rows; the log without a filter is read from the rows themselves. Finding a delivery by id before its first attempt looks into the account&#39;s queues, at most one for each webhook.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/delivery-rows.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var delivery_rows_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, delivery_rows_default as default };
