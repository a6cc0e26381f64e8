import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderStyle } from "vue/server-renderer";
// docs/guide/developer-site.md
var __pageData = JSON.parse(
  '{"title":"The developer site","description":"","frontmatter":{},"headers":[],"relativePath":"guide/developer-site.md","filePath":"docs/guide/developer-site.md"}',
);
var _sfc_main = { name: "guide/developer-site.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="the-developer-site" tabindex="-1">The developer site <a class="header-anchor" href="#the-developer-site" aria-label="Permalink to “The developer site”">​</a></h1><p>Two pages come with the API, below the path it is mounted at. They are there as soon as it is, in an embedding program as in the standalone server, and need nothing else: no build, no service, no request to any other origin.</p><table tabindex="0"><thead><tr><th>Page</th><th>For</th></tr></thead><tbody><tr><td><code class="short">/console</code></td><td>owners of accounts: webhooks, the delivery log, API keys, recent requests</td></tr><tr><td><code class="short">/reference</code></td><td>whoever writes against the API: every operation of <code class="short">/v1</code> with its fields and errors, to try with a key</td></tr></tbody></table><h2 id="who-may-sign-in-to-the-console" tabindex="-1">Who may sign in to the console <a class="header-anchor" href="#who-may-sign-in-to-the-console" aria-label="Permalink to “Who may sign in to the console”">​</a></h2><p>The owner of an account, with its e-mail address and a password that you set:</p><div class="language-ts"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">import</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> { createHookwright } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;hookwright&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">;</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">import</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> { memoryStore } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;@hookwright/storage/memory&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">;</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> createHookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">({</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  store: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">memoryStore</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(),</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  secret: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;use 32 random characters or more&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">,</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">});</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> hookwright.accounts.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">put</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;acc_bakery&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, {</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  name: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;Analytical Bakery&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">,</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  email: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;owner@example.com&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">,</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  password: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;correct horse battery&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">,</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">});</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> page</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> hookwright.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">fetch</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">new</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> Request</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;http://localhost/console&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">));</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">console.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">log</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(page.status, page.headers.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">get</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;content-type&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">)); </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// 200 text/html; charset=utf-8</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> hookwright.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">close</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">();</span></span></code></pre></div><p>Over HTTP it is <code>PUT /host/v1/accounts/{id}</code> with a <code class="short">password</code>. An account without a password has no console. <code class="short">npm start</code> prints the login of the demo account.</p><p>A password may be as short as you let it be: your program has a policy of its own, and this one does not judge by another. It may be 1,000 characters long, so that nobody has the key derivation chew on megabytes.</p><p>Accounts may share an e-mail address: one person may own several, and only your program knows whether that is meant. The console signs in to the one whose password it is, the first by its id where they share that too; of more than eight with one address, eight are tried, since each costs a key derivation. So give each a password of its own.</p><p>The console has a login of its own: it knows nothing of the session people have with your site builder.</p><h2 id="what-the-console-can-do" tabindex="-1">What the console can do <a class="header-anchor" href="#what-the-console-can-do" aria-label="Permalink to “What the console can do”">​</a></h2><ul><li><strong>Webhooks</strong>: create one (its signing secret is shown this once), pause, resume, turn on after a switch-off, delete. <em>Send test</em> sends a sample record and shows what was sent and what came back. <em>Rotate signing secret</em> goes from one secret to the next without a gap: deliveries keep the current one, tests are signed with the new one, and you finish when your endpoint accepts both.</li><li><strong>Deliveries</strong>: every attempt of every delivery, with the headers and the body that were sent, the answer and why it did not count. Filters are in the address, so a search can be passed on. <em>Resend</em> sends the record as it is now.</li><li><strong>Requests</strong>: what your keys asked of <code class="short">/v1</code> and what was answered, with the request id that is in each answer&#39;s <code class="short">X-Request-Id</code>; the console&#39;s own calls are in it too, as <code class="short">console</code>. The path is kept and the query is not, which may hold personal data.</li><li><strong>API keys</strong>: create one (shown this once), revoke one. Its webhooks go with it.</li></ul><p>A secret that is shown once stays on the screen until you say that you have stored it, wherever you have gone by then. A demo account sees everything and changes nothing. The session lives as long as the tab, an hour by default (<code class="short">consoleTokenSeconds</code>).</p><h2 id="mounting" tabindex="-1">Mounting <a class="header-anchor" href="#mounting" aria-label="Permalink to “Mounting”">​</a></h2><p>Everything the pages load is named relative to them, so they work below any path: <code>basePath: &quot;/integrations&quot;</code> serves them at <code class="short">/integrations/console</code>, and <code>app.use(&quot;/integrations&quot;, hookwright.handler)</code> does without being told. Requests that are tried in the reference go where the page came from. <code class="short">/v1/openapi.json</code> names as its server what Express, or an app of h3, has mounted the API at; elsewhere give the <a href="/guide/embedding#the-base-path">base path</a>. The reference&#39;s link to the console opens a tab of its own, where you sign in.</p><p>They are served with a strict <code class="short">Content-Security-Policy</code>: nothing but this server&#39;s own scripts, no frames, no other origins. A proxy in front should leave that header alone. Over plain HTTP, unless it is from the same machine, browsers have no clipboard; then <em>Copy</em> selects the text instead.</p><p><code>createHookwright({ …, developerSite: false })</code> serves neither page. The console&#39;s API under <code class="short">/console/api</code> is part of the API and stays. A process with <code class="short">role: &quot;worker&quot;</code> serves no pages.</p><h2 id="bundlers" tabindex="-1">Bundlers <a class="header-anchor" href="#bundlers" aria-label="Permalink to “Bundlers”">​</a></h2><p>The files of both pages are modules of <code class="short">@hookwright/console</code>, each loaded with the first request for it, so a bundler (Next, Nitro) carries them along; tried with Next 16, also as a standalone output, Nitro 2 and 3. <code class="short">handler</code> and <code class="short">app</code> send them compressed, and so does <code class="short">fetch</code> in Nitro 3. Elsewhere <code class="short">fetch</code> gives them to the framework as they are, which may compress them.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    "docs/guide/developer-site.md",
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var developer_site_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, developer_site_default as default };
