import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/leases.md
var __pageData = JSON.parse(
  '{"title":"Workers lease partitions, not deliveries","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/leases.md","filePath":"docs/decisions/leases.md"}',
);
var _sfc_main = { name: "decisions/leases.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="workers-lease-partitions-not-deliveries" tabindex="-1">Workers lease partitions, not deliveries <a class="header-anchor" href="#workers-lease-partitions-not-deliveries" aria-label="Permalink to “Workers lease partitions, not deliveries”">​</a></h1><p><strong>Context.</strong> Two workers must not send one delivery twice, nor count the failures of one webhook at the same time. A lease for each delivery costs two more writes a delivery.</p><p><strong>Choice.</strong> A worker leases partitions (sixty-four of them, an account lies in one). The lease row names its holder and a fencing token; the time it runs out lies in a row of its own. Every commit of the worker checks the lease row, so a worker that was paused, and whose lease went to another, can write nothing. Inside its partitions a worker schedules in memory.</p><p>A holder on the same host whose process no longer runs is succeeded at once instead of after the lease&#39;s 15 seconds: a server that was killed and started again delivers immediately. The same host is where a number names one process: the machine since it was started, and on Linux one namespace of it. By the host&#39;s name alone two containers that are called the same, whose first process is number 1 in each, took each other for dead, and each other&#39;s leases without end. A container that was killed and is started again has a namespace of its own, and so waits for the 15 seconds.</p><p>A lease counts for nothing, too, when its row has stood still for those 15 seconds before the eyes of another: times are written by the clocks of their holders, and where a clock was set back since, a dead worker&#39;s lease would seem valid for as long as that.</p><p>Each worker announces itself in a register, and so knows how many there are and how many partitions are its share; the shares add up to all of them. It takes free partitions up to its share. When others join and it holds more, it gives up the quietest first: nothing new is begun there, what is under way is recorded, then the lease ends. A heartbeat of its own renews, so nothing slow elsewhere can cost the leases, and a worker begins nothing in a partition whose lease has run out (it was stopped, or that part of the storage is away) before it has renewed it. Each partition counts for itself: a node of a Redis Cluster that refuses writes holds up nothing of the others, and while what has ended there cannot be recorded no more is begun. A lease counts from when it was asked for: one that a worker is told of with less than half of it left, as when it stood still meanwhile, it does not hold, and takes anew.</p><p>When a worker closes it takes nothing any more and leaves the register, so that the others share what becomes free; it renews what it holds until the end, and gives back each partition as soon as what is under way in it is recorded: an endpoint that hangs keeps nobody waiting but its own partition.</p><p><strong>Rejected.</strong> A fixed assignment by rank (partition modulo workers): a join would move nearly all partitions. Consistent hashing: it moves few, but spreads sixty-four unevenly. Renewing by rewriting the lease row itself: every commit under way would then fail its check.</p><p><strong>Consequence.</strong> An accepted delivery costs one commit. A process that dies between an answer and its commit leaves a delivery that is sent again: at most as many as were under way.</p></div>`,
  );
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions/leases.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var leases_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [
  ["ssrRender", _sfc_ssrRender],
]);
export { __pageData, leases_default as default };
