import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/idle-server.md
var __pageData = JSON.parse(
  '{"title":"What a server takes that has nothing to do","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/idle-server.md","filePath":"docs/decisions/idle-server.md"}',
);
var _sfc_main = { name: "decisions/idle-server.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="what-a-server-takes-that-has-nothing-to-do" tabindex="-1">What a server takes that has nothing to do <a class="header-anchor" href="#what-a-server-takes-that-has-nothing-to-do" aria-label="Permalink to “What a server takes that has nothing to do”">​</a></h1><p><strong>Context.</strong> Many run a server for a shop that sells twice a day. It is to take less than 1 % of a core and 120 MB. It took 0.6 % in memory, 1.1 % on the filesystem and 1.9 % on Redis, and 107, 126 and 128 MB; half of that time went into waking up.</p><p><strong>Choice.</strong></p><ul><li><em>Fewer wake-ups.</em> Every second each of 64 partitions is looked into for what no wake-up told of: 128 seeks, nearly all of which find nothing. They were made four at a time, with a rest of four milliseconds, and on Redis in 64 round trips one after the other. Now sixteen partitions are looked into together, and thirty-two seeks follow each other (<span class="source" title="packages/delivery/src/scheduler/partitions/look-around.ts"><code class="short">look-around.ts</code></span>, <span class="source" title="packages/delivery/src/scheduler/scanning/scan-pace.ts"><code class="short">scan-pace.ts</code></span>): 34 wake-ups a second became 6 in memory (9 with eight partitions and sixteen seeks), and 164 became 13 on Redis (35). There seeks in one turn of the event loop are one call of a script: of one partition at first, of all that are looked into together since. That took a quarter off (1.4 and 1.1 % before, 1.0 and 0.85 % after, in turns of forty seconds, one after the other), sixteen partitions another quarter (0.97 and 0.67 % before, 0.60 and 0.57 % after). Thirty-two seeks take 300 µs, as long as one delivery that comes alone. Since <a href="/decisions/troubled-webhooks#looking-around-less">retries are looked for every thirty-two seconds</a>, 64 seeks are left of the 128.</li><li><em>A small young generation until it is busy.</em> What a program loads lives as long as it does, and V8 takes that for a sign that the young generation needs room: it grew to 16 MB while the server started, and nothing makes it shrink where nothing happens. It may not grow before the event loop has been busy for more than half of the time, three seconds in a row, but for <a href="/decisions/troubled-webhooks#half-the-pace-beside-others">four megabytes where it has some work</a> (<span class="source" title="reference-server/src/heap-settings.ts"><code class="short">heap-settings.ts</code></span>). Starting takes as long as before; under load it grows within milliseconds then. Where it stays small, <a href="/decisions/troubled-webhooks#what-the-last-hundredth-waits-for">each cleaning is short</a>.</li></ul><p><strong>Rejected.</strong> <em>A collection once it listens</em>: V8 keeps the pages. <em>A smaller young generation for good</em>: <a href="/decisions/throughput">a delivery costs a quarter more</a>. <em>Looking around less often</em>: work that another process left without a word would wait longer.</p><p><strong>Consequence.</strong> On two cores: 0.20 to 0.45, 0.30 to 0.65 and 0.50 to 0.75 % of a core, by what else the machine does, and 95, 115 and 105 MB on Node 26, of which some 60 are Node&#39;s own program (<code class="short">npm run bench -- idle</code>). On the filesystem it grows by 6 to 10 MB more over two minutes, until V8 cleans up what looking around has left, and begins anew.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/idle-server.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var idle_server_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, idle_server_default as default };
