import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderStyle } from "vue/server-renderer";
// docs/contributing.md
var __pageData = JSON.parse(
  '{"title":"Contributing","description":"","frontmatter":{},"headers":[],"relativePath":"contributing.md","filePath":"docs/contributing.md"}',
);
var _sfc_main = { name: "contributing.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="contributing" tabindex="-1">Contributing <a class="header-anchor" href="#contributing" aria-label="Permalink to “Contributing”">​</a></h1><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">git</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> clone</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> &lt;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">this</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> repositor</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">y</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">&gt;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> &amp;&amp; </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">cd</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> hookwright</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">npm</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> test</span></span></code></pre></div><p>Node 18 or newer and npm are all it takes: what else is needed is fetched into your cache the first time (<a href="/decisions/bootstrap">why</a>). If <code class="short">npm test</code> is green, you are set up. It takes 10 to 15 minutes on two cores; <code class="short">npm run check</code> proves all but the tests in one or two, and <code>npm test -- packages/cursor</code> runs those of a folder.</p><h2 id="the-tree" tabindex="-1">The tree <a class="header-anchor" href="#the-tree" aria-label="Permalink to “The tree”">​</a></h2><div class="language-"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang"></span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span>packages/</span></span>
<span class="line"><span>  signature/    sign and verify; no dependency, every runtime</span></span>
<span class="line"><span>  cursor/       opaque, authenticated pagination cursors</span></span>
<span class="line"><span>  domain/       schemas, events, error codes, pure rules and state machines</span></span>
<span class="line"><span>  storage/      the store port, its adapters, and the contract suite</span></span>
<span class="line"><span>  delivery/     outbox, scheduler, attempts, transport, delivery log</span></span>
<span class="line"><span>  service/      the use cases over storage</span></span>
<span class="line"><span>  api/          the HTTP side: routes, checks, OpenAPI</span></span>
<span class="line"><span>  console/      the developer site: src/ runs in the server, site/ in browsers</span></span>
<span class="line"><span>  client/       the typed client of /v1, for every runtime</span></span>
<span class="line"><span>  msw/          mocks for other people&#39;s tests, held to the service by a parity test</span></span>
<span class="line"><span>  hookwright/   all of it composed: createHookwright()</span></span>
<span class="line"><span>reference-server/   the command line and the standalone server; end-to-end benches</span></span>
<span class="line"><span>docs/           guides, decisions, and examples/, each started by a test</span></span>
<span class="line"><span>scripts/        what npm start, npm test and the others run; bootstrap/ fetches tools, checks/ proves the layering</span></span></code></pre></div><p>Imports point downward only:</p><div class="language-"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang"></span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span>reference-server → hookwright → console, api → service → delivery → storage, signature, domain</span></span></code></pre></div><p><code class="short">signature</code>, <code class="short">cursor</code> and <code class="short">storage</code> import nothing of ours, <code class="short">domain</code> knows zod and no Node, <code class="short">client</code> imports types of <code class="short">domain</code> alone. <code class="short">npm run check -- imports</code> proves it, and that there are no circles. Inside a package import the file you mean, between packages the package by its name.</p><p>The folders directly under a package&#39;s <code class="short">src</code> need each other one way as well, for types too; a file that lies there counts as a folder of its own. The check names the folders of a circle and the imports that close it. Mend it by moving what both need below both. In <code class="short">packages/service/src</code>, from the ground up:</p><table tabindex="0"><thead><tr><th>Folder</th><th>What is in it</th></tr></thead><tbody><tr><td><code class="short">use-cases.ts</code></td><td>the types of all that the package does</td></tr><tr><td><code class="short">rows/</code></td><td>what is stored: keys, rows, how they are parsed, and how the API shows them</td></tr><tr><td><code class="short">store/</code></td><td>how a store is worked with: commits that are repeated, pages, indexes</td></tr><tr><td><code class="short">lookups/</code></td><td>what many use cases begin with: whose a site is, which webhooks listen, whether an account may send</td></tr><tr><td><code class="short">context.ts</code></td><td>what every use case is given</td></tr><tr><td><code class="short">limits/</code>, <code class="short">notices/</code></td><td>what stands beside the use cases: rates, the request log, mails</td></tr><tr><td><code class="short">deliveries/</code>, <code class="short">webhooks/</code>, <code class="short">records/</code>, <code class="short">publishing/</code>, <code class="short">audience/</code>, <code class="short">content/</code>, <code class="short">accounts/</code>, <code class="short">console/</code></td><td>the use cases</td></tr><tr><td><code class="short">repositories/</code></td><td>the use cases of contacts, orders and blog posts that a host keeps in its own database</td></tr><tr><td><code class="short">transfer/</code></td><td>an account&#39;s rows, to be moved to another storage</td></tr><tr><td><code class="short">create-service.ts</code></td><td>all of it composed</td></tr></tbody></table><p>The folders in <code>packages/delivery/src/scheduler</code> need each other one way as well, though no check looks there. From the ground up:</p><table tabindex="0"><thead><tr><th>Folder</th><th>What is in it</th></tr></thead><tbody><tr><td><code class="short">lanes/</code></td><td>the queue of each webhook, as far as it is in memory: the room it has earned, and whose turn is next</td></tr><tr><td><code class="short">leases/</code></td><td>which partitions this worker may work for, beside other workers</td></tr><tr><td><code class="short">turns/</code></td><td>a delivery&#39;s turn: begun, prepared, attempted, and what came of it</td></tr><tr><td><code class="short">recording/</code></td><td>turns made durable, many in one commit</td></tr><tr><td><code class="short">scanning/</code></td><td>the store looked into for work that nobody has handed over in memory</td></tr><tr><td><code class="short">partitions/</code></td><td>what is done for those that are held: taken, looked into, given up</td></tr><tr><td><code class="short">scheduler.ts</code></td><td>all of it composed, started and closed</td></tr></tbody></table><h2 id="commands" tabindex="-1">Commands <a class="header-anchor" href="#commands" aria-label="Permalink to “Commands”">​</a></h2><table tabindex="0"><thead><tr><th>Command</th><th>What it does</th></tr></thead><tbody><tr><td><code class="short">npm start</code></td><td>the demo; <code class="short">npm start -- serve …</code> the server, with arguments passed on</td></tr><tr><td><code class="short">npm test</code></td><td>everything the CI runs: build, types, lint, format, imports, tests, packages, unused</td></tr><tr><td><code>npm test -- packages/cursor</code></td><td>the tests of a folder or a file alone</td></tr><tr><td><code class="short">npm run check</code></td><td>all steps but the tests; <code>npm run check -- types lint</code> those two</td></tr><tr><td><code>npm run bench -- delivery</code></td><td>a bench, with its budgets; without a name all of them</td></tr><tr><td><code class="short">npm run build</code></td><td>every package with its declarations</td></tr><tr><td><code class="short">npm run pack</code></td><td>the packages as they are published, in <code class="short">packed/</code>, and how to install them from there</td></tr><tr><td><code class="short">npm run docs</code></td><td>the documentation as a site, while you write it; <code class="short">npm run docs -- build</code> makes it, in <code class="short">docs/.vitepress/dist</code></td></tr><tr><td><code class="short">npm run format</code></td><td>the formatter</td></tr><tr><td><code class="short">npm run changeset</code></td><td>a note for the change log</td></tr></tbody></table><p>Benches compare with something measured in the same run (a bare loop, another library), since figures from two machines cannot be compared. What delivers does so in a process of its own, contender by contender.</p><h2 id="from-an-error-to-its-code" tabindex="-1">From an error to its code <a class="header-anchor" href="#from-an-error-to-its-code" aria-label="Permalink to “From an error to its code”">​</a></h2><p>An answer that says <code class="short">internal_error</code> has an <code class="short">X-Request-Id</code>, and the line of the log with that <code class="short">request_id</code> holds the stack; with <code>NODE_OPTIONS=--enable-source-maps npm start</code> it names the sources in place of <code class="short">dist/</code>. Any other message stands in the code as it reads, but for the names in it: search for some words in a row, as in <code>git grep &quot;is no address of this machine&quot;</code>. Who throws it says with which <code class="short">code</code>, and its test says when.</p><h2 id="adding-things" tabindex="-1">Adding things <a class="header-anchor" href="#adding-things" aria-label="Permalink to “Adding things”">​</a></h2><p><strong>A field or a rule</strong> belongs into <code class="short">packages/domain</code>: a schema, or a pure function. Time and randomness are arguments.</p><p><strong>A route</strong> is three things: a use case in <code class="short">packages/service/src</code> (with its type in <code class="short">use-cases.ts</code>), a <code class="short">define…Route</code> in <code class="short">packages/api/src/routes</code>, and its place in <code class="short">routes/select-routes.ts</code>. The OpenAPI document is made of the same definition: <code class="short">summary</code>, <code class="short">query</code>, <code class="short">body</code>, <code class="short">answers</code> and <code class="short">refusals</code> (the error codes it may answer beyond those of every route). Tests: the answer, each refusal, and the order of checks.</p><p><strong>An event</strong> is a name in <code>domain/src/events/event-names.ts</code>, a schema with a sample in a file of its own beside it, and an entry in <code class="short">event-catalogue.ts</code>; <code class="short">customer-of.ts</code> if its record adds to contacts; and its type for receivers in <code>signature/src/event-data.ts</code> and <code class="short">webhook-event.ts</code>. Everything else (publishing, delivering, samples, documentation) reads the catalogue.</p><p><strong>A storage adapter</strong> is one file in <code class="short">storage/src</code> that answers the port (<code class="short">port.ts</code>), with a folder of its own beside it, an entry in <code class="short">exports</code> and <code class="short">tsup.config.ts</code>, and two lines of test:</p><div class="language-ts"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> { runStoreContract } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;@hookwright/storage/contract&quot;</span><span style="${ssrRenderStyle({
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
  })}">await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> runStoreContract</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(({ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c13617",
    "--shiki-dark": "#FFAB70",
  })}">now</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }) </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=&gt;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> memoryStore</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">({ now })); </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// yours in its place</span></span></code></pre></div><p>What only your adapter has to promise (crashes, faults of its server) gets tests of its own.</p><p><strong>A dependency</strong> needs a line in <a href="/decisions/dependencies">decisions/dependencies.md</a>, which a test asks for. Prefer none.</p><p><strong>A decision</strong> that somebody will question gets a page in <span class="source" title="docs/decisions">decisions/</span>: context, choice, rejected options, consequence.</p><h2 id="tests" tabindex="-1">Tests <a class="header-anchor" href="#tests" aria-label="Permalink to “Tests”">​</a></h2><ul><li>A name states behaviour: &quot;a read concurrent with a write never sees half of it&quot;. One reason to fail each.</li><li>Real parts: a real Redis, real sockets, real TLS, a real <code class="short">kill -9</code>. What is made up is the clock, chance, and other people&#39;s servers.</li><li>Nothing sleeps for time to pass: a fake clock, or waiting for the event. Nothing stays behind: no timer, socket, lease, process or file. Files of most packages <span class="source" title="vitest.config.ts">share a process</span> with others: what asks the process itself, for its sockets or its memory, belongs into a package whose files have one each.</li><li>Where there is an invariant there is a property (fast-check), beside the examples. What holds of deliveries as a whole is held against whole random histories: <span class="source" title="packages/hookwright/test/simulation.test.ts"><code class="short">simulation</code></span>. After a change to the scheduler, the leases, retention or publishing, run it with <code class="short">SIMULATIONS=1000</code> once; <code class="short">-t &quot;weeks pass&quot;</code> leaves out the other kinds. What the API answers is held against itself over every storage, and against the mock, by random histories of requests: <span class="source" title="packages/hookwright/test/differential.test.ts"><code class="short">differential</code></span> (<code class="short">DIFFERENTIALS=100</code>), <span class="source" title="packages/msw/test/random-parity.test.ts"><code class="short">random-parity</code></span> (<code class="short">PARITIES=1000</code>).</li><li>A fixed bug gets a test that failed before. Having written a test, break the code once and see it go red.</li><li>Programs that tests drive (<code class="short">python3</code>, <code class="short">redis-server</code>, <code class="short">chromium</code>) are found on the path. In CI (<code class="short">CI=true</code>) a missing one is a failure, never a skip. What receivers run is judged on <code class="short">deno</code>, <code class="short">bun</code> and <code class="short">workerd</code> where they are found. With <code>HOOKWRIGHT_TEST_APPS=true</code> the examples for Next, Nitro and Nuxt are built into servers, with the frameworks from npm&#39;s registry; the CI does it. The storage contract runs on <code class="short">valkey-server</code> too where it is found; <code>REDIS_SERVER=valkey-server</code> runs all Redis suites on it.</li></ul><p>Examples in READMEs and guides are tests as well. Every <code class="short">ts</code> block runs by itself, imports included, with what its package depends on; a comment behind a <code class="short">console.log</code> must be what it prints; all of them type-check. A block that cannot run says <code class="short">\`\`\`ts no-run: why</code>. One that shows a file says <code>\`\`\`ts file=docs/examples/…</code>, and must be equal to it.</p><h2 id="style" tabindex="-1">Style <a class="header-anchor" href="#style" aria-label="Permalink to “Style”">​</a></h2><ul><li>A file is named after the one thing it exports, in kebab-case, and is 30 to 150 lines long unless one algorithm is longer.</li><li>Plain functions with an options object. Effects come in by name: <code class="short">now</code>, <code class="short">random</code>, <code class="short">fetch</code>, <code class="short">logger</code>.</li><li>Words are spelled out, and are those of the field: endpoint, attempt, lease, fencing token, backoff, keyset, outbox. Units stand in names: <code class="short">timeoutMs</code>.</li><li>Parse at the edge, trust inside. No <code class="short">any</code>, no <code class="short">!</code>, no <code class="short">as</code> that silences.</li><li>Expected outcomes are values; refused input and faults throw the package&#39;s one error, with a literal <code class="short">code</code> and a message that says what to do.</li><li>Comments say why: the constraint, the attack, the option that was rejected. Never what the next line does.</li></ul><h2 id="commits" tabindex="-1">Commits <a class="header-anchor" href="#commits" aria-label="Permalink to “Commits”">​</a></h2><p><code>fix(signature): refuse timestamps with trailing text</code>. A change that users notice comes with a changeset that tells them the symptom, not the code. All packages are released together, under one version.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/contributing.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var contributing_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, contributing_default as default };
