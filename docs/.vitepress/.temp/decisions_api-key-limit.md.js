import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/api-key-limit.md
var __pageData = JSON.parse(
  '{"title":"An account has at most a hundred API keys","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/api-key-limit.md","filePath":"docs/decisions/api-key-limit.md"}',
);
var _sfc_main = { name: "decisions/api-key-limit.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="an-account-has-at-most-a-hundred-api-keys" tabindex="-1">An account has at most a hundred API keys <a class="header-anchor" href="#an-account-has-at-most-a-hundred-api-keys" aria-label="Permalink to “An account has at most a hundred API keys”">​</a></h1><p><strong>Context.</strong> Nothing may grow without bound, and whoever holds a console token can create keys in a loop. The specification limits webhooks to 50 and says nothing of keys.</p><p><strong>Choice.</strong> An account has at most 100 keys that are not revoked. One more is refused with 409 <code class="short">invalid_state</code>, on the console&#39;s route, on the host&#39;s and to an embedding program alike; revoking one makes room. A counter beside the keys is checked and set by the commits that create and revoke them, so that of two requests at once for the last place one is refused. For accounts from before the limit it is counted from the keys, once; those that had more keep them.</p><p><strong>Rejected.</strong> <code class="short">webhook_limit_reached</code> or <code class="short">plan_limit_reached</code>: the 18 public codes have a meaning of their own, and this is neither a webhook nor a matter of the plan. A limit on all keys, revoked ones included: an account that changes its keys every week would come to its end. Counting the keys in each request: revoked ones stay listed, so that would cost more every year.</p><p><strong>Consequence.</strong> Many keys created at once for one account wait for each other, and past fifty conflicts in a row are told to come again (503). Revoked keys stay in the list, which shows when each was used last, until an account has a thousand keys in all: from then on each revocation forgets the one that was revoked longest ago (where there are more, up to a hundred), with everything that leads to it.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/api-key-limit.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var api_key_limit_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, api_key_limit_default as default };
