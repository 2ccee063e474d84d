import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { secretText } from "./secret.ts";
import { live } from "./shape.ts";

/**
 * The one schema of the configuration. Types, validation, the commented `carrel.yaml`, the JSON Schema for editors and
 * the table in docs/configuration.md are derived from it (`bun tools/config-files.ts` writes the files). Every key has
 * its default and its description here. `secrecy` marks what is never shown: the `whole` value, or the `path` of an
 * address.
 */

const section = <T extends Record<string, TSchema>>(properties: T, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { default: null, description });

const integer = (initial: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: initial, minimum, maximum, description });
const bytes = (initial: number, description: string) => integer(initial, 1, Number.MAX_SAFE_INTEGER, description);
const milliseconds = (initial: number, description: string) => integer(initial, 1, 86_400_000, description);
const strings = (description: string) => Type.Array(Type.String({ minLength: 1 }), { default: [], description });
const choice = <T extends readonly string[]>(values: T, initial: T[number], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: initial, description },
  ) as unknown as ReturnType<typeof Type.Unsafe<T[number]>>;

/** @param whom who is limited @param holds whose documents count */
const usageLimits = (whom: string, holds: string) => {
  const most = (description: string) =>
    live(nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), description));
  return {
    requestsPerMinute: most(`Requests of ${whom} in a minute.`),
    tokensPerDay: most(`Tokens that the answering model may read and write in a day for ${whom}.`),
    maxDocuments: most(`Maximum number of documents: nothing is added once ${holds} this many.`),
    maxBytes: most(`Maximum bytes of texts and files: nothing is added once ${holds} this many.`),
  };
};

const keepAlivePattern = "^(-1|0|[0-9]{1,6}(s|m|h))$";

