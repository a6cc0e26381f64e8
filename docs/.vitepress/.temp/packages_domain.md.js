import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderStyle } from "vue/server-renderer";
// packages/domain/README.md
var __pageData = JSON.parse(
  '{"title":"@hookwright/domain","description":"","frontmatter":{},"headers":[],"relativePath":"packages/domain.md","filePath":"packages/domain/README.md"}',
);
var _sfc_main = { name: "packages/domain.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="hookwrightdomain" tabindex="-1">@hookwright/domain <a class="header-anchor" href="#hookwrightdomain" aria-label="Permalink to “@hookwright/domain”">​</a></h1><p>Schemas, event catalogue, error codes, rules and state machines of the integration API: pure, so that time and randomness are arguments and its tests need no mocks.</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> @hookwright/domain</span></span></code></pre></div><div class="language-ts"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> { contactInputSchema, createIdSource, mergeContact, parseInput, renderRecord, eventCatalogue, withoutEmpty } </span><span style="${ssrRenderStyle(
    {
      "--shiki-light": "#c62739",
      "--shiki-dark": "#F97583",
    },
  )}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;@hookwright/domain&quot;</span><span style="${ssrRenderStyle({
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
  })}"> newId</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> createIdSource</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">({</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  now: Date.now,</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">  randomBytes</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: (</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c13617",
    "--shiki-dark": "#FFAB70",
  })}">size</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">) </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=&gt;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> crypto.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">getRandomValues</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">new</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> Uint8Array</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(size)),</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">});</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// A body from outside: what was sent empty counts as left out, all problems come in one message.</span></span>
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
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> { project_id: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;site_1&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, email: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot; Ada@Example.com&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, name: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, tags: [</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;vip&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot; vip &quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">] };</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> { </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">email</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">...</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">fields</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> parseInput</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(contactInputSchema, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">withoutEmpty</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(body));</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> contact</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> { id: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">newId</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;ct&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">), email, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">...</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">mergeContact</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">undefined</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, fields, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;write&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">) };</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">console.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">log</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(contact.email, contact.name, contact.tags); </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// ada@example.com null [ &#39;vip&#39; ]</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// A record from the host: every field of its table, amounts in whole minor units, times in the wire form.</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> { </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">sampleData</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> eventCatalogue[</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;order.paid&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">];</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> order</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> renderRecord</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;order.paid&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, { </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">...</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">sampleData, total: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">0.1</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> +</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> 0.2</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, created_at: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;2026-11-20T10:30:00+01:00&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> });</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">console.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">log</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(order.total, order.created_at); </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// 0.3 2026-11-20T09:30:00Z</span></span></code></pre></div><h2 id="what-is-in-it" tabindex="-1">What is in it <a class="header-anchor" href="#what-is-in-it" aria-label="Permalink to “What is in it”">​</a></h2><table tabindex="0"><thead><tr><th>Part</th><th>Names</th></tr></thead><tbody><tr><td>Errors</td><td><code class="short">errorCatalogue</code> (the 18 public codes with their statuses), <code class="short">HookwrightError</code>, <code class="short">isHookwrightError</code></td></tr><tr><td>Reading input</td><td><code class="short">withoutEmpty</code>, <code class="short">parseInput</code>, <code class="short">findProblems</code>, <code class="short">validationFailed</code>, <code class="short">findNearest</code> (what a misspelt name may have meant); a schema <code class="short">…InputSchema</code> for each body, <code class="short">…Schema</code> and a type for each read shape</td></tr><tr><td>Events</td><td><code class="short">eventNames</code>, <code class="short">isEventName</code>, <code class="short">eventCatalogue</code>, <code class="short">renderRecord</code>, <code class="short">customerOf</code>, <code class="short">bodyId</code>, <code class="short">sampleDeliveryBody</code>, <code class="short">eventTypes</code></td></tr><tr><td>Values</td><td>ids (<code class="short">createIdSource</code>, <code class="short">idTime</code>, <code class="short">isHostId</code>), times (<code class="short">toTimestamp</code>, <code class="short">parseTimestamp</code>, <code class="short">calendarMonth</code>, <code class="short">isTimeZone</code>), money (<code class="short">toMinorUnits</code>, <code class="short">fromMinorUnits</code>), e-mail (<code class="short">normaliseEmail</code>, <code class="short">isEmailAddress</code>)</td></tr><tr><td>State machines</td><td><code class="short">moveWebhook</code>, <code class="short">moveDelivery</code>, <code class="short">moveRotation</code>: one table each, <code class="short">{ ok: true, state }</code> or <code class="short">{ ok: false, reason }</code></td></tr><tr><td>Rules</td><td><code class="short">retryDelayMs</code>, <code class="short">countAttempt</code>, <code class="short">mergeContact</code>, <code class="short">joinSubscriber</code>, <code class="short">joinTags</code>, <code class="short">mergePlan</code>, <code class="short">fitsLimit</code></td></tr></tbody></table><h2 id="what-a-record-may-leave-out" tabindex="-1">What a record may leave out <a class="header-anchor" href="#what-a-record-may-leave-out" aria-label="Permalink to “What a record may leave out”">​</a></h2><p>A field of the specification&#39;s tables is required unless the table says &quot;or null&quot;; left out, it is null. A customer&#39;s phone counts as one of these everywhere; a subscriber&#39;s <code class="short">name</code> and <code class="short">tags</code>, for which no null is known, become <code class="short">&quot;&quot;</code> and <code class="short">[]</code>. Sets that the specification leaves open (<code class="short">status</code>, <code class="short">type</code>, <code class="short">payment_method</code>, <code class="short">payment_status</code>) are any text up to 64 characters that is not blank. Free text may be empty. Times may carry an offset or a fraction of a second and are answered in UTC and whole seconds; lists are ordered by the fraction too, and by arrival where there is none. Fields that the tables do not name are dropped.</p><h2 id="errors" tabindex="-1">Errors <a class="header-anchor" href="#errors" aria-label="Permalink to “Errors”">​</a></h2><p>Everything refused is a <code class="short">HookwrightError</code> with a stable <code class="short">code</code>, an HTTP <code class="short">status</code> and a <code class="short">message</code> that is fit for the client and never repeats what was sent:</p><div class="language-ts"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> { apiKeyInputSchema, isHookwrightError, parseInput } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;@hookwright/domain&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">;</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">try</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> {</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">  parseInput</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(apiKeyInputSchema, { integration: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;yes&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> });</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">} </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">catch</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> (error) {</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">  if</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> (</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">!</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">isHookwrightError</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(error)) </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">throw</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> error;</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  console.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">log</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(error.status, error.code, error.message);</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">  // 422 validation_failed name: is required; integration: must be true or false</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">}</span></span></code></pre></div><p><code class="short">RangeError</code> is left for mistakes in the calling program: a clock that gives no time, a month in no time zone.</p><h2 id="where-it-runs" tabindex="-1">Where it runs <a class="header-anchor" href="#where-it-runs" aria-label="Permalink to “Where it runs”">​</a></h2><p>Everywhere with ES2024 and <code class="short">Intl</code>: Node 22.18 and later, Deno, Bun, Workers, browsers. Its one dependency is zod.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/domain/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var README_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, README_default as default };
