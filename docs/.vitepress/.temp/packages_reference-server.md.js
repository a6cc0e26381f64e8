import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderStyle } from "vue/server-renderer";
// reference-server/README.md
var __pageData = JSON.parse(
  '{"title":"@hookwright/reference-server","description":"","frontmatter":{},"headers":[],"relativePath":"packages/reference-server.md","filePath":"reference-server/README.md"}',
);
var _sfc_main = { name: "packages/reference-server.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="hookwrightreference-server" tabindex="-1">@hookwright/reference-server <a class="header-anchor" href="#hookwrightreference-server" aria-label="Permalink to “@hookwright/reference-server”">​</a></h1><p>The standalone Hookwright server: the integration API and its signed webhooks as one process, with a command line.</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> install</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --global</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> @hookwright/reference-server</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> serve</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --demo</span></span></code></pre></div><p>The demo makes an account with two sites and a few records, subscribes a receiver of its own on this machine, publishes an order, verifies the signature of the delivery that comes back, and prints how long that took. Then it prints a login, an API key and three commands to paste. Everything lives in <code class="short">.hookwright</code>; a second start uses it again, with a new key and a new password. While a demo runs, a second one there is refused: give it <code class="short">--storage</code> and <code class="short">--port</code> of its own.</p><p>In earnest, without an example account:</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">export</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> HOOKWRIGHT_HOST_TOKEN</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;\$(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">openssl</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> rand </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">-base64</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> 32</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">)&quot;</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> serve</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --host</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> 0.0.0.0</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --storage</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> file:/var/lib/hookwright</span></span></code></pre></div><p>The host token opens <code class="short">/host/v1</code>, over which a site builder keeps its accounts and publishes events. A program written for Node can embed the package <code class="short">hookwright</code> instead, and needs no server.</p><h2 id="options" tabindex="-1">Options <a class="header-anchor" href="#options" aria-label="Permalink to “Options”">​</a></h2><p>A flag wins over its variable. A variable that is set but empty counts as unset. <code class="short">hookwright serve --help</code> prints this table.</p><table tabindex="0"><thead><tr><th>Flag</th><th>Variable</th><th>Default</th><th>What it is</th></tr></thead><tbody><tr><td><code class="short">--port</code></td><td><code class="short">PORT</code></td><td><code class="short">3000</code></td><td><code class="short">0</code> takes a free port, and the log names it</td></tr><tr><td><code class="short">--host</code></td><td><code class="short">HOST</code></td><td><code class="short">127.0.0.1</code></td><td><code class="short">0.0.0.0</code> listens on all addresses</td></tr><tr><td><code class="short">--storage</code></td><td><code class="short">HOOKWRIGHT_STORAGE</code></td><td><code class="short">file:.hookwright</code></td><td><code class="short">memory</code>, <code class="short">file:DIR</code>, <code class="short">redis://…</code>, <code>redis-cluster://host:port,host:port</code>, or with TLS <code class="short">rediss://…</code>, <code class="short">rediss-cluster://…</code></td></tr><tr><td></td><td><code class="short">HOOKWRIGHT_REDIS_CA</code></td><td>those Node trusts</td><td>file (PEM) with the authority of the certificate that a Redis over TLS shows</td></tr><tr><td></td><td><code class="short">HOOKWRIGHT_REDIS_CERT</code>, <code class="short">HOOKWRIGHT_REDIS_KEY</code></td><td>none</td><td>files (PEM) with the certificate that Redis asks of its clients, and its private key</td></tr><tr><td><code class="short">--role</code></td><td><code class="short">HOOKWRIGHT_ROLE</code></td><td><code class="short">all</code></td><td><code class="short">api</code> delivers nothing; <code class="short">worker</code> delivers, and serves the operations routes alone</td></tr><tr><td></td><td><code class="short">HOOKWRIGHT_SECRET</code></td><td>made once</td><td>at least 32 characters; seals signing secrets and cursors; required with Redis</td></tr><tr><td></td><td><code class="short">HOOKWRIGHT_HOST_TOKEN</code></td><td>none</td><td>opens the host API; unset, there is none</td></tr><tr><td><code class="short">--retry-delays</code></td><td><code class="short">HOOKWRIGHT_RETRY_DELAYS</code></td><td><code class="short">15,60,240,540,900</code></td><td>seconds between tries, each from 0.05 to 86400</td></tr><tr><td><code class="short">--attempt-timeout</code></td><td><code>HOOKWRIGHT_ATTEMPT_TIMEOUT</code></td><td><code class="short">10</code></td><td>seconds an endpoint has to answer, from 0.1 to 60</td></tr><tr><td><code class="short">--private-targets</code></td><td><code>HOOKWRIGHT_PRIVATE_TARGETS</code></td><td><code class="short">deny</code></td><td><code class="short">allow</code> permits private addresses and <code class="short">http:</code>; refused when <code class="short">NODE_ENV=production</code></td></tr><tr><td></td><td><code class="short">SMTP_URL</code></td><td>none</td><td><code>smtp://user:password@host:587</code>; unset, each mail is a log line</td></tr><tr><td></td><td><code class="short">HOOKWRIGHT_MAIL_FROM</code></td><td>the user of <code class="short">SMTP_URL</code> where that is an address, else <code class="short">hookwright@</code> its host</td><td>sender of mails</td></tr><tr><td></td><td><code class="short">HOOKWRIGHT_RATE_LIMIT</code></td><td><code class="short">200</code></td><td>requests of each account in any 60 s</td></tr><tr><td></td><td><code class="short">HOOKWRIGHT_CONSOLE_TTL</code></td><td><code class="short">3600</code></td><td>seconds that a console token lives</td></tr><tr><td></td><td><code>HOOKWRIGHT_RETENTION_DAYS</code></td><td><code class="short">30</code></td><td>days that ended deliveries and requests stay in their logs</td></tr><tr><td></td><td><code class="short">HOOKWRIGHT_METRICS</code></td><td><code class="short">token</code></td><td><code class="short">public</code> opens <code class="short">/metrics</code> to everybody</td></tr><tr><td></td><td><code class="short">HOOKWRIGHT_LOG</code></td><td><code class="short">pretty</code> on a terminal, else <code class="short">json</code></td><td>form of log lines</td></tr><tr><td><code class="short">--demo</code></td><td></td><td>off</td><td>needs role <code class="short">all</code></td></tr></tbody></table><h2 id="other-commands" tabindex="-1">Other commands <a class="header-anchor" href="#other-commands" aria-label="Permalink to “Other commands”">​</a></h2><table tabindex="0"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td><code>hookwright backup --storage file:DIR --to DIR</code></td><td>copies a data directory as it is at one moment, while servers work in it; overwrites nothing</td></tr><tr><td><code>hookwright export --storage … --account ID [--to FILE]</code></td><td>writes one account with everything it has, as lines of JSON; suspend it first, and leave it so</td></tr><tr><td><code>hookwright import --storage … [--from FILE]</code></td><td>reads that into another storage; never touches an account that is there</td></tr></tbody></table><p><code class="short">--help</code> behind each says more, and so does <a href="/operations/storage">Where the data is</a>. What was done goes to standard error; <code class="short">-</code> is standard output and input.</p><h2 id="the-secret" tabindex="-1">The secret <a class="header-anchor" href="#the-secret" aria-label="Permalink to “The secret”">​</a></h2><p>Without <code class="short">HOOKWRIGHT_SECRET</code> one is made at the first start and kept in the data directory as <code class="short">secret</code>, readable by its owner alone. Back it up with the data: signing secrets sealed with a lost one cannot be read again. In memory it lives as long as the data does.</p><h2 id="stopping" tabindex="-1">Stopping <a class="header-anchor" href="#stopping" aria-label="Permalink to “Stopping”">​</a></h2><p>SIGTERM and SIGINT: the server takes no more connections, lets attempts (12 s at most, longer than their time-out of 10) and requests (14 s) under way end, records them, gives back its leases and leaves with 0. A second signal more than a second later ends it at once.</p><h2 id="errors" tabindex="-1">Errors <a class="header-anchor" href="#errors" aria-label="Permalink to “Errors”">​</a></h2><p>What is wrong with the command line or the environment is told in one message that names every option concerned, the value (unless it is secret) and what is allowed. A variable <code class="short">HOOKWRIGHT_…</code> that does not exist is named in the log, with the one that may be meant.</p><table tabindex="0"><thead><tr><th>Exit code</th><th>Meaning</th></tr></thead><tbody><tr><td>0</td><td>stopped as told</td></tr><tr><td>1</td><td>cannot listen there, or cannot use the storage; another demo runs on it; a backup, export or import was refused. The message says what to do</td></tr><tr><td>2</td><td>an option, a variable or a command that is not understood</td></tr><tr><td>130, 143</td><td>ended at once by a second signal</td></tr></tbody></table><p>Log lines go to standard output, refusals to start to standard error. No line holds a key, a token or a secret; the demo&#39;s own are printed once, beside the log.</p><h2 id="where-it-runs" tabindex="-1">Where it runs <a class="header-anchor" href="#where-it-runs" aria-label="Permalink to “Where it runs”">​</a></h2><p>Node 22.18 and later, on Linux, macOS and Windows. The data directory must be on a local disk.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference-server/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var README_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, README_default as default };