/** Address of a server, or of Carrel itself: http or https, without user name, query or fragment. */
const address = (description: string) =>
  nullable(Type.String({ pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$" }), description);

const secret = (what: string) =>
  nullable(secretText(), `${what}. Keep it out of this file: "\${NAME}" reads an environment variable.`);

const apiKey = (what: string) => secret(`API key of ${what}`);

/** @param inOneCall what the time limit of a call covers */
const s3Access = (inOneCall: string) =>
  section(
    {
      endpoint: address("Address of the S3 server; null is Amazon's for the region."),
      region: Type.String({ minLength: 1, default: "us-east-1", description: "Region of the bucket." }),
      accessKeyId: secret("Access key of the bucket"),
      secretAccessKey: secret("Secret of the access key"),
      timeoutMs: integer(
        120_000,
        1,
        300_000,
        `Maximum time of one call: ${inOneCall}. A call that fails is made four times.`,
      ),
    },
    "Access to a bucket.",
  );

export const configSchema = section({
  server: section({
    host: Type.String({
      minLength: 1,
      default: "127.0.0.1",
      description: "Address to listen on. 0.0.0.0 or :: accepts connections from other machines.",
    }),
    port: integer(7373, 0, 65_535, "Port to listen on. 0 takes any free port."),
    baseUrl: address(
      "Address that clients use for this server, such as https://host or, under a prefix, https://host/carrel; null takes it from each request.",
    ),
    allowedOrigins: live(
      strings("Web origins whose pages may call the API (CORS), such as https://intranet.example. Empty: none."),
    ),
    trustedProxies: strings(
      "Addresses or ranges of reverse proxies whose X-Forwarded-For header is trusted, such as 10.0.0.0/8.",
    ),
    maxBodyBytes: live(
      bytes(
        104_857_600,
        "Maximum size of a request body with a document, and of a line of a batch. Other bodies: 1 MiB; without a key: 256 KiB.",
      ),
    ),
    maxInFlightBytes: bytes(
      268_435_456,
      "Maximum memory for request bodies, as they arrive, and for texts in answers, of all requests together; a key or an address may hold a quarter. Above it, requests get a 503. A single request may take more.",
    ),
    drainTimeoutMs: live(
      milliseconds(
        5000,
        "How long a graceful stop waits for running requests. Closing takes up to 3 s more; Docker ends a container after 10.",
      ),
    ),
    tls: section(
      {
        certificate: nullable(
          Type.String({ minLength: 1 }),
          "PEM file of the certificate with its chain, such as certbot's fullchain.pem. null: no TLS.",
        ),
        key: nullable(Type.String({ minLength: 1 }), "PEM file of its private key, without a passphrase."),
        hstsMaxAgeSeconds: live(
          integer(
            0,
            0,
            63_072_000,
            "How long browsers must open this host only by https (the HSTS header). 0: the header is not sent.",
          ),
        ),
      },
      "TLS without a reverse proxy. Renewed files are taken within a minute.",
    ),
  }),
  dataDir: Type.String({
    minLength: 1,
    default: "./carrel-data",
    description: "Folder for tables, files, lock and socket, created if missing. Each running server needs its own.",
  }),
  store: section({
    uri: nullable(
      Type.String({ minLength: 1 }),
      "null keeps everything in dataDir; s3://bucket/prefix shares one store between processes.",
    ),
    address: address(
      "Where the other processes of a shared store reach this one; null is server.host and server.port, or this machine's address where it listens on all.",
    ),
    cacheDir: nullable(
      Type.String({ minLength: 1 }),
      "Folder for this machine's copy of a shared store; null keeps it in dataDir.",
    ),
    s3: s3Access("a file takes a second longer for each 500 KB"),
    cacheBytes: nullable(
      Type.Integer({ minimum: 1_048_576 }),
      "Memory for pieces of the search index, in bytes; null takes what the index needs, a quarter of the memory at most.",
    ),
  }),
  models: section({
    answer: section(
      {
        provider: choice(
          ["builtin", "ollama", "openai"] as const,
          "builtin",
          "builtin quotes the sentences that answer the question, without a model; openai is any compatible server.",
        ),
        model: nullable(Type.String({ minLength: 1 }), "Name of the model at that provider; builtin needs none."),
        baseUrl: address(
          "Address of the model server; null is http://127.0.0.1:11434 (ollama), https://api.openai.com/v1 (openai).",
        ),
        apiKey: apiKey("the model server"),
        contextTokens: nullable(
          Type.Integer({ minimum: 256 }),
          "Context of the model in tokens; null asks the server.",
        ),
        maxOutputTokens: live(integer(1024, 1, 1_000_000, "Longest answer in tokens.")),
        think: live(
          Type.Boolean({
            default: false,
            description:
              "Lets a model that can think do so before it answers, which is slower. The thoughts are never shown.",
          }),
        ),
        temperature: live(
          Type.Union([Type.Number({ minimum: 0, maximum: 2 }), Type.Null()], {
            default: 0.1,
            description:
              "How freely the model chooses its words: low keeps it to the sources. What Carrel asks for itself has 0. null: the server decides, for models that refuse the setting.",
          }),
        ),
        keepAlive: live(
          nullable(
            Type.String({ pattern: keepAlivePattern }),
            "ollama: how long the model stays in memory after an answer, such as 30m; -1 keeps it, 0 unloads it. null: as the server is set (5 minutes).",
          ),
        ),
        timeoutMs: live(
          milliseconds(
            60_000,
            "How long the model server may be silent. The whole answer may take longer. An answer that has not begun by then is quoted from the documents.",
          ),
        ),
      },
      "The model that writes the answers.",
    ),
    embedding: section(
      {
        provider: choice(
          ["builtin", "ollama", "openai"] as const,
          "builtin",
          "builtin needs no server. Documents are found at once, whatever is set here; the model's vectors follow in the background, also after a change.",
        ),
        model: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
          default: "auto",
          description:
            "builtin: static (a table in the program), minilm (a transformer in the program) or auto (minilm where it runs and Carrel may use 2 GB of memory, on one thread; else static); else the name of the model at that provider.",
        }),
        baseUrl: address("Address of the model server; null as for answers."),
        apiKey: apiKey("the model server"),
        dimensions: nullable(
          Type.Integer({ minimum: 1, maximum: 16_384 }),
          "Length of the vectors; null takes the length that the model gives.",
        ),
        contextTokens: nullable(
          Type.Integer({ minimum: 32 }),
          "Longest input of the model in tokens; longer text is split. null asks the server, and assumes 512 if it does not say.",
        ),
        queryPrefix: nullable(
          Type.String(),
          "Text before each question; null takes the prefix of the known models, and none for others.",
        ),
        documentPrefix: nullable(Type.String(), "Text before each passage; null as for questions."),
        concurrency: integer(2, 1, 64, "Requests to the model server at the same time."),
        threads: integer(2, 1, 64, "Threads of the built-in minilm; auto has one."),
        timeoutMs: milliseconds(60_000, "How long the model server may be silent."),
      },
      "The model that turns text into vectors. Full-text search always runs too.",
    ),
    reranker: section(
      {
        provider: choice(["none", "openai"] as const, "none", "openai is any server with POST {baseUrl}/rerank."),
        model: nullable(Type.String({ minLength: 1 }), "Name of the model at that server."),
        baseUrl: address("Address of the reranking server."),
        apiKey: apiKey("the reranking server"),
        timeoutMs: live(milliseconds(10_000, "After this time the answer is made without reranking.")),
      },
      "The model that puts the snippets found into a better order.",
    ),
  }),
  parser: section({
    provider: choice(
      ["builtin", "unstructured"] as const,
      "builtin",
      "The parser that reads files first. If baseUrl is set, the other parser gets the files that this one cannot read.",
    ),
    baseUrl: address("Address of an Unstructured server; the hosted service is never used by default."),
    apiKey: apiKey("the Unstructured server"),
    timeoutMs: milliseconds(120_000, "Maximum time to parse one file, without OCR."),
    maxMemoryBytes: bytes(1_073_741_824, "Maximum memory of the parsing process."),
    maxPages: integer(
      5_000,
      1,
      1_000_000,
      "Maximum number of pages of a PDF. A longer one is refused before it is read.",
    ),
    ocrTimeoutMs: milliseconds(
      1_800_000,
      "Maximum time for OCR of the pictures in one file, in addition to timeoutMs.",
    ),
    ocrLanguages: Type.Array(Type.String({ pattern: "^[A-Za-z0-9_/-]+$" }), {
      default: ["eng"],
      description: "Languages of text in pictures, by the names of the tesseract program. Used if it is installed.",
    }),
  }),
  fetch: section({
    allowPrivateAddresses: Type.Boolean({
      default: false,
      description:
        "Allows url and websiteUrl to reach loopback and private networks. Everyone with a writer key can then read from them.",
    }),
    maxBytes: bytes(104_857_600, "Maximum size of a fetched file or page."),
    timeoutMs: milliseconds(30_000, "Maximum time of one fetch, including redirects."),
  }),
  ingest: section({
    concurrency: integer(
      2,
      1,
      64,
      "Documents processed at the same time; of one organization at most half of that while others are at work.",
    ),
    maxDocumentBytes: bytes(104_857_600, "Maximum size of a document, as a file and as text."),
  }),
  scan: section(
    {
      maxFiles: integer(100_000, 1, 10_000_000, "Maximum number of files in one folder."),
      maxPages: integer(1_000, 1, 1_000_000, "Maximum number of pages of one site, and of one scan of a sitemap."),
      maxDepth: integer(3, 0, 10, "How many levels of sitemap indexes are followed."),
      pauseMs: milliseconds(250, "Pause between two fetches from one host; longer if its robots.txt asks for it."),
    },
    "Limits for the configured folders and sites, and for scans of sitemaps.",
  ),
  answers: section({
    refusalThreshold: live(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description:
          "How readily questions are refused: at 0.5, about 5 of 100 questions that the documents answer are; at 0.3 about 2, at 0.8 about 17; 0 refuses none, 1 all.",
      }),
    ),
    rewriteFollowUps: live(
      Type.Boolean({
        default: true,
        description:
          "If a model writes the answers, it first rewrites a follow-up question in a chat so that it can be understood alone.",
      }),
    ),
  }),
  limits: section(
    {
      key: section(usageLimits("one key", "it can see"), "For every key; single keys may have values of their own."),
      organization: section(usageLimits("all keys of one organization together", "the organization holds")),
    },
    "What keys and organizations may use. null: no limit. The counts of requests and tokens are reset by a restart.",
  ),
  mcp: section(
    {
      oauth: Type.Boolean({
        default: false,
        description:
          "Lets clients in that sign in by OAuth 2.1, such as claude.ai and ChatGPT, beside those that send a key. Needs server.baseUrl with https, or on this machine.",
      }),
    },
    "The Model Context Protocol at /mcp, by which assistants search and read the documents.",
  ),
  publicChats: section({
    allowedOrigins: live(
      strings(
        'Web origins whose pages may embed a public chat, in addition to the page that Carrel serves. "*" allows all.',
      ),
    ),
    addressRequestsPerMinute: live(
      integer(
        300,
        1,
        1_000_000,
        "Requests for public chats from one address (IPv6: one /64), including those with unknown ids.",
      ),
    ),
    visitorMessagesPerMinute: live(integer(20, 1, 1_000_000, "Messages from one visitor.")),
    chatMessagesPerMinute: live(integer(120, 1, 1_000_000, "Messages from all visitors of one chat.")),
    chatMessagesPerDay: live(
      integer(
        2_000,
        1,
        100_000_000,
        "Messages from all visitors of one chat, per day. Limits what a public chat can cost.",
      ),
    ),
    visitorTokenDays: live(integer(90, 1, 3_650, "How long a visitor is recognized.")),
  }),
  folders: Type.Array(
    section({
      path: Type.String({ minLength: 1, description: "The folder." }),
      partition: nullable(Type.String({ minLength: 1 }), "Name of the partition for its documents."),
      watch: Type.Boolean({ default: true, description: "Whether to watch for changes after the first scan." }),
      exclude: strings(
        'Patterns of what is left out besides recycle bins, system and temporary files, as in a .gitignore: "*.bak", "drafts/", "/2019/**". One with "!" takes something back in.',
      ),
    }),
    { default: [], description: "Folders to follow: new, changed and deleted files." },
  ),
  sites: Type.Array(
    section({
      url: Type.String({
        pattern: "^https?://[^\\s/?#@]+([/?][^\\s#]*)?$",
        description: "Address of a page or of a sitemap.",
      }),
      partition: nullable(Type.String({ minLength: 1 }), "Name of the partition for its pages."),
      depth: integer(2, 0, 10, "How many links to follow from the start page."),
      every: Type.String({
        pattern: "^[0-9]+(ms|s|m|h|d)$",
        default: "24h",
        description: "How often it is read again.",
      }),
      exclude: strings(
        'Pages that are left out, by their path and query: "/calendar/", "*/print/*", "*.pdf", "/search?*". "*" stands for any text.',
      ),
      headers: Type.Record(Type.String(), secretText(), {
        default: {},
        description: `Headers for this site alone, such as authorization: "Basic \${NAME}". They are sent to no other host, and never shown.`,
      }),
    }),
    { default: [], description: "Web sites to follow." },
  ),
  backup: section(
    {
      path: nullable(
        Type.String({ minLength: 1 }),
        "Where backups are kept: a folder, best on another disk, or s3://bucket/prefix. null: `carrel backup TARGET` names it.",
      ),
      every: nullable(
        Type.String({ pattern: "^[0-9]+(ms|s|m|h|d)$" }),
        "How often a backup is made, such as 24h; null: only when asked for.",
      ),
      keep: integer(
        7,
        1,
        10_000,
        "How many backups are kept; older ones are removed after a new one is complete. Of several on one day (within backup.every, if that is shorter) all but the last go first.",
      ),
      s3: s3Access("4 MiB are sent or fetched"),
    },
    "Copies of all data, made while the server runs.",
  ),
  receipts: section(
    {
      keep: Type.String({
        pattern: "^(0|[0-9]+(ms|s|m|h|d))$",
        default: "30d",
        description:
          "How long it is kept how an answer came about: the question, what was found, the prompt. 0: not at all.",
      }),
    },
    "How answers came about.",
  ),
  webhooks: Type.Array(
    section({
      url: Type.String({
        pattern: "^https?://[^\\s/?#@]+([/?][^\\s#]*)?$",
        secrecy: "path",
        description: "Address that receives the events. Private addresses are allowed.",
      }),
      secret: secretText({
        description: `Signs the events (Standard Webhooks): whsec_ and base64. Keep it out of this file: "\${NAME}" reads an environment variable.`,
      }),
      events: Type.Array(
        Type.Union([
          Type.Literal("document.processed"),
          Type.Literal("document.failed"),
          Type.Literal("document.deleted"),
        ]),
        { default: [], description: "document.processed, document.failed, document.deleted. Empty: all." },
      ),
    }),
    {
      default: [],
      description: "Addresses that receive an event when a document is processed, fails or is deleted.",
    },
  ),
  tracing: section(
    {
      endpoint: address(
        "Address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; null: no traces are made.",
      ),
      headers: Type.Array(secretText({ pattern: "^[A-Za-z0-9_-]+ *=.+$" }), {
        default: [],
        description: `Headers for the collector, as name=value. Keep secrets out of this file: "authorization=Bearer \${NAME}" reads an environment variable.`,
      }),
      sampleRatio: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        description: "Share of the traces that is recorded. A caller that sends traceparent decides itself.",
      }),
      serviceName: Type.String({ minLength: 1, default: "carrel", description: "The name of this server in traces." }),
    },
    "Traces of requests, model calls and ingests, by OpenTelemetry. No text, question or name is in them.",
  ),
  log: section({
    level: live(choice(["debug", "info", "warn", "error", "silent"] as const, "info", "Lowest level that is logged.")),
    format: choice(["text", "json"] as const, "text", "text for people; json writes one object per line."),
  }),
});

export type Config = Static<typeof configSchema>;
