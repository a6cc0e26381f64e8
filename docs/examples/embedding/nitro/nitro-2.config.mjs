import process from "node:process";

const native = `node_modules/@lmdb/lmdb-${process.platform}-${process.arch}`; // of the system that builds

export default {
  srcDir: "server",
  externals: { traceInclude: [`${native}/index.js`, `${native}/node.napi.glibc.node`] },
};
