import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderStyle } from "vue/server-renderer";
// README.md
var __pageData = JSON.parse(
  '{"title":"Hookwright","description":"","frontmatter":{},"headers":[],"relativePath":"index.md","filePath":"README.md"}',
);
var _sfc_main = { name: "index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="hookwright" tabindex="-1">Hookwright <a class="header-anchor" href="#hookwright" aria-label="Permalink to “Hookwright”">​</a></h1><p><strong>The integration API and signed webhooks of a site builder, as a library for your Node server, or as a server of its own.</strong></p><p>A site builder (shops, bookings, rentals, newsletters, blogs) opens itself to other tools in two ways: a JSON API under <code class="short">/v1</code>, and webhooks that are signed, pushed to subscribed HTTPS URLs the moment something happens, retried, logged and resent. Hookwright is that layer. It keeps its data in memory, in a directory or in Redis, and needs no other service.</p><p>See it work. All you need is Node 18 or newer, and at the first start a connection to the npm registry (embedding the packages in a program of yours needs Node 22.18 or newer):</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">npm</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> start</span></span></code></pre></div><p>This starts a server with a demo account, publishes an order, delivers it signed to a receiver on your machine, verifies it, and prints what happened, with three commands to try next:</p><div class="language-"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang"></span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span>  ✓ Signed delivery sent and verified in 7.1 ms</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  event      order.created</span></span>
<span class="line"><span>  delivery   dlv_01a1fbe5334a7dcd8ed3dbc963d8e6dc</span></span>
<span class="line"><span>  answer     204, signature verified</span></span></code></pre></div><ul><li><strong>Your site builder runs on Node?</strong> <a href="/guide/embedding">Embed it</a>: Node <code class="short">http</code>, Express, Fastify, h3, Nitro and Nuxt, Hono, Next. Contacts, orders and posts may stay <a href="/guide/own-data">in your own database</a>.</li><li><strong>It does not?</strong> <a href="/guide/running">Run the server</a> and tell it what happens over HTTP.</li><li><strong>You want to see what is going on?</strong> <code class="short">npm start</code>, then open <a href="/guide/developer-site"><code class="short">/console</code> and <code class="short">/reference</code></a>: webhooks, every attempt of every delivery, keys, and the API to try.</li><li><strong>You receive webhooks?</strong> <a href="/guide/receiving">Verify them</a> in 1.5 KB of JavaScript, on Node, Deno, Bun, Workers and in browsers, or with one function to copy for Python or Go.</li><li><strong>You want to know what you can rely on?</strong> <a href="/guide/guarantees">What is promised</a>, and what is not, each with the test that shows it.</li></ul><h2 id="what-it-promises" tabindex="-1">What it promises <a class="header-anchor" href="#what-it-promises" aria-label="Permalink to “What it promises”">​</a></h2><ul><li><strong>Nothing acknowledged is lost.</strong> A publish writes the record and all its deliveries in one atomic commit. Kill the process at any moment: what was acknowledged is delivered, or its fate is in the log. A <span class="source" title="reference-server/test/crash.test.ts">test</span> does this with <code class="short">kill -9</code>, a hundred times in CI.</li><li><strong>Every delivery is signed</strong>, <code class="short">HMAC-SHA256</code> over <code class="short">{timestamp}.{raw body}</code>, and verified by one call, or by <span class="source" title="packages/signature/test/other-languages/verify.py">a dozen lines of Python</span>: the <span class="source" title="packages/signature/test-vectors.json">test vectors</span> are JSON.</li><li><strong>No webhook waits behind another.</strong> Each has its own queue and its own share of connections, and they take turns.</li><li><strong>No request reaches an address that was not checked</strong> at that very connection: private networks, rebinding DNS names and every spelling of <code class="short">127.0.0.1</code> are refused.</li></ul><h2 id="embed-it" tabindex="-1">Embed it <a class="header-anchor" href="#embed-it" aria-label="Permalink to “Embed it”">​</a></h2><div class="language-ts"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
    "--shiki-light": "#c62739",
    "--shiki-dark": "#E1E4E8",
  })}"> { createHookwright } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;hookwright&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#E1E4E8",
  })}">;</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
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
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#E1E4E8",
  })}">({</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#E1E4E8",
  })}">  store</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">memoryStore</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(),</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#E1E4E8",
  })}">  secret</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#E1E4E8",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;use 32 random characters or more&quot;</span><span style="${ssrRenderStyle({
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
  })}">, { name: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;Analytical Bakery&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, email: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;owner@example.com&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> });</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> hookwright.projects.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">put</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;site_shop&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, { account_id: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;acc_bakery&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, name: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;Shop&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, timezone: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;Europe/London&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> });</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> { </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">api_key</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> hookwright.apiKeys.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">create</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;acc_bakery&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, { name: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;My first key&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> });</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// hookwright.handler goes into http.createServer or Express, hookwright.fetch into everything that speaks Request.</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> response</span><span style="${ssrRenderStyle({
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
  })}">(</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">  new</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> Request</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;http://localhost/v1/projects&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, { headers: { authorization: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">\`Bearer \${</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">api_key</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">}\`</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> } }),</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">);</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">console.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">log</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(response.status); </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// 200</span></span>
