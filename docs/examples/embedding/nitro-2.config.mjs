// nitro.config.mjs of Nitro 2; in Nuxt the same under `nitro`, without `srcDir`
import process from "node:process";

const native = `node_modules/@lmdb/lmdb-${process.platform}-${process.arch}`; // of the system it is built on

export default {
  srcDir: "server",
  externals: { traceInclude: [`${native}/index.js`, `${native}/node.napi.glibc.node`] },
};
