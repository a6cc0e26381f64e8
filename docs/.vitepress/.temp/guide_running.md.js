import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderStyle } from "vue/server-renderer";
// docs/guide/running.md
var __pageData = JSON.parse(
  '{"title":"Running the server","description":"","frontmatter":{},"headers":[],"relativePath":"guide/running.md","filePath":"docs/guide/running.md"}',
);
var _sfc_main = { name: "guide/running.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="running-the-server" tabindex="-1">Running the server <a class="header-anchor" href="#running-the-server" aria-label="Permalink to “Running the server”">​</a></h1><p>The standalone server is for site builders that are not written for Node, and for trying things out. A Node program <a href="/guide/embedding">embeds</a> the library instead, and needs no server.</p><h2 id="the-demo" tabindex="-1">The demo <a class="header-anchor" href="#the-demo" aria-label="Permalink to “The demo”">​</a></h2><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> start</span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">                                  # in a clone</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">npx</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> @hookwright/reference-server</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> serve</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --demo</span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">   # without one, from the first release on</span></span></code></pre></div><p>It seeds an account with two sites and a few records, opens a receiver of its own on this machine, publishes an order, verifies the signature of the delivery that comes back, and prints a key, a login for the <a href="/guide/developer-site">console</a> and three commands to paste. Everything lives in <code class="short">.hookwright</code>; remove the folder to begin afresh. A port that is taken is refused, not avoided: <code class="short">PORT=8080 npm start</code>. So is a folder, or a Redis, where another demo is at work, whatever the role (one that was killed on another machine counts as at work for 20 seconds); a second one beside it needs a port and a storage of its own:</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> start</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> serve</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --demo</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --port</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> 8080</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --storage</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> memory</span></span></code></pre></div><p>In a clone there is no command <code class="short">hookwright</code>: wherever a page or a message says <code class="short">hookwright …</code>, write <code class="short">npm start -- …</code>, as in <code>npm start -- serve --port 8080</code>.</p><h2 id="in-earnest" tabindex="-1">In earnest <a class="header-anchor" href="#in-earnest" aria-label="Permalink to “In earnest”">​</a></h2><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> file:/var/lib/hookwright</span></span></code></pre></div><p>Put a proxy that speaks HTTPS in front, and let it limit <code>POST /console/api/session</code> by address: the server slows sign-ins down for each account, and for each public address that connects to it, but behind a proxy it sees the proxy&#39;s alone and <a href="/decisions/sign-in-limits">trusts no header</a> about others. A limiter in a program of your own reads the path as proxies do before it compares: <code class="short">/console/api/sess%69on</code> is the same path. <code class="short">hookwright serve --help</code> and <a href="/packages/reference-server">the server&#39;s README</a> list every option; each is an environment variable too. What is wrong is refused at start, all of it in one message, with exit code 2. What is merely suspicious is a line of the log with level <code class="short">warn</code>: no host token or a short one, private targets, a variable <code class="short">HOOKWRIGHT_…</code> that does not exist.</p><table tabindex="0"><thead><tr><th>Where data lives</th><th><code class="short">--storage</code></th><th>For</th></tr></thead><tbody><tr><td>memory</td><td><code class="short">memory</code></td><td>tests: it ends with the process</td></tr><tr><td>a directory</td><td><code class="short">file:/var/lib/hookwright</code></td><td>one machine, one or several processes; a local disk, not a network file system</td></tr><tr><td>Redis</td><td><code class="short">redis://…</code>, <code class="short">redis-cluster://h:p,h:p</code>, with TLS <code class="short">rediss://…</code>, <code class="short">rediss-cluster://…</code></td><td>several machines; needs <code class="short">HOOKWRIGHT_SECRET</code>, the same everywhere, and a Redis that keeps its data</td></tr></tbody></table><h3 id="the-secret" tabindex="-1">The secret <a class="header-anchor" href="#the-secret" aria-label="Permalink to “The secret”">​</a></h3><p>Signing secrets are sealed, and cursors made, with <code class="short">HOOKWRIGHT_SECRET</code>. Without it one is made at the first start and kept as <code class="short">secret</code> in the data directory, readable by its owner alone. Back it up with the data: without it stored signing secrets cannot be read, and every webhook would have to be made anew.</p><h3 id="as-a-service" tabindex="-1">As a service <a class="header-anchor" href="#as-a-service" aria-label="Permalink to “As a service”">​</a></h3><div class="language-ini"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">ini</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">[Unit]</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">Description</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=Hookwright</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">After</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=network-online.target</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">Wants</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=network-online.target</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">[Service]</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">ExecStart</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=/usr/bin/hookwright serve --storage file:/var/lib/hookwright</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">EnvironmentFile</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=/etc/hookwright.env</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">User</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=hookwright</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">StateDirectory</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=hookwright</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">Restart</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=always</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">TimeoutStopSec</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=20</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">[Install]</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">WantedBy</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">=multi-user.target</span></span></code></pre></div><p><code class="short">command -v hookwright</code> tells the path for <code class="short">ExecStart</code>, and <code>useradd --system hookwright</code> makes the user. <code class="short">/etc/hookwright.env</code> has one variable a line, without <code class="short">export</code>, and is for root alone to read (mode 0600): <code class="short">HOOKWRIGHT_HOST_TOKEN=…</code>, and <code class="short">HOOKWRIGHT_SECRET=…</code> where the data is in Redis.</p><p>Each attempt under way has a connection, of which there may be 4,096, and 1,024 more wait for the next. Let the process have 8,192 files open (<code class="short">ulimit -Hn</code>; systemd&#39;s own limit is higher). Where it may have fewer, attempts take half of them at most, so that the API finds some to take connections with, and a warning says so at the start. Should none be left all the same, attempts that find none are made later, count for nothing, and are a fault in the log.</p><p>Services and containers start the command itself, such as <code>node_modules/.bin/hookwright</code>, and not <code class="short">npx hookwright</code>: a SIGTERM ends npx alone, and the server goes on without it. (Ctrl-C reaches both.)</p><p>SIGTERM stops it in good order: no new connections, attempts under way end (12 s at most, longer than the time-out of 10) and are recorded, so do requests (14 s), exit code 0. That is so too while the storage does not answer: after 15 s at the latest it ends with 0, one warning says how many attempts were not recorded, and the next process sends those again. What is killed instead loses nothing that was acknowledged; attempts under way at that moment may be sent a second time.</p><h3 id="in-a-container" tabindex="-1">In a container <a class="header-anchor" href="#in-a-container" aria-label="Permalink to “In a container”">​</a></h3><ul><li><strong><code class="short">HOST=0.0.0.0</code></strong>, since nobody outside reaches a container&#39;s 127.0.0.1.</li><li><strong>The data on a volume</strong>, such as <code>HOOKWRIGHT_STORAGE=file:/data</code>, on a local disk, which the container&#39;s user may write to.</li><li><strong>20 seconds to stop</strong> (<code class="short">docker stop -t 20</code>, <code>terminationGracePeriodSeconds: 20</code>): Docker&#39;s own 10 are less than what may be under way. It is fit to be process 1.</li><li><strong>One container for a directory.</strong> A second one with the same directory <a href="/operations/storage#filesystem">would wait in silence</a> until the first has ended, also while one version takes over from another: stop the old one first, or use Redis.</li></ul><h3 id="more-than-one-process" tabindex="-1">More than one process <a class="header-anchor" href="#more-than-one-process" aria-label="Permalink to “More than one process”">​</a></h3><p>Processes on one storage share the deliveries by leases and take over from one that died within 20 seconds. <code class="short">--role api</code> serves and delivers nothing, <code class="short">--role worker</code> delivers and serves <code class="short">/healthz</code>, <code class="short">/readyz</code> and <code class="short">/metrics</code> alone, so that the two can be scaled apart.</p><h3 id="backup-and-moving-house" tabindex="-1">Backup, and moving house <a class="header-anchor" href="#backup-and-moving-house" aria-label="Permalink to “Backup, and moving house”">​</a></h3><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> backup</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --storage</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> file:/var/lib/hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --to</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> /backup/monday</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> export</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --storage</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> file:/var/lib/hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --account</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> acc_bakery</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --to</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> bakery.ndjson</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> import</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --storage</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> redis://127.0.0.1:6379</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> bakery.ndjson</span></span></code></pre></div><p><code class="short">backup</code> copies a data directory while servers work in it; the copy is itself a data directory. <code class="short">export</code> and <code class="short">import</code> move one account between storages of any kind, under the same <code class="short">HOOKWRIGHT_SECRET</code>; suspend the account first, leave it suspended in the old place, and set it to active in the new one: else both deliver. <code class="short">--help</code> behind each tells the rest.</p><h3 id="watching-it" tabindex="-1">Watching it <a class="header-anchor" href="#watching-it" aria-label="Permalink to “Watching it”">​</a></h3><table tabindex="0"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td><code class="short">GET /healthz</code></td><td>200 while the process is up</td></tr><tr><td><code class="short">GET /readyz</code></td><td>200 while the storage answers and the scheduler runs, else 503</td></tr><tr><td><code class="short">GET /metrics</code></td><td>Prometheus text, for whoever holds the host token; <a href="/operations/monitoring">monitoring</a> names them all</td></tr><tr><td>log</td><td>one line each on standard output, JSON unless it is a terminal; no line holds a key, a token or a secret</td></tr></tbody></table><p>Mails (a webhook that fails, one that was switched off) go out over <code class="short">SMTP_URL</code>; without it each is a log line with <code class="short">&quot;msg&quot;:&quot;mail&quot;</code>. A mail that the server does not take is tried three times more, the last time after eleven minutes; then a line says <code class="short">a mail was given up</code>.</p><h2 id="telling-it-what-happens" tabindex="-1">Telling it what happens <a class="header-anchor" href="#telling-it-what-happens" aria-label="Permalink to “Telling it what happens”">​</a></h2><p>Whoever holds the host token keeps accounts and publishes events under <code class="short">/host/v1</code>. From nothing to a published event:</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">host</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">() { </span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">curl</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> -sw</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;\\n&#39;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> -X</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">\$1</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;http://127.0.0.1:3000/host/v1/</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">\$2</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> \\</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">  -H</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;Authorization: Bearer </span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">\$HOOKWRIGHT_HOST_TOKEN</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> -H</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;Content-Type: application/json&#39;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> -d</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">\$3</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">; }</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">host</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> PUT</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> accounts/acc_bakery</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;{&quot;name&quot;:&quot;Bakery&quot;,&quot;email&quot;:&quot;owner@example.com&quot;}&#39;</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">host</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> PUT</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> projects/site_shop</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;{&quot;account_id&quot;:&quot;acc_bakery&quot;,&quot;name&quot;:&quot;Shop&quot;,&quot;timezone&quot;:&quot;Europe/London&quot;}&#39;</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">host</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> accounts/acc_bakery/api-keys</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;{&quot;name&quot;:&quot;First&quot;}&#39;</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">host</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> events</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;{&quot;event&quot;:&quot;review.submitted&quot;,&quot;project_id&quot;:&quot;site_shop&quot;,&quot;data&quot;:{</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">  &quot;id&quot;:&quot;rev_1&quot;,&quot;rating&quot;:5,&quot;title&quot;:&quot;Worth the walk&quot;,&quot;content&quot;:&quot;The crust is perfect.&quot;,&quot;status&quot;:&quot;pending&quot;,</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">  &quot;verified_purchase&quot;:true,&quot;customer&quot;:{&quot;name&quot;:&quot;Ada Lovelace&quot;,&quot;email&quot;:&quot;ada@example.com&quot;},</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">  &quot;product&quot;:{&quot;id&quot;:&quot;prd_9&quot;,&quot;name&quot;:&quot;Sourdough loaf&quot;},&quot;created_at&quot;:&quot;2026-11-20T09:30:00Z&quot;}}&#39;</span></span></code></pre></div><p>A <code class="short">PUT</code> merges: what is left out stays. <code class="short">POST events</code> also takes an array of up to 1,000, and answers for each of them. Publishing an event again for the same record updates the record and sends nothing, so a call whose answer was lost can simply be repeated.</p><h2 id="trying-webhooks-on-your-own-machine" tabindex="-1">Trying webhooks on your own machine <a class="header-anchor" href="#trying-webhooks-on-your-own-machine" aria-label="Permalink to “Trying webhooks on your own machine”">​</a></h2><p>Private addresses and <code class="short">http:</code> are refused as targets. For a trial:</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">a-token-for-this-trial</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> serve</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --private-targets</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> allow</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --retry-delays</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> 1,2,4</span></span></code></pre></div><p>It says so loudly at start, and refuses to with <code class="short">NODE_ENV=production</code>. <a href="/guide/receiving">Receiving</a> has a receiver to point it at.</p><p>To see what becomes of each delivery, look at it in the console. The account needs a password for that, which is set like everything else of it; with <code class="short">host</code> as above, and the same token in that terminal:</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">host</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> PUT</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> accounts/acc_bakery</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &#39;{&quot;name&quot;:&quot;Bakery&quot;,&quot;email&quot;:&quot;owner@example.com&quot;,&quot;password&quot;:&quot;correct horse battery&quot;}&#39;</span></span></code></pre></div><p>Open <a href="http://127.0.0.1:3000/console" target="_blank" rel="noreferrer">http://127.0.0.1:3000/console</a>, sign in as <code class="short">owner@example.com</code>, create a webhook that leads to your receiver, and publish. <em>Deliveries</em> shows every attempt: what was sent, what was answered or why nothing was, and when the next one is due. <a href="/guide/developer-site">The developer site</a> tells the rest.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/guide/running.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var running_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, running_default as default };