<span class="line"></span>
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
  })}">();</span></span></code></pre></div><h2 id="receive-webhooks" tabindex="-1">Receive webhooks <a class="header-anchor" href="#receive-webhooks" aria-label="Permalink to “Receive webhooks”">​</a></h2><div class="language-ts"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> { sign, verify } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;@hookwright/signature&quot;</span><span style="${ssrRenderStyle({
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
  })}"> secret</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;whsec_example&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">;</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> body</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> JSON</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">stringify</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">({</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  id: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;order.created_ord_1&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">,</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  event: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;order.created&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">,</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  project: { id: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;site_shop&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, name: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;Shop&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, timezone: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;Europe/London&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> },</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  data: { id: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;ord_1&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> },</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">});</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> timestamp</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> Math.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">floor</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(Date.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">now</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">() </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">/</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> 1000</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">);</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> headers</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> {</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">  &quot;x-service-timestamp&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">String</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(timestamp),</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">  &quot;x-service-signature&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> sign</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">({ body, secret, timestamp }),</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">};</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> event</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> verify</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">({ body, headers, secrets: secret }); </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// throws with a stable \`code\` when it is not genuine</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">console.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">log</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(event.id); </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// order.created_ord_1</span></span></code></pre></div><h2 id="run-it" tabindex="-1">Run it <a class="header-anchor" href="#run-it" aria-label="Permalink to “Run it”">​</a></h2><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">HOOKWRIGHT_HOST_TOKEN</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">a-token-for-this-trial</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> npm</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> start</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> serve</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --storage</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> file:./data</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --port</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> 8080</span></span></code></pre></div><p>Whoever has the host token keeps accounts and publishes events, which nobody can without one. Make an account in another terminal:</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">curl</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> -X</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> PUT</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> http://127.0.0.1:8080/host/v1/accounts/acc_bakery</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> -H</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;Authorization: Bearer a-token-for-this-trial&#39;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> \\</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">  -H</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;Content-Type: application/json&#39;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> -d</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;{&quot;name&quot;:&quot;Bakery&quot;,&quot;email&quot;:&quot;owner@example.com&quot;,&quot;password&quot;:&quot;correct horse battery&quot;}&#39;</span></span></code></pre></div><p>With that e-mail and password you are in at <a href="http://127.0.0.1:8080/console" target="_blank" rel="noreferrer">http://127.0.0.1:8080/console</a>. A site, an API key and an event <a href="/guide/running#telling-it-what-happens">come next</a>.</p><p>In a clone there is no command <code class="short">hookwright</code>: wherever a page or a message says <code class="short">hookwright …</code>, write <code class="short">npm start -- …</code>, as in <code class="short">npm start -- --help</code>. Every option is also an environment variable; <a href="/packages/reference-server">reference-server</a> lists them, and <a href="/guide/running">running the server</a> tells the rest.</p><h2 id="before-the-first-release" tabindex="-1">Before the first release <a class="header-anchor" href="#before-the-first-release" aria-label="Permalink to “Before the first release”">​</a></h2><p>The packages are not on the npm registry yet, so <code class="short">npm install hookwright</code> and <code>npx @hookwright/reference-server</code> find nothing there. Until then a clone makes them:</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">npm</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> run</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> pack</span></span></code></pre></div><p>builds all packages, packs them into <code class="short">packed/</code>, and prints the commands that install them from there. (<code class="short">npm pack</code> in a folder is no way: its tarballs say <code class="short">workspace:</code>, which npm refuses.)</p><h2 id="packages" tabindex="-1">Packages <a class="header-anchor" href="#packages" aria-label="Permalink to “Packages”">​</a></h2><table tabindex="0"><thead><tr><th>Package</th><th>What it is</th></tr></thead><tbody><tr><td><a href="/packages/hookwright"><code class="short">hookwright</code></a></td><td>All of it composed, to embed</td></tr><tr><td><a href="/packages/signature"><code class="short">@hookwright/signature</code></a></td><td>Sign and verify deliveries; no dependency, every runtime</td></tr><tr><td><a href="/packages/cursor"><code class="short">@hookwright/cursor</code></a></td><td>Opaque, authenticated pagination cursors</td></tr><tr><td><a href="/packages/domain"><code class="short">@hookwright/domain</code></a></td><td>Schemas, events, error codes, rules, state machines</td></tr><tr><td><a href="/packages/storage"><code class="short">@hookwright/storage</code></a></td><td>The store port, its adapters, and the contract suite for yours</td></tr><tr><td><a href="/packages/delivery"><code class="short">@hookwright/delivery</code></a></td><td>Outbox, scheduler, attempts, delivery log</td></tr><tr><td><a href="/packages/service"><code class="short">@hookwright/service</code></a></td><td>The use cases over storage</td></tr><tr><td><a href="/packages/api"><code class="short">@hookwright/api</code></a></td><td>The HTTP API</td></tr><tr><td><a href="/packages/console"><code class="short">@hookwright/console</code></a></td><td>The developer site: web console and interactive reference</td></tr><tr><td><a href="/packages/client"><code class="short">@hookwright/client</code></a></td><td>A typed client of the API: lists as async iterators, retries, errors by their code</td></tr><tr><td><a href="/packages/msw"><code class="short">@hookwright/msw</code></a></td><td>Mocks for your tests: the API, signed deliveries, a receiver</td></tr><tr><td><a href="/packages/reference-server"><code class="short">reference-server</code></a></td><td>The command line and the standalone server</td></tr></tbody></table><h2 id="contribute" tabindex="-1">Contribute <a class="header-anchor" href="#contribute" aria-label="Permalink to “Contribute”">​</a></h2><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">npm</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> test</span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">                     # build, types, lint, layers, tests over real sockets and servers, packages: 10 to 15 minutes</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">npm</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> run</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> bench</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> delivery</span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">    # deliveries per second against a bare loop, with the budgets</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">npm</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> run</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> bench</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> verify</span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">      # verifications per second against node:crypto, stripe and standardwebhooks</span></span></code></pre></div><p><a href="/contributing">docs/contributing.md</a> tells the rest, and <span class="source" title="docs/decisions">docs/decisions</span> why things are as they are. MIT licence.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var README_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, README_default as default };
