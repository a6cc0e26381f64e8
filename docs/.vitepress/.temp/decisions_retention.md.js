import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/retention.md
var __pageData = JSON.parse(
  '{"title":"The logs are swept, not expired","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/retention.md","filePath":"docs/decisions/retention.md"}',
);
var _sfc_main = { name: "decisions/retention.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="the-logs-are-swept-not-expired" tabindex="-1">The logs are swept, not expired <a class="header-anchor" href="#the-logs-are-swept-not-expired" aria-label="Permalink to “The logs are swept, not expired”">​</a></h1><p><strong>Context.</strong> Nothing may grow without bound: the log keeps ended deliveries for 30 days and at most a million for each account, and the log of requests 30 days and at most ten thousand. All are options. A delivery that is still to be tried is never removed, however old it is.</p><p><strong>Choice.</strong> The process that works for a partition sweeps it once an hour: one seek for each account, then the oldest rows in windows of a hundred, with a pause of 5 ms between two windows, and after every four accounts. An account whose oldest delivery is young enough costs two reads of one row and its entries in the log&#39;s index. (Sixteen in a row, with a window of rows each, kept the event loop for 20 ms at a time, for a third of a second, in a server with 520 accounts.) Rows are in order of creation, so the first one that is young enough ends the work. How many there are is counted from the log&#39;s index, whose entries have no values, two hundred of them at a time. Then go the <a href="/decisions/record-versions">versions of records</a> that no delivery can name any more: those that were replaced an hour or more before the account&#39;s oldest delivery was made, in order of the time at which they were. Then the requests that are too old to be shown; what is too many of them goes as others are written.</p><p><strong>Rejected.</strong> An expiry on every row, which the storage port offers: on the filesystem it costs one more write for each row, about 3 µs of the 70 that a durable delivery takes, and an account could not be bounded by count. A counter for each account, kept by the commits that record attempts: sums make every commit on the filesystem read its values, and a counter that is wrong once stays wrong. Counting while sweeping costs a second of CPU for a million deliveries, once an hour, in small pieces. Requests had an expiry each, until somebody counted: one that is removed for its number leaves its place among the expiries for what is left of thirty days, so an account that uses its rate limit all day kept ten thousand requests and eight million places.</p><p><strong>Measured.</strong> While 100,000 deliveries leave an account&#39;s log (6 to 9 s), publish to receipt in that account takes what it takes otherwise: in memory 0.3 ms at the median and 2.4 at the 99th percentile, against 0.4 and 2.6 without; on the filesystem 1.8 and 9.7 ms, against 1.9 and 9.4 (<code class="short">npm run bench -- latency</code>).</p><p><strong>Consequence.</strong> Between two sweeps an account may hold more than its limit, and a delivery that is too old is still shown; a request that is too old never is. Console sessions, sign-in and rate limit windows, and monthly counters are few or small, are hardly ever removed before their time, and carry an expiry of their own.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions/retention.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var retention_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, retention_default as default };
