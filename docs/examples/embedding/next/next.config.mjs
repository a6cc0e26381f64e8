export default {
  serverExternalPackages: ["@hookwright/storage", "lmdb"],
  outputFileTracingIncludes: { "/**": ["./node_modules/@lmdb/**/*"] },
};
