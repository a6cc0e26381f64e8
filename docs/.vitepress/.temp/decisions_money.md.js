import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/money.md
var __pageData = JSON.parse(
  '{"title":"Money passes through minor units","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/money.md","filePath":"docs/decisions/money.md"}',
);
var _sfc_main = { name: "decisions/money.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="money-passes-through-minor-units" tabindex="-1">Money passes through minor units <a class="header-anchor" href="#money-passes-through-minor-units" aria-label="Permalink to “Money passes through minor units”">​</a></h1><p><strong>Context.</strong> Amounts are JSON numbers on the wire. Binary floating point makes <code class="short">0.1 + 0.2</code> into <code class="short">0.30000000000000004</code>, and a half cent is no amount.</p><p><strong>Choice.</strong> Every amount that is published is turned into a whole number of minor units of its currency (the exponent is <code class="short">Intl</code>&#39;s) and back. What has more decimals than its currency is refused, with the field named; binary noise is dropped. The record is then kept as the JSON text it is sent as, so a delivery splices text instead of parsing and rendering 1 KiB.</p><p><strong>Rejected.</strong> Storing minor units and converting at every attempt and every read: the same result for five microseconds more each time. Strings on the wire: the specification says numbers.</p><p><strong>Consequence.</strong> Arithmetic on amounts, should any be needed, uses <code class="short">toMinorUnits</code> first; no amount is ever added as a float.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions/money.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var money_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, money_default as default };
