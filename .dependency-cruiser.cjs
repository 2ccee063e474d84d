// Which folder may import which: `bun run imports`, a part of `bun run check`. docs/architecture.md says why.

/**
 * The rooms of the house, from the ground up: a room is a folder at the second level. A room imports those of the rows
 * above its own in this list, none of its own row and none below: circles of rooms cannot be. `src/main.ts` alone lies in no room.
 */
const rows = [
  ["src/domain"],
  ["src/system"],
  ["config", "src/async"],
  ["src/text"],
  ["src/log"],
  ["src/s3"],
  ["src/tracing"],
  ["providers/[^/]+\\.ts$"],
  ["providers/tokens", "src/metrics"],
  ["providers/http"],
  ["providers/builtin", "providers/embedding", "providers/unstructured"],
  ["providers/ollama", "providers/openai"],
  ["src/store"],
  ["src/access", "src/limits", "src/models"],
  ["src/http", "src/parse"],
  ["src/replication"],
  ["src/ingest", "src/retrieval"],
  ["src/audit", "src/documents", "src/embedder", "src/keys", "src/settings"],
  [
    "src/answers",
    "src/backup",
    "src/folders",
    "src/health",
    "src/partitions",
    "src/portability",
    "src/sessions",
    "src/sites",
    "src/webhooks",
  ],
  ["src/evaluation", "src/mcp", "src/openai", "src/receipts"],
  ["src/chats"],
  ["src/web"],
  ["src/oauth"],
  ["src/runtime"],
  ["src/doctor"],
  ["src/program"],
  ["src/commands"],
  ["src/main\\.ts$"],
];

const pathsOf = (rooms) => `^(${rooms.map((room) => (room.endsWith("$") ? room : `${room}/`)).join("|")})`;

const downward = rows.map((row, index) => ({
  name: `not-below-${row[0].replace(/[^a-z]+/g, "-")}`,
  comment: "A room imports the rows above its own in this file: move what two rooms share above both.",
  severity: "error",
  from: { path: pathsOf(row) },
  to: { path: pathsOf(rows.slice(index).flat()), pathNot: "^$1" },
}));

/** The floors of the store, from the ground up, by the same rule; what lies directly in the store is above all of them. */
const roof = "src/store/[^/]+\\.ts$";
const floors = [
  ["contract", "disk"],
  ["engine"],
  ["blobs", "erasure", "segments"],
  ["search"],
  ["vectors"],
  ["documents"],
  ["records"],
  ["snapshots"],
  ["migrations"],
  ["recovery"],
  ["condition", "freeze", "upkeep"],
].map((row) => row.map((folder) => `src/store/${folder}`));

const upward = floors.map((row, index) => ({
  name: `not-above-${row[0].replace(/[^a-z]+/g, "-")}`,
  comment: "A folder of the store imports those of the floors below its own.",
  severity: "error",
  from: { path: pathsOf(row) },
  to: { path: pathsOf([...floors.slice(index).flat(), roof]), pathNot: "^$1" },
}));

/**
 * Doors. What lies directly in a room other rooms may import; of the folders inside it, these files alone. The fewer the
 * better: a new one is a decision.
 */
const innerDoors = [
  "providers/builtin/(minilm/(embedding|runtime)|static/(embedding|text-vectors))",
  "src/answers/(prompt/prompt|quote/(nearness|passages)|reading/question)",
  "src/async/threads/(serve-requests|watched-thread)",
  "src/backup/target/(open-target|target|try-target)",
  "src/commands/line/command-line",
  "src/doctor/checks/(finding|integrity)",
  "src/http/body/(arriving-body|parse-body|read-body)",
  "src/http/docs/(api-reference|error-page|lean-document|openapi-document)",
  "src/http/schema/(fields|text-field|validate)",
  "src/ingest/fetch/(address|contract|fetcher)",
  "src/ingest/index/(analysis-thread|analyzed-text|publication)",
  "src/ingest/prepare/(contract|document-turn|pipeline|prepare-document|replace-document|source)",
  "src/ingest/queue/queue",
  "src/models/check/(check-models|model-report)",
  "src/parse/(detect/file-kind|ocr/tesseract|unstructured/parser)",
  "src/retrieval/scores/document-names",
  "src/store/blobs/file-hash",
  "src/store/contract/documents",
  "src/store/engine/(lance|native-settings)",
  "src/store/migrations/migrations",
  "src/store/disk/(disk-sync|free-space|lock|table-folder)",
  "src/store/recovery/(check-store|check-table|known-tables|no-room-to-open|secret)",
  "src/store/snapshots/(clone-store|restore-snapshot|snapshots)",
  "src/store/upkeep/upkeep-worker",
  "src/text/analysis/(analyze|document-terms|exact-passages|term|word-pieces)",
  "src/text/chunk/(blocks|chunk|chunk-text|pages|units)",
  "src/text/language/(fold|function-words|vietnamese)",
  "src/text/tokens/count-tokens",
  "src/text/words/(word-cache|word-frequency)",
];

module.exports = {
  forbidden: [
    ...downward,
    ...upward,
    {
      name: "room-without-row",
      comment: "Each room has its row in this file.",
      severity: "error",
      from: { path: "^(src|providers|config)/", pathNot: pathsOf(rows.flat()) },
      to: {},
    },
    {
      name: "use-case-without-http",
      comment: "A use case returns records or yields events; the routes and schemas beside it speak HTTP.",
      severity: "error",
      from: {
        path: `^(${["answers", "audit", "backup", "chats", "documents", "embedder", "folders", "health", "keys", "partitions", "portability", "receipts", "sessions", "settings", "sites", "webhooks"].map((room) => `src/${room}`).join("|")})/`,
        pathNot: "(routes|schema|examples)\\.ts$",
      },
      to: { path: "^src/http/" },
    },
    {
      name: "by-the-door",
      comment: "Other rooms import what lies directly in a room, or one of the inner doors named in this file.",
      severity: "error",
      from: { path: "^((?:src|providers|config)/[^/]+)" },
      to: { path: "^(src|providers)/[^/]+/[^/]+/", pathNot: ["^$1/", `^(${innerDoors.join("|")})\\.ts$`] },
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
