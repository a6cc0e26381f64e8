import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/account-export.md
var __pageData = JSON.parse(
  '{"title":"An account is moved as its rows, with its secrets sealed","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/account-export.md","filePath":"docs/decisions/account-export.md"}',
);
var _sfc_main = { name: "decisions/account-export.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="an-account-is-moved-as-its-rows-with-its-secrets-sealed" tabindex="-1">An account is moved as its rows, with its secrets sealed <a class="header-anchor" href="#an-account-is-moved-as-its-rows-with-its-secrets-sealed" aria-label="Permalink to “An account is moved as its rows, with its secrets sealed”">​</a></h1><p><strong>Context.</strong> An account has to move between storages: from a directory to Redis when one machine is no longer enough, or away to another installation. It has signing secrets, which are sealed by the server secret (AES-256-GCM), and API keys, of which only fingerprints are kept.</p><p><strong>Choice.</strong> <code class="short">hookwright export</code> writes the rows of the account as the storage holds them, one JSON line each, between a header with the format and a last line with their number and SHA-256. Signing secrets stay sealed. The header has a check value of the server secret (HKDF, one way), and <code class="short">hookwright import</code> refuses a file with signing secrets under another one, before it writes anything.</p><p>An account that is there is refused, not merged and not overwritten. An import that was interrupted goes on where it stopped: how far it has come is written in the same commit as the rows, and the account&#39;s own row comes last but for the waiting deliveries, so nobody sees, or is sent, a half.</p><p><strong>Why.</strong></p><ul><li><em>Sealed:</em> the file passes through disks, pipes and mail. Whoever gets it can read personal data, which is bad, but cannot sign in the name of the account, which is worse. Receivers go on with the secrets they have.</li><li><em>Rows, not resources:</em> an export of API answers would lose what the API does not tell (fingerprints, queues, counters, order of arrival), so keys would stop working and deliveries would be lost or sent again.</li><li><em>Read twice:</em> a storage promises no view of one moment over many rows. Reading again and comparing costs no lock and no memory, and tells when the account was not at rest.</li></ul><p><strong>Rejected.</strong></p><ul><li><em>Sealing anew for the new server secret:</em> the command would have to be given both secrets, or the file would hold readable ones on the way. Moving to another installation without sharing a secret is rare; rotating the signing secrets there does it.</li><li><em>A password on the file:</em> it would protect against the same thing as <code class="short">gpg</code> or <code class="short">age</code> does, less well known and less well looked at.</li><li><em>Merging with an account that is there:</em> two histories of one webhook have no right answer.</li><li><em>One transaction for all:</em> no storage takes a million rows in one commit.</li></ul><p><strong>Consequence.</strong> Rows are the format: a later version that changes how a row is stored reads the older ones, as it has to in a storage anyway. A new kind of row that lies outside the account&#39;s partition, or expires, has to be named in <code class="short">account-rows.ts</code> of <code class="short">@hookwright/service</code>; a test fails until it is.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/decisions/account-export.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var account_export_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, account_export_default as default };
