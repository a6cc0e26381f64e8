import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderStyle } from "vue/server-renderer";
// docs/operations/storage.md
var __pageData = JSON.parse(
  '{"title":"Where the data is","description":"","frontmatter":{},"headers":[],"relativePath":"operations/storage.md","filePath":"docs/operations/storage.md"}',
);
var _sfc_main = { name: "operations/storage.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="where-the-data-is" tabindex="-1">Where the data is <a class="header-anchor" href="#where-the-data-is" aria-label="Permalink to “Where the data is”">​</a></h1><p>Everything Hookwright keeps (accounts, keys, webhooks, records, deliveries and their log) goes through one small interface, and behind it are four storages. They behave alike: one suite of cases and random histories passes over each of them, and so does the whole of the API. They differ in what they survive, who may share them, and how much fits.</p><table tabindex="0"><thead><tr><th></th><th>memory</th><th>filesystem</th><th>Redis</th><th>unstorage</th></tr></thead><tbody><tr><td><code class="short">--storage</code></td><td><code class="short">memory</code></td><td><code class="short">file:DIR</code></td><td><code class="short">redis://…</code>, <code class="short">redis-cluster://…</code>, <code class="short">rediss://…</code>, <code class="short">rediss-cluster://…</code></td><td>embedding only</td></tr><tr><td>In a program</td><td><code class="short">memoryStore()</code></td><td><code>openFilesystemStore({ directory })</code></td><td><code class="short">openRedisStore({ url })</code></td><td><code>openUnstorageStore({ storage })</code></td></tr><tr><td><strong>Durability</strong> of what was acknowledged</td><td>none: ends with the process</td><td>survives <code class="short">kill -9</code> and power cuts: flushed before it is acknowledged</td><td>what Redis is told: everything with <code class="short">appendfsync always</code>, the last second or so with <code class="short">everysec</code></td><td>what the driver does. unstorage&#39;s file drivers survive <code class="short">kill -9</code>, and do not flush for a power cut</td></tr><tr><td><strong>Atomicity</strong></td><td>whole</td><td>whole: an LMDB transaction</td><td>whole: one Lua script</td><td>whole: one item of a redo log with a checksum, whatever the driver can do</td></tr><tr><td><strong>Processes</strong> at once</td><td>one</td><td>several on one machine</td><td>any number, on any number of machines</td><td>one; a second is refused (<a href="#one-process">limits</a>)</td></tr><tr><td><strong>Size</strong></td><td>main memory</td><td>the disk; more than main memory is fine</td><td>the memory of Redis, or of all masters of a Cluster</td><td>main memory</td></tr><tr><td><strong>Backup</strong> while serving</td><td>none</td><td><code class="short">hookwright backup</code></td><td>Redis&#39; own: <code class="short">BGSAVE</code>, a replica</td><td>copy the items, best while it is closed</td></tr><tr><td>One account elsewhere</td><td></td><td><code class="short">hookwright export</code>, <code class="short">import</code></td><td><code class="short">hookwright export</code>, <code class="short">import</code></td><td>by the functions behind them</td></tr><tr><td>Commits a second, one after the other</td><td>200,000</td><td>2,300</td><td>10,000; 2,300 with <code class="short">appendfsync always</code></td><td>2,500 (<code class="short">fs</code>), 2,800 (<code class="short">http</code> on this machine)</td></tr><tr><td>Commits a second, 64 at once</td><td>200,000</td><td>36,000</td><td>20,000; 11,500 with <code class="short">appendfsync always</code></td><td>57,000 (<code class="short">fs</code>), 45,000 (<code class="short">http</code>)</td></tr><tr><td>Choose it</td><td>for tests and trials</td><td>for one machine; the default</td><td>for several machines, or several workers on more than one</td><td>where neither a disk nor Redis is at hand, and the data is small: an object store, a database that is there already</td></tr></tbody></table><p>A commit in the table is ten changes, two of them of 1 KiB: more than recording a delivery takes, which is four, 1 KiB with their keys. Measured on two cores and a local disk with <code>node packages/storage/bench/commit.ts</code> and <code class="short">bench/unstorage.ts</code> there.</p><h2 id="memory" tabindex="-1">Memory <a class="header-anchor" href="#memory" aria-label="Permalink to “Memory”">​</a></h2><p>For tests and trials. Nothing is written anywhere.</p><h2 id="filesystem" tabindex="-1">Filesystem <a class="header-anchor" href="#filesystem" aria-label="Permalink to “Filesystem”">​</a></h2><p>LMDB in a directory (<code class="short">store-1.mdb</code>). A commit is acknowledged when it is on the disk; commits that are asked for at once share a flush. Reads come from the memory map: what is in the page cache costs a microsecond, and data may be larger than memory.</p><ul><li><strong>A local disk.</strong> LMDB maps the file and takes locks on it; network file systems (NFS, SMB) keep neither promise. A block device that is mounted by one machine is fine.</li><li><strong>Several processes</strong> may serve one directory: what one has acknowledged the others see at once, and checked commits of several processes never both win (<span class="source" title="packages/storage/test/filesystem-processes.test.ts">tested</span> with real processes, one of them killed). Publishing in one wakes the worker that delivers, by a mark in the file <code class="short">wakes</code>, and a line in <code class="short">wakes-log</code> says which queues have something new (<span class="source" title="packages/storage/test/wake-log.test.ts">tested</span>); where the system has no watches to give (<code>fs.inotify.max_user_instances</code> of Linux), the worker looks at these files once a second. Where a process may not use the first (another user has made it, say) a warning says so at the start (<code>HOOKWRIGHT_WAKES_UNUSABLE</code>), and what others publish begins with the worker&#39;s next look into the data, a second later or some ten where much is waiting (<a href="/decisions/wake-ups-on-a-directory">why so</a>). Where it may not use the second, the same warning says that each such publish costs a look at all that is waiting.</li><li><strong>One container.</strong> LMDB tells processes apart by their numbers, and those of two containers say nothing of each other: the first in each is 1. The second waits at its start for a lock that it takes for its own, and neither says so nor heeds a signal, until the first has ended. Let containers share their process numbers (<code>docker run --pid=container:…</code>, <code>shareProcessNamespace: true</code> in a pod), or use Redis.</li><li><strong>The file looks large</strong> to some tools: 1 TiB of address space is reserved, and neither disk nor memory is used for it. Look with <code class="short">du</code>, not <code class="short">ls</code>. Do not limit the address space of the process (<code class="short">ulimit -v</code>, <code class="short">LimitAS=</code>).</li><li><strong>It does not shrink.</strong> Space that is freed is used again. <code class="short">hookwright backup</code> makes a copy without the free space.</li><li><strong>A file that is not whole is refused</strong> when it is opened, by its name (<code class="short">directory_unusable</code>): one that is something else, or lacks anything that is in use at its end, as a copy does that was broken off. LMDB would end the process at the first read behind the end. Put a backup in its place (<span class="source" title="packages/storage/test/filesystem-cut-off.test.ts">tested</span> with files that are cut at every page). Bytes that were changed in the middle are not looked for.</li></ul><h3 id="when-the-disk-is-full" tabindex="-1">When the disk is full <a class="header-anchor" href="#when-the-disk-is-full" aria-label="Permalink to “When the disk is full”">​</a></h3><p>Commits are refused with <code class="short">unavailable</code> (&quot;there is no room left on its disk&quot;), and nothing that was acknowledged is touched. The store goes on reading: the API answers reads, whose requests each process counts in memory meanwhile, and refuses writes with 503. The process lives. As soon as there is room, commits succeed again, without a restart. The disk is asked before each write, and the last of it is never taken: there must be 256 KiB more than the commits that are written together may take (their texts, and a page of 4 KiB for each change), without what is reserved for root. So one that is too large does not stop those beside it. What has expired is removed once there are 2.3 MiB. Opening a store on a full disk works, or is refused by name. <span class="source" title="packages/storage/test/filesystem-full.test.ts">Tested</span> on a small file system that is filled to the brim.</p><p>Room has to come from outside: LMDB writes new pages before it frees old ones, so removing rows needs some room as well. Alarm at 80 %.</p><h3 id="backup" tabindex="-1">Backup <a class="header-anchor" href="#backup" aria-label="Permalink to “Backup”">​</a></h3><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> /backups/2026-11-21</span></span></code></pre></div><ul><li>copies the store as it is at one moment, while servers read and write it; nobody waits for it,</li><li>makes a data directory: to restore, serve from it, or move it into place while no server runs,</li><li>appears under its name when it is complete and flushed, or not at all, and overwrites nothing,</li><li>takes the file <code class="short">secret</code> along where there is one. Whoever has both can read signing secrets: keep backups as safe as the original. With <code class="short">HOOKWRIGHT_SECRET</code> set instead, keep that elsewhere; without it the signing secrets in the backup cannot be read by anybody.</li></ul><p>Copying <code class="short">store-1.mdb</code> by other means (<code class="short">cp</code>, <code class="short">rsync</code>) while a server writes gives a file torn between two moments. A snapshot of the whole file system (LVM, ZFS, a cloud disk) is fine: LMDB recovers from it as from a power cut.</p><h2 id="redis" tabindex="-1">Redis <a class="header-anchor" href="#redis" aria-label="Permalink to “Redis”">​</a></h2><p>Redis 7 or Valkey: one server, one behind Sentinels, or a Cluster. Any number of processes on any number of machines share it; what one has acknowledged the others see at once, and publishing in one wakes the worker that delivers.</p><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> HOOKWRIGHT_STORAGE</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">redis://:password@redis.internal:6379/0 </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}"># or redis-cluster://host:port,host:port; rediss://… and rediss-cluster://… with TLS</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">export</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> HOOKWRIGHT_SECRET</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">…                                        </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}"># required, the same for every process</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> serve</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --role</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> api</span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">                                       # as many as requests need</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">hookwright</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> serve</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --role</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> worker</span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">                                    # as many as deliveries need</span></span></code></pre></div><p>A commit is one call of a Lua script in one slot, acknowledged when Redis has answered. What the server must be told:</p><table tabindex="0"><thead><tr><th>Setting</th><th></th></tr></thead><tbody><tr><td><code class="short">appendonly yes</code>, <code class="short">appendfsync always</code></td><td>what was acknowledged survives <code class="short">kill -9</code> of Redis and a power cut (<span class="source" title="packages/storage/test/redis-faults.test.ts">tested</span>). With <code class="short">everysec</code> the last second is lost; without an append-only file everything since the last snapshot. The server warns of that at its start; in a program it is a warning of the process, or what you do with it: <code>openRedisStore({ onWarning })</code></td></tr><tr><td><code>maxmemory-policy noeviction</code></td><td>every key is data. A server that may throw keys away (<code class="short">allkeys-…</code> with a <code class="short">maxmemory</code>) is refused at start</td></tr><tr><td><code class="short">min-replicas-to-write 1</code></td><td>with replicas: replication is asynchronous, so a failover can lose what the old master alone had acknowledged. This bounds it, and nothing in Redis rules it out</td></tr><tr><td>ACL</td><td><code>+@read +@write +@scripting +@pubsub +@connection +info ~{hookwright:* &amp;hookwright:*</code> (in a Cluster also <code class="short">+cluster</code>)</td></tr></tbody></table><p><strong>Layout.</strong> For each of 64 partitions three keys with one hash tag, <code class="short">{hookwright:p00}:rows</code> (a hash), <code class="short">:index</code> (a sorted set in lexicographic order) and <code class="short">:expiries</code>; <code class="short">{hookwright:layout}</code> tells the version. <code>openRedisStore({ prefix })</code> replaces the word <code class="short">hookwright</code>. A row costs its text, twice its key and about 150 bytes; one whose text is empty, as the entries of an index are, stands in the sorted set alone. An order of 0.8 KiB takes 1.9 KiB with its indexes, and each delivery of it 1.0 KiB more. In a Cluster the partitions spread over all masters, but one is one slot and cannot be split: moving it moves a large key, which blocks for that long.</p><p><strong>Scripts</strong> are known by their digest and sent again where a server has not seen them, after a restart or a failover. New versions have other digests, so processes of two releases serve side by side, but for those of two layouts: the first process that writes in a later one turns the data over to it, and those that do not know it must have been stopped before: they would take the entries of an index for missing. At their next start they are refused.</p><p><strong>Connections.</strong> A process has one for commands and, once it delivers, one for wake-ups. A client of yours (<code>openRedisStore({ client })</code>, an ioredis <code class="short">Redis</code>, one with <code class="short">sentinels</code>, a <code class="short">Cluster</code>, or what unstorage&#39;s redis driver answers to <code class="short">getInstance()</code>) lends its settings and stays yours: a commit must never be sent twice by a client that sends again what a broken connection left unanswered. Nor are replicas read (<code class="short">scaleReads</code>), which may not have yet what was acknowledged, and Sentinels that are away are asked until they answer.</p><p><strong>TLS.</strong> <code class="short">rediss://</code> and <code class="short">rediss-cluster://</code> check certificate and name of the server against the authorities that Node knows, or against the one that <code class="short">HOOKWRIGHT_REDIS_CA</code> names, a file in PEM. A Redis that asks its clients for a certificate, as one with a <code class="short">tls-port</code> does unless it is told <code class="short">tls-auth-clients no</code>, is shown that of <code class="short">HOOKWRIGHT_REDIS_CERT</code> with the key of <code class="short">HOOKWRIGHT_REDIS_KEY</code>. The files are read at the start, by <code class="short">serve</code>, <code class="short">export</code> and <code class="short">import</code>; restart whoever has an old one. In a program they are <code>openRedisStore({ url, tls: { ca, cert, key } })</code>, texts in PEM (<span class="source" title="packages/storage/test/redis-tls.test.ts">tested</span>). The nodes of a Cluster are asked for the names that it announces: addresses, unless it has <code>cluster-preferred-endpoint-type hostname</code>, and so their certificates must hold those. What else TLS can be told needs a client of yours, with <code class="short">tls</code> among its settings (those of a Cluster: its <code class="short">redisOptions</code>).</p><table tabindex="0"><thead><tr><th>Commits a second</th><th>one after the other</th><th>64 at once</th></tr></thead><tbody><tr><td>in memory alone</td><td>10,000</td><td>20,000</td></tr><tr><td><code class="short">appendfsync always</code></td><td>2,300</td><td>11,500</td></tr></tbody></table><h3 id="when-redis-is-away" tabindex="-1">When Redis is away <a class="header-anchor" href="#when-redis-is-away" aria-label="Permalink to “When Redis is away”">​</a></h3><table tabindex="0"><thead><tr><th>What happens</th><th>What you see</th></tr></thead><tbody><tr><td>gone, restarting, unreachable</td><td>a command waits for at most 3 s; once it has been away for so long, commands fail at once. The API answers 503 <code class="short">internal_error</code> with <code class="short">Retry-After</code>, <code class="short">/readyz</code> answers 503, <code class="short">/healthz</code> 200. It connects again within a second of its return, and workers go on where they were</td></tr><tr><td>silent (stopped, a cut network)</td><td>the same: the connection is given up after 3 s and tried anew. Of a commit that was on its way it is not known whether it happened</td></tr><tr><td>reading its data after a start (<code class="short">LOADING</code>)</td><td>the same: waited for up to 3 s, then refused at once with nothing written, and used within a quarter of a second once it has read all. A process that starts meanwhile waits 3 s, then says so and ends</td></tr><tr><td>failed over (<code class="short">READONLY</code>, <code class="short">MOVED</code>)</td><td>refused with nothing written; the connection is made anew, to the new master</td></tr><tr><td>full (<code class="short">OOM</code>)</td><td>writes are refused with nothing written, reads go on. Raise <code class="short">maxmemory</code>, or free some</td></tr><tr><td>emptied (<code class="short">FLUSHALL</code>)</td><td>keys, accounts and queues are gone, and with them the leases; whatever is made anew works at once</td></tr><tr><td>one master of a Cluster is gone, or reading its data</td><td>its partitions fail within 3 s, until a replica takes over; the others are served (with <code>cluster-require-full-coverage no</code>)</td></tr></tbody></table><p>Like lines of the log are written five times in ten seconds and then counted (<code class="short">suppressed</code>), so an outage does not fill a disk. Tested with a real Redis that is stopped, killed, filled, demoted, flushed and slow to load, with Sentinel and with a Cluster (<span class="source" title="packages/storage/test/redis-faults.test.ts">the adapter</span>, <span class="source" title="packages/storage/test/redis-loading.test.ts">loading</span>, <span class="source" title="reference-server/test/redis.test.ts">the server</span>).</p><h3 id="several-workers" tabindex="-1">Several workers <a class="header-anchor" href="#several-workers" aria-label="Permalink to “Several workers”">​</a></h3><p>Each worker leases its share of the 64 partitions and renews every 5 s; a lease lasts 15 s. An account lies in one partition, so one worker at a time delivers for it (<a href="/decisions/leases">why</a>).</p><ul><li><strong>Joins and leaves.</strong> Within about a second the others give up what is more than their share: they begin nothing new in a partition, record what is under way there, and let it go. Nothing is sent twice.</li><li><strong>Dies.</strong> On the same host its partitions are taken at once, on another, and where its container is started again, within 16 s. What it had sent and not recorded is sent again.</li><li><strong>Stands still</strong> longer than its lease (SIGSTOP, a suspended machine) and goes on: others have its partitions, everything it still tries to write is refused, and it gets a share again in the orderly way. What was under way when it stopped is sent again.</li><li><strong>Clocks.</strong> Leases are compared by the clocks of the hosts: keep them within five seconds of each other (NTP does). A clock that is further off can cost a worker its lease too early, which costs duplicates and never lost or contradictory records: each commit checks the lease itself. A lease that nobody renews for 15 s counts for nothing, whatever time it says: where the clocks were set back a day, what a dead worker held is taken over all the same.</li></ul><p><span class="source" title="reference-server/test/workers.test.ts">Tested</span> with real processes: four that join and leave under load (100,000 events: no duplicate), one killed, one stopped. More than 64 workers have nothing to do.</p><h3 id="backup-1" tabindex="-1">Backup <a class="header-anchor" href="#backup-1" aria-label="Permalink to “Backup”">​</a></h3><p>What Redis has: <code class="short">BGSAVE</code> and a copy of <code class="short">dump.rdb</code>, the append-only file, or a replica. The snapshot is of one moment, so it is whole. Keep <code class="short">HOOKWRIGHT_SECRET</code> with it: signing secrets cannot be read without. One account goes elsewhere with <code class="short">hookwright export</code>.</p><h2 id="unstorage" tabindex="-1">unstorage <a class="header-anchor" href="#unstorage" aria-label="Permalink to “unstorage”">​</a></h2><p>For what <a href="https://unstorage.unjs.io" target="_blank" rel="noreferrer">unstorage</a> has a driver for, from files and object stores to MongoDB and Cloudflare KV. Not for Redis: use its own adapter, which takes unstorage&#39;s client as well. Embedding programs open it; the standalone server does not.</p><div class="language-ts"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> { createStorage } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;unstorage&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">;</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">import</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> memoryDriver </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;unstorage/drivers/memory&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">; </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// any driver: fs, s3, mongodb, http, …</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">import</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> { openUnstorageStore } </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> &quot;@hookwright/storage/unstorage&quot;</span><span style="${ssrRenderStyle({
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
  })}"> storage</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> createStorage</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">({ driver: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">memoryDriver</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">() });</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> store</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> openUnstorageStore</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">({</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">  storage,</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">  // What fails in the background and is tried again: checkpoints, heartbeats.</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">  onFault</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">: (</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c13617",
    "--shiki-dark": "#FFAB70",
  })}">error</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">) </span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">=&gt;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> console.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">error</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(error),</span></span>
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
  })}"> store.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">commit</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;p00&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, { mutations: [{ type: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;set&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, key: [</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;p00&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;greeting&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">], value: </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;hello&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> }] });</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> store.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">close</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">();</span></span>
<span class="line"></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">const</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> again</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> =</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}"> await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}"> openUnstorageStore</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">({ storage });</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">console.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">log</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">(</span><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> again.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">get</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">([</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;p00&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">, </span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}">&quot;greeting&quot;</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">])); </span><span style="${ssrRenderStyle({
    "--shiki-light": "#62687b",
    "--shiki-dark": "#818e99",
  })}">// hello</span></span>
