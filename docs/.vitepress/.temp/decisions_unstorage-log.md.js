import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/unstorage-log.md
var __pageData = JSON.parse(
  '{"title":"Over unstorage, a log of what keys hold","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/unstorage-log.md","filePath":"docs/decisions/unstorage-log.md"}',
);
var _sfc_main = { name: "decisions/unstorage-log.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="over-unstorage-a-log-of-what-keys-hold" tabindex="-1">Over unstorage, a log of what keys hold <a class="header-anchor" href="#over-unstorage-a-log-of-what-keys-hold" aria-label="Permalink to “Over unstorage, a log of what keys hold”">​</a></h1><p><strong>Context.</strong> <code>@hookwright/storage/unstorage</code> has to give order, atomic commits of several keys and checks over drivers that have none of them, and to lose nothing whatever call the process dies in. unstorage&#39;s file driver overwrites in place, its answers to failures differ from driver to driver, and a remote one may carry out a call long after it was given up.</p><p><strong>Choice.</strong> All rows in memory; a redo log, one item for a group of commits; parts and a manifest as checkpoints. In particular:</p><ul><li><em>The log says what keys hold afterwards</em>, not what was done to them (<code class="short">sum</code> is logged as its result). Replaying an item twice then ends where replaying it once does. So a checkpoint needs no moment at which everything stands still: each part is taken from memory when there is somebody to write it, and the log from the checkpoint&#39;s beginning is replayed over all of them.</li><li><em>Visible when written.</em> A group is judged against memory and against itself, written, and only then applied. What fails was never seen, and nothing was built on it.</li><li><em>No name is written twice.</em> A failed item&#39;s number is not used again; the next item names the last one that counts as its predecessor. What a failed or late call has left behind is recognised: nothing names it, or something later names what is before it. Overwriting the failed item, the obvious way, lets a write that arrives late destroy one that was acknowledged.</li><li><em>Damage is judged by who built on it.</em> A damaged item that nobody names was not acknowledged. One that is named is a hole, and opening is refused.</li><li><em>Sessions.</em> Names end with the session that wrote them, which sorts later than all before it. Two processes that write at once make two branches; a branch of one item is a late write, a longer one is refused.</li></ul><p><strong>Rejected.</strong> A key of the storage for each row: no atomicity, no order, a million items. One snapshot for everything: a write of the whole state at each checkpoint, and a pause to take it. Locking by an item alone: without conditional writes no lock is certain, so the lease is backed by looking again before an acknowledgement that comes late.</p><p><strong>Consequence.</strong> Memory bounds the data, one process bounds the throughput. A checkpoint rewrites what changed, so random changes all over a large state write each row about three times. Who outgrows that moves the accounts to the filesystem or Redis, with <code class="short">hookwright export</code>.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/unstorage-log.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var unstorage_log_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, unstorage_log_default as default };
