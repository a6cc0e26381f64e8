import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/value-checks.md
var __pageData = JSON.parse(
  '{"title":"A commit checks values, not versions","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/value-checks.md","filePath":"docs/decisions/value-checks.md"}',
);
var _sfc_main = { name: "decisions/value-checks.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="a-commit-checks-values-not-versions" tabindex="-1">A commit checks values, not versions <a class="header-anchor" href="#a-commit-checks-values-not-versions" aria-label="Permalink to “A commit checks values, not versions”">​</a></h1><p><strong>Context.</strong> Several things must hold for what was read when something is written: fifty webhooks at most, one contact for an address, one holder of a lease, a counter of failures that two deliveries end at once. A store therefore needs conditional commits. Deno KV, FoundationDB and etcd give every entry a version, and a commit checks that the versions are still the ones that were read.</p><p><strong>Choice.</strong> A check names a key and the text that must be stored there; <code class="short">undefined</code> stands for &quot;absent&quot;. The commit happens if every check holds, at one moment, and is refused as a whole with the first one that does not.</p><p><strong>Why.</strong> Whoever decides by what was read has the text in hand anyway. So <code class="short">get</code> answers a text and not a pair, and an adapter keeps the text and nothing beside it: in memory a check is a comparison of two strings, in Redis a <code class="short">GET</code> inside the script, and an adapter for a store without versions (an object store, a file) has nothing to invent.</p><p><strong>Rejected.</strong> Versions: eight to ten bytes for each of millions of rows, another field in every answer of a list, and a rule for what a version is after a deletion, or after data was moved to another storage. Transactions with locks: they do not cross a network well, and a holder that dies holds them.</p><p><strong>Consequence.</strong></p><ul><li><em>A value that changed and changed back passes</em> (the ABA problem). It is harmless where the decision depends on the value alone, as all of ours do: fifty webhooks are fifty, whoever was there in between. Where &quot;the same value again&quot; would be wrong, something in the value grows: a lease has a fencing token, the set of an account&#39;s webhooks has a guard that counts.</li><li>Checks of long texts cost their length. Rows that are checked are short by design; what is long (a record, the attempts of a delivery) is guarded by a short one.</li><li>Two writers of one row cannot both win, and the loser reads again: <code class="short">commitUntilDone</code> in <code class="short">@hookwright/service</code>. Writers that only add use <code class="short">sum</code>, which needs no check.</li></ul></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/value-checks.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var value_checks_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, value_checks_default as default };
