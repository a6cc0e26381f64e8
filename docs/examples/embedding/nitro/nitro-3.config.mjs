export default {
  serverDir: "server",
  traceDeps: ["@hookwright/storage"],
};
