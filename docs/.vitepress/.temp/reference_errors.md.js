import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderStyle } from "vue/server-renderer";
// docs/reference/errors.md
var __pageData = JSON.parse(
  '{"title":"Errors","description":"","frontmatter":{},"headers":[],"relativePath":"reference/errors.md","filePath":"docs/reference/errors.md"}',
);
var _sfc_main = { name: "reference/errors.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="errors" tabindex="-1">Errors <a class="header-anchor" href="#errors" aria-label="Permalink to “Errors”">​</a></h1><p>A request that fails is answered with a 4xx or 5xx status and this body:</p><div class="language-json"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">json</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;success&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">false</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;error&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: { </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;code&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;validation_failed&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;message&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;email: must be an e-mail address&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> } }</span></span></code></pre></div><p>Branch on <code class="short">code</code>: codes never change. <code class="short">message</code> is for people, names every field that is wrong, and may be reworded. Every answer carries <code class="short">X-Request-Id</code>; quote it when you ask for help.</p><table tabindex="0"><thead><tr><th>Code</th><th>Status</th><th>When</th><th>What to do</th></tr></thead><tbody><tr><td><a href="#missing_api_key"><code class="short">missing_api_key</code></a></td><td>401</td><td>No key was sent, or no token to the host API, the console API or <code class="short">/metrics</code>.</td><td>Send <code>Authorization: Bearer &lt;API_KEY&gt;</code>, or the token that the message names.</td></tr><tr><td><a href="#invalid_api_key"><code class="short">invalid_api_key</code></a></td><td>401</td><td>The key is unknown or revoked.</td><td>Create another key; do not try again with this one.</td></tr><tr><td><a href="#account_unavailable"><code class="short">account_unavailable</code></a></td><td>403</td><td>The account is suspended.</td><td>Ask the account&#39;s owner; nothing of the set-up is lost.</td></tr><tr><td><a href="#plan_required"><code class="short">plan_required</code></a></td><td>403</td><td>The plan does not include integrations, or the CRM for contacts.</td><td>Ask the owner to change the plan.</td></tr><tr><td><a href="#plan_limit_reached"><code class="short">plan_limit_reached</code></a></td><td>403</td><td>A limit of the plan is reached: new subscribers this month, or blog posts of a site.</td><td>Wait for the next month, or a larger plan.</td></tr><tr><td><a href="#rate_limited"><code class="short">rate_limited</code></a></td><td>429</td><td>More requests in 60 seconds than the server allows an account: 200, unless it is set otherwise (<code class="short">RateLimit-Policy</code> tells it). In the console also: too many sign-ins, or a fifth test while four wait for their answers.</td><td>Wait as many seconds as <code class="short">Retry-After</code> says.</td></tr><tr><td><a href="#not_found"><code class="short">not_found</code></a></td><td>404, 405</td><td>No such endpoint; with 405 the path is right and the method is not (<code class="short">Allow</code> lists those that are).</td><td>Compare with <code class="short">GET /v1/openapi.json</code>.</td></tr><tr><td><a href="#resource_not_found"><code class="short">resource_not_found</code></a></td><td>404</td><td>No such record on the account.</td><td>Forget the id.</td></tr><tr><td><a href="#unknown_event"><code class="short">unknown_event</code></a></td><td>422</td><td>The event is not a known event.</td><td>Take a name from <code class="short">GET /v1/event-types</code>.</td></tr><tr><td><a href="#invalid_target_url"><code class="short">invalid_target_url</code></a></td><td>422</td><td>The webhook&#39;s URL does not start with <code class="short">https://</code>, or is not a public address.</td><td>Give a public HTTPS URL, without user and password.</td></tr><tr><td><a href="#invalid_project"><code class="short">invalid_project</code></a></td><td>422</td><td>The webhook&#39;s <code class="short">project_id</code> is not one of the account&#39;s sites.</td><td>Take an id from <code class="short">GET /v1/projects</code>.</td></tr><tr><td><a href="#invalid_list"><code class="short">invalid_list</code></a></td><td>422</td><td>The <code class="short">list_id</code> is not one of that site&#39;s e-mail lists.</td><td>Take an id from <code class="short">GET /v1/email-lists</code>.</td></tr><tr><td><a href="#email_rejected"><code class="short">email_rejected</code></a></td><td>422</td><td>The service sends no e-mail to this address: it bounced, complained, or is a throwaway one.</td><td>Ask the person for another address.</td></tr><tr><td><a href="#validation_failed"><code class="short">validation_failed</code></a></td><td>422, 400, 408, 413, 415, 431</td><td>A field is missing or wrong; or the body is no JSON object (400), too large (413), or not <code class="short">application/json</code> (415); or what came is no HTTP request (400), came too slowly (408), or has too large a header section (431).</td><td>Mend what the message names.</td></tr><tr><td><a href="#webhook_limit_reached"><code class="short">webhook_limit_reached</code></a></td><td>422</td><td>The account has 50 webhooks.</td><td>Delete one that is not needed.</td></tr><tr><td><a href="#invalid_cursor"><code class="short">invalid_cursor</code></a></td><td>400</td><td>The cursor was not issued for this list with these filters.</td><td>Begin the list again without one.</td></tr><tr><td><a href="#console_token_expired"><code class="short">console_token_expired</code></a></td><td>401</td><td>The console token has expired.</td><td>Sign in again.</td></tr><tr><td><a href="#read_only_demo"><code class="short">read_only_demo</code></a></td><td>403</td><td>The account is a demo, which cannot be changed.</td><td>Use an account of your own.</td></tr></tbody></table><p>There is one more, which is not yours to mend: <code class="short">internal_error</code>, with status 500 when something failed inside and 503 with <code class="short">Retry-After</code> while the storage is away. Try again later; nothing was half done. The console&#39;s own routes add <code class="short">invalid_credentials</code> (401) and <code class="short">invalid_state</code> (409).</p><p>Checks come in this order, and the first that fails answers: route, key, rate limit, suspended, plan, demo, query and body, record.</p><h2 id="a-request-for-each" tabindex="-1">A request for each <a class="header-anchor" href="#a-request-for-each" aria-label="Permalink to “A request for each”">​</a></h2><p>In these, <code class="short">{api_key}</code> is the key of an account with a site <code class="short">site_shop</code>. Where another account is needed, the placeholder says which.</p><h3 id="missing_api_key" tabindex="-1">missing_api_key <a class="header-anchor" href="#missing_api_key" aria-label="Permalink to “missing_api_key”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">GET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/me</span></span></code></pre></div><h3 id="invalid_api_key" tabindex="-1">invalid_api_key <a class="header-anchor" href="#invalid_api_key" aria-label="Permalink to “invalid_api_key”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">GET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/me</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer hwk_of_nobody</span></span></code></pre></div><h3 id="account_unavailable" tabindex="-1">account_unavailable <a class="header-anchor" href="#account_unavailable" aria-label="Permalink to “account_unavailable”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">GET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/me</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {key_of_a_suspended_account}</span></span></code></pre></div><h3 id="plan_required" tabindex="-1">plan_required <a class="header-anchor" href="#plan_required" aria-label="Permalink to “plan_required”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">GET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/contacts</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {key_without_crm}</span></span></code></pre></div><h3 id="plan_limit_reached" tabindex="-1">plan_limit_reached <a class="header-anchor" href="#plan_limit_reached" aria-label="Permalink to “plan_limit_reached”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/subscribers</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {key_with_no_subscribers_left}</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Content-Type</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> application/json</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;project_id&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;site_small&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;email&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;ada@example.com&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }</span></span></code></pre></div><h3 id="rate_limited" tabindex="-1">rate_limited <a class="header-anchor" href="#rate_limited" aria-label="Permalink to “rate_limited”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">GET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/me</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {key_after_200_requests}</span></span></code></pre></div><h3 id="not_found" tabindex="-1">not_found <a class="header-anchor" href="#not_found" aria-label="Permalink to “not_found”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">GET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/invoices</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {api_key}</span></span></code></pre></div><h3 id="resource_not_found" tabindex="-1">resource_not_found <a class="header-anchor" href="#resource_not_found" aria-label="Permalink to “resource_not_found”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">GET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/orders/ord_unknown</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {api_key}</span></span></code></pre></div><h3 id="unknown_event" tabindex="-1">unknown_event <a class="header-anchor" href="#unknown_event" aria-label="Permalink to “unknown_event”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/webhooks</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {api_key}</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Content-Type</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> application/json</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;event&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;order.shipped&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;target_url&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;https://example.com/hooks&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }</span></span></code></pre></div><h3 id="invalid_target_url" tabindex="-1">invalid_target_url <a class="header-anchor" href="#invalid_target_url" aria-label="Permalink to “invalid_target_url”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/webhooks</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {api_key}</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Content-Type</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> application/json</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;event&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;order.created&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;target_url&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;https://169.254.169.254/latest&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }</span></span></code></pre></div><h3 id="invalid_project" tabindex="-1">invalid_project <a class="header-anchor" href="#invalid_project" aria-label="Permalink to “invalid_project”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/webhooks</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {api_key}</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Content-Type</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> application/json</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;event&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;order.created&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;target_url&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;https://example.com/hooks&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;project_id&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;site_of_others&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }</span></span></code></pre></div><h3 id="invalid_list" tabindex="-1">invalid_list <a class="header-anchor" href="#invalid_list" aria-label="Permalink to “invalid_list”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/subscribers</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {api_key}</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Content-Type</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> application/json</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;project_id&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;site_shop&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;email&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;ada@example.com&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;list_id&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;lst_unknown&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }</span></span></code></pre></div><h3 id="email_rejected" tabindex="-1">email_rejected <a class="header-anchor" href="#email_rejected" aria-label="Permalink to “email_rejected”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/subscribers</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {api_key}</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Content-Type</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> application/json</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;project_id&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;site_shop&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;email&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;ada@mailinator.com&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }</span></span></code></pre></div><h3 id="validation_failed" tabindex="-1">validation_failed <a class="header-anchor" href="#validation_failed" aria-label="Permalink to “validation_failed”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/contacts</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {api_key}</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Content-Type</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> application/json</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;project_id&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;site_shop&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;email&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;not an address&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }</span></span></code></pre></div><h3 id="webhook_limit_reached" tabindex="-1">webhook_limit_reached <a class="header-anchor" href="#webhook_limit_reached" aria-label="Permalink to “webhook_limit_reached”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/webhooks</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {key_with_50_webhooks}</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Content-Type</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> application/json</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;event&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;order.created&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;target_url&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;https://example.com/one-more&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }</span></span></code></pre></div><h3 id="invalid_cursor" tabindex="-1">invalid_cursor <a class="header-anchor" href="#invalid_cursor" aria-label="Permalink to “invalid_cursor”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">GET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/orders?cursor=made-up</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {api_key}</span></span></code></pre></div><h3 id="console_token_expired" tabindex="-1">console_token_expired <a class="header-anchor" href="#console_token_expired" aria-label="Permalink to “console_token_expired”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">GET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/me</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {expired_console_token}</span></span></code></pre></div><h3 id="read_only_demo" tabindex="-1">read_only_demo <a class="header-anchor" href="#read_only_demo" aria-label="Permalink to “read_only_demo”">​</a></h3><div class="language-http"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">http</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
    {
      "--shiki-light": "#24292e",
      "--shiki-dark": "#e1e4e8",
      "--shiki-light-bg": "#fff",
      "--shiki-dark-bg": "#24292e",
    },
  )}" tabindex="0" dir="ltr"><code><span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">POST</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> /v1/contacts</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Authorization</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> Bearer {key_of_a_demo_account}</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#11782a",
    "--shiki-dark": "#85E89D",
  })}">Content-Type</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">:</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> application/json</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">{ </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;project_id&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;site_demo&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}">&quot;email&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;ada@example.com&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }</span></span></code></pre></div></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/reference/errors.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var errors_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, errors_default as default };
