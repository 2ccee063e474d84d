// Which folder may import which: `bun run imports`, a part of `bun run check`. docs/architecture.md says why.

/** From the ground up. A folder may import those in its own row and below it. */
const layers = [
  ["config", "src/domain", "src/async", "src/text", "src/system", "src/tracing", "src/log.ts"],
  ["providers"],
  ["src/metrics"],
  ["src/models", "src/store"],
  ["src/parse"],
  ["src/retrieval"],
  ["src/ingest"],
  ["src/answers"],
  [
    "src/audit",
    "src/backup",
    "src/chats",
    "src/documents",
    "src/embedder",
    "src/evaluation",
    "src/folders",
    "src/health",
    "src/keys",
    "src/limits",
    "src/openai",
    "src/partitions",
    "src/portability",
    "src/receipts",
    "src/sessions",
    "src/settings",
    "src/sites",
    "src/webhooks",
  ],
  ["src/http", "src/web"],
  ["src/dependencies.ts", "src/mcp", "src/oauth", "src/app.ts"],
  ["src/program", "src/doctor"],
  ["src/commands"],
  ["src/main.ts"],
];

/** The files of a resource that speak HTTP: they may import the kit and the schemas of other resources. */
const edge = "(routes|schema|examples|-json)\\.ts$";
const pathsOf = (rows) => `^(${rows.flat().join("|").replaceAll(".", "\\.")})($|/)`;

const upward = layers.slice(0, -1).map((row, index) => ({
  name: `upward-from-${row[0].replaceAll("/", "-")}`,
  comment: "Imports point down: see the layers in this file.",
  severity: "error",
  from: { path: pathsOf([row]), pathNot: edge },
  to: { path: pathsOf(layers.slice(index + 1)) },
}));

module.exports = {
  forbidden: [
    ...upward,
    {
      name: "edge-to-program",
      comment: "Routes and schemas may import the HTTP kit and `dependencies.ts`, nothing above them.",
      severity: "error",
      from: { path: `^src/.*${edge}` },
      to: { path: "^src/(app\\.ts|program|commands|main\\.ts)" },
    },
    { name: "no-cycle", comment: "Types count too.", severity: "error", from: {}, to: { circular: true } },
    {
      name: "lancedb-in-store",
      comment: "The store is the only folder that knows LanceDB.",
      severity: "error",
      from: { path: "^(src|providers)", pathNot: "^src/(store|program)/" },
      to: { path: "node_modules/@lancedb" },
    },
    {
      name: "client-alone",
      comment: "The client is a package of its own that needs no other.",
      severity: "error",
      from: { path: "^clients/" },
      to: { pathNot: "^clients/" },
    },
    {
      name: "product-without-tests",
      severity: "error",
      from: { path: "^(src|providers|config|tools)" },
      to: { path: "^(test|bench)/" },
    },
    { name: "bench-without-tests", severity: "error", from: { path: "^bench/" }, to: { path: "^test/" } },
  ],
  options: {
    // The TypeScript 7 compiler has no parser that a program can call.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^test/fixtures" },
    enhancedResolveOptions: { extensions: [".ts", ".mjs", ".js"] },
  },
};
