// nitro.config.mjs of Nitro 3
export default {
  serverDir: "server",
  traceDeps: ["@hookwright/storage"],
};