<span class="line"><span style="${ssrRenderStyle({
    "--shiki-light": "#c62739",
    "--shiki-dark": "#F97583",
  })}">await</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}"> again.</span><span style="${ssrRenderStyle({
    "--shiki-light": "#6F42C1",
    "--shiki-dark": "#B392F0",
  })}">close</span><span style="${ssrRenderStyle({
    "--shiki-light": "#24292E",
    "--shiki-dark": "#E1E4E8",
  })}">();</span></span></code></pre></div><p>unstorage&#39;s interface has no order, no atomic writes of several keys and no conditional writes. So the data is held in memory, and the storage holds what is needed to build it again:</p><ul><li>Each group of commits is one item of a <strong>log</strong> (<code class="short">hookwright:log:…</code>), with a checksum and the name of the item before it. A commit is acknowledged, and becomes visible, when its item is written. Commits that are asked for at once share an item: a driver that takes 20 ms makes 50 items a second, each with as many commits as came together.</li><li>From time to time (when the log has 4 MiB, or half of what is held) what has changed is written as <strong>parts</strong>, and a <strong>manifest</strong> lists them. That happens while commits go on, in pieces of 256 KiB, and only the parts that have changed are written. The old log is then removed.</li><li>At open the parts of the last manifest are read and the log behind them is replayed. An item at the end that is torn was never acknowledged, and is dropped. An item that is damaged or missing anywhere else is <strong>refused by name</strong> (<code class="short">corrupted</code>): restore a backup, rather than serve with a hole.</li><li>Where a write <strong>fails</strong>, its commits fail with <code class="short">unavailable</code>, and it is not known whether they will be there at the next open; later ones go on from the last that succeeded, as soon as the driver works again. A write that arrives late, after its time-out (30 s), changes nothing: no item&#39;s name is used twice.</li></ul><p>Items are printable ASCII and their names lower-case letters, digits, <code class="short">-</code> and <code class="short">:</code>, so it does not matter which characters, cases or bytes a driver mangles. Tested over unstorage&#39;s <code class="short">memory</code>, <code class="short">fs</code>, <code class="short">fs-lite</code> and <code class="short">http</code> drivers, with processes that die and drivers that fail, lose, tear and delay at every call (<span class="source" title="packages/storage/test/unstorage-crash.test.ts">tests</span>).</p><p>What it takes from a driver:</p><table tabindex="0"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td><code class="short">getItem</code>, <code class="short">setItem</code>, <code class="short">removeItem</code>, <code class="short">getKeys</code></td><td>with <strong>read-after-write</strong>: what was written is read and listed at once. Cloudflare KV, which may take a minute to show it, does not keep that; S3 and R2 do</td></tr><tr><td>durability</td><td>is the driver&#39;s. A driver that acknowledges before it has stored loses what you were told is safe</td></tr><tr><td>size of an item</td><td>the largest commit, three to six times that for texts beyond ASCII. MongoDB stops at 16 MB</td></tr><tr><td>memory</td><td>all data, about three times its size in JSON. Half a million rows of 300 bytes take 0.5 GB, and open from a disk in under a second</td></tr></tbody></table><h3 id="one-process" tabindex="-1">One process <a class="header-anchor" href="#one-process" aria-label="Permalink to “One process”">​</a></h3><p>A second process that opens the storage is refused with <code class="short">in_use</code>. How well that is seen depends on the driver, since none can write &quot;only if nobody else has&quot;:</p><ul><li>The owner renews an item (<code class="short">hookwright:owner:…</code>) every 5 s. Whoever opens looks at it: refused when it moves, let in when it has not moved for 15 s. An owner that ran on the same machine, in the same container, and is dead is succeeded at once.</li><li>An owner that stood still for longer (suspended, or cut off from the storage) looks who has been there before it acknowledges anything (a commit of checks alone, too), and where another has taken over every call is refused with <code class="short">in_use</code>. What it reads before it has looked is what it knew.</li><li>That is safe while clocks run at the same speed and the driver shows a write to whoever reads after it. Where two processes did write at once, the next open finds two histories and refuses (<code class="short">corrupted</code>), rather than choose silently.</li></ul><p>Use the filesystem or Redis where several processes are to share the data.</p><h2 id="one-account-elsewhere" tabindex="-1">One account elsewhere <a class="header-anchor" href="#one-account-elsewhere" aria-label="Permalink to “One account elsewhere”">​</a></h2><div class="language-sh"><button title="Copy code" data-copied="Copied" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark" style="${ssrRenderStyle(
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
  })}"> redis://10.0.0.5</span><span style="${ssrRenderStyle({
    "--shiki-light": "#005CC5",
    "--shiki-dark": "#79B8FF",
  })}"> --from</span><span style="${ssrRenderStyle({
    "--shiki-light": "#032F62",
    "--shiki-dark": "#9ECBFF",
  })}"> bakery.ndjson</span></span></code></pre></div><p>moves an account with everything it has: sites, lists, keys, contacts, records, drafts, webhooks, the delivery log, and deliveries that still wait. Its API keys and signing secrets stay valid. Between any two storages, through a file or a pipe (<code class="short">-</code>).</p><ol><li><strong>Suspend the account</strong> (<code>PUT /host/v1/accounts/acc_bakery</code> with <code class="short">{&quot;status&quot;:&quot;suspended&quot;}</code>), so that nothing changes and nothing is sent. An export during which something changed is refused; nothing half is ever written under the name. One of an account that is active succeeds with a warning: its copy would deliver as soon as it is imported, beside the original.</li><li>Export, import. The import reads and checks the whole file before it writes: a file that is torn, changed, or would take an id from another account is refused by its line, and nothing is imported. One that is interrupted goes on where it stopped when the same file is imported again. An account that is there is never overwritten.</li><li><strong>Activate it</strong> in its new place, and leave it suspended in the old one: both have its deliveries. The import says which status it has there.</li></ol><p>The new storage needs the <strong>same server secret</strong>: signing secrets stay sealed by it (<a href="/decisions/account-export">why</a>). An import under another one is refused. The file holds personal data in the clear, and is made readable for its owner alone.</p><p>The count of this month&#39;s new subscribers, which lives for a limited time, begins that time anew. The state of the rate limiter and console sign-ins are left behind. Suppressed addresses belong to no account, and stay.</p><p>In a program, <code class="short">readAccountRows</code> of <code class="short">hookwright</code> gives the same rows for any store, the unstorage one too.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/operations/storage.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var storage_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, storage_default as default };
