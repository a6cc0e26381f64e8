import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/sign-in-limits.md
var __pageData = JSON.parse(
  '{"title":"Sign-ins are slowed down by account, and by who is at the other end","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/sign-in-limits.md","filePath":"docs/decisions/sign-in-limits.md"}',
);
var _sfc_main = { name: "decisions/sign-in-limits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="sign-ins-are-slowed-down-by-account-and-by-who-is-at-the-other-end" tabindex="-1">Sign-ins are slowed down by account, and by who is at the other end <a class="header-anchor" href="#sign-ins-are-slowed-down-by-account-and-by-who-is-at-the-other-end" aria-label="Permalink to “Sign-ins are slowed down by account, and by who is at the other end”">​</a></h1><p><strong>Context.</strong> <code>POST /console/api/session</code> is open to everybody. Five failures a minute for one e-mail address slow down who guesses one account&#39;s password, and not who tries a common password on many accounts.</p><p><strong>Choice.</strong> Beside it, 30 failures a minute from one network: an IPv4 address, or a <code class="short">/64</code> of IPv6. It counts in the memory of the process, for at most 10,000 networks; of more, the one that failed longest ago is forgotten. Successes do not count. Who is refused by it uses up no account&#39;s tries. Both answer 429 <code class="short">rate_limited</code> with <code class="short">Retry-After</code>. The count by e-mail address stays in the storage, for all processes together. A try is counted before its password is looked at; where all five are taken by tries of the same process that are not judged yet, the next one waits for them, since right ones give their place back. And a process derives one password at a time, with 32 waiting at the most.</p><p>Only the connection&#39;s own address counts, and only a public one.</p><p><strong>Rejected.</strong> <code class="short">X-Forwarded-For</code> and its like: whoever connects can write them, so each guess could come from somebody else. A setting that names trusted proxies: the proxy that the server stands behind limits by address already, or can. Counting private and loopback addresses: behind a proxy on the same machine or network all people have one address, and thirty wrong passwords from one of them would keep the others out. Counting in the storage: a write for each guess, at a price that the guesser sets.</p><p><strong>Consequence.</strong> Behind a proxy with a private address this limit does nothing, and the proxy should have one of its own. Behind one with a public address (a content delivery network) its users share the 30.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/sign-in-limits.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var sign_in_limits_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, sign_in_limits_default as default };
