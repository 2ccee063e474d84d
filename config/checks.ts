import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import type { Config } from "./schema.ts";
import type { Secret } from "./secret.ts";
import { isAddress, parseDuration, parseS3Address, webhookSigner } from "./values.ts";

/** A well-formed setting that contradicts another one. */
interface Contradiction {
  path: string;
  message: string;
}

const builtinModels = ["auto", "static", "minilm"];

/** Checks that need more than one key, or more than a pattern. */
export const contradictionsIn = (config: Config): Contradiction[] => [
  ...modelContradictions(config),
  ...serverContradictions(config),
  ...folderContradictions(config),
  ...siteContradictions(config),
  ...webhookContradictions(config),
  ...backupContradictions(config),
  ...storeContradictions(config),
];

const modelContradictions = ({ models: { answer, embedding, reranker }, parser }: Config): Contradiction[] => {
  const found: Contradiction[] = [];
  if (answer.provider !== "builtin" && answer.model === null)
    found.push({ path: "models.answer.model", message: `must name a model of ${answer.provider}` });
  if (embedding.provider === "builtin") {
    if (embedding.model !== null && !builtinModels.includes(embedding.model))
      found.push({
        path: "models.embedding.model",
        message:
          "must be auto, static or minilm if models.embedding.provider is builtin; another model needs another provider",
      });
    if (embedding.dimensions !== null)
      found.push({
        path: "models.embedding.dimensions",
        message: "must be null: the built-in model has a fixed length",
      });
  } else if (embedding.model === null || embedding.model === "static" || embedding.model === "auto")
    found.push({ path: "models.embedding.model", message: `must name an embedding model of ${embedding.provider}` });
  if (reranker.provider !== "none") {
    if (reranker.model === null) found.push({ path: "models.reranker.model", message: "must name a model" });
    if (reranker.baseUrl === null)
      found.push({ path: "models.reranker.baseUrl", message: "must be the address of the reranking server" });
  }
  if (parser.provider !== "builtin" && parser.baseUrl === null)
    found.push({ path: "parser.baseUrl", message: "must be the address of your Unstructured server" });
  return found;
};

const serverContradictions = ({ server, publicChats, mcp }: Config): Contradiction[] => [
  ...server.trustedProxies.flatMap((range, index) =>
    ipaddr.isValid(range) || ipaddr.isValidCIDR(range)
      ? []
      : [{ path: `server.trustedProxies[${index}]`, message: "must be an address or a range such as 10.0.0.0/8" }],
  ),
  ...tlsFaults(server),
  ...(mcp.oauth && !isSafeAddress(server.baseUrl)
    ? [
        {
          path: "server.baseUrl",
          message: "must be the https:// address of this server, or one of this machine, where mcp.oauth is on",
        },
      ]
    : []),
  ...prefixFaults(server.baseUrl),
  ...originFaults(server.allowedOrigins, "server.allowedOrigins"),
  ...originFaults(publicChats.allowedOrigins, "publicChats.allowedOrigins"),
];

/** Tokens must not be read on their way. */
const isSafeAddress = (baseUrl: string | null): boolean => {
  if (baseUrl === null) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return (
    protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
};

const tlsFaults = ({ tls, baseUrl }: Config["server"]): Contradiction[] => {
  if (tls.certificate === null && tls.key === null) return [];
  const missing = tls.certificate === null ? "certificate" : "key";
  if (tls.certificate === null || tls.key === null)
    return [{ path: `server.tls.${missing}`, message: "must be set too: TLS needs the certificate and its key" }];
  return baseUrl?.startsWith("http:")
    ? [{ path: "server.baseUrl", message: "must begin with https:// where server.tls is set" }]
    : [];
};

/** First parts of Carrel's own paths, those of later versions too. */
export const ownPaths: readonly string[] =
  "api ask chat chats docs document documents embed.js health keys mcp metrics oauth openapi.json pages partitions settings v1".split(
    " ",
  );

/**
 * A proxy may take the prefix off: a path that begins with it must then be the proxy's, not one of Carrel's own. The prefix
 * also stands in cookies and pages.
 */
const prefixFaults = (baseUrl: string | null): Contradiction[] => {
  const parts = (baseUrl ?? "").replace(/^https?:\/\/[^/]+/, "").split("/");
  while (parts.at(-1) === "") parts.pop();
  parts.shift();
  const fault = (message: string) => [{ path: "server.baseUrl", message }];
  if (!parts.every((part) => /^[\w.~-]+$/.test(part) && !/^\.{1,2}$/.test(part)))
    return fault(
      "must have a path of letters, digits, and . _ ~ - between single slashes, such as https://host/carrel",
    );
  const [first = ""] = parts;
  return ownPaths.includes(first)
    ? fault(`must not begin its path with /${first}, a path of Carrel itself: take another, such as /carrel`)
    : [];
};

const folderContradictions = ({ folders }: Config): Contradiction[] =>
  folders.flatMap(({ path, partition }, index) => [
    ...(folders.findIndex((other) => resolve(other.path) === resolve(path)) < index
      ? [{ path: `folders[${index}].path`, message: "is a duplicate: a file is one document, in one partition" }]
      : []),
    ...partitionFaults(partition, `folders[${index}].partition`),
  ]);

const siteContradictions = ({ sites }: Config): Contradiction[] =>
  sites.flatMap(({ url, partition, every, headers }, index) => [
    ...Object.entries(headers).flatMap(([name, value]) => headerFaults(name, value, `sites[${index}].headers.${name}`)),
    ...(sites.findIndex((other) => other.url === url) < index
      ? [{ path: `sites[${index}].url`, message: "is a duplicate: a page is one document, in one partition" }]
      : []),
    ...((parseDuration(every) ?? 0) < 1_000
      ? [{ path: `sites[${index}].every`, message: "must be a second or more" }]
      : []),
    ...partitionFaults(partition, `sites[${index}].partition`),
  ]);

/** Headers that the connection itself decides. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|accept-encoding|upgrade|te|trailer|expect)$/i;

const headerFaults = (name: string, value: Secret | undefined, path: string): Contradiction[] => {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return [{ path, message: "is not the name of a header" }];
  if (ownHeaders.test(name)) return [{ path, message: "is a header that cannot be set" }];
  return value === undefined || !/^[\x20-\x7e\t]+$/.test(value.reveal())
    ? [{ path, message: "must be a text of printable ASCII characters" }]
    : [];
};

const partitionFaults = (name: string | null, path: string): Contradiction[] =>
  name !== null && (name.trim() !== name || name.trim() === "" || name.length > 255)
    ? [{ path, message: "must be a name of 1 to 255 characters without spaces around it" }]
    : [];

const storeContradictions = ({ store: { uri, cacheDir, s3 } }: Config): Contradiction[] => {
  if (uri === null)
    return cacheDir === null
      ? []
      : [{ path: "store.cacheDir", message: "must be null unless store.uri names a bucket" }];
  if (uri.startsWith("db://"))
    return [
      { path: "store.uri", message: "LanceDB Cloud and Enterprise are not supported: use s3://bucket/prefix or null" },
    ];
  if (parseS3Address(uri) === null)
    return [{ path: "store.uri", message: "must be null or an address such as s3://bucket/prefix" }];
  const found: Contradiction[] = [];
  if (s3.accessKeyId === null) found.push({ path: "store.s3.accessKeyId", message: "must be set for a bucket" });
  if (s3.secretAccessKey === null)
    found.push({ path: "store.s3.secretAccessKey", message: "must be set for a bucket" });
  return found;
};

const backupContradictions = ({ backup: { path, every, s3 } }: Config): Contradiction[] => {
  const found: Contradiction[] = [];
  if (every !== null && path === null) found.push({ path: "backup.path", message: "must say where backups are kept" });
  if (every !== null && (parseDuration(every) ?? 0) < 60_000)
    found.push({ path: "backup.every", message: "must be a minute or more" });
  if (path === null || !isAddress(path)) return found;
  if (parseS3Address(path) === null)
    found.push({ path: "backup.path", message: "must be a folder or an address such as s3://bucket/prefix" });
  if (s3.accessKeyId === null) found.push({ path: "backup.s3.accessKeyId", message: "must be set for a bucket" });
  if (s3.secretAccessKey === null)
    found.push({ path: "backup.s3.secretAccessKey", message: "must be set for a bucket" });
  return found;
};

const webhookContradictions = ({ webhooks }: Config): Contradiction[] =>
  webhooks.flatMap(({ url, secret }, index) => [
    ...(webhookSigner(secret.reveal()) === null
      ? [{ path: `webhooks[${index}].secret`, message: "must be whsec_ and base64, as Standard Webhooks requires" }]
      : []),
    ...(webhooks.findIndex((other) => other.url === url) < index
      ? [{ path: `webhooks[${index}].url`, message: "is a duplicate: name all its events in one entry" }]
      : []),
  ]);

/**
 * Whether a browser sends it as `Origin`: scheme, host and port. Applications made of pages have schemes of their own, such
 * as Obsidian's `app://obsidian.md`, of which `URL` tells no origin.
 */
const isOrigin = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, host } = new URL(text);
  return text === (origin === "null" && host !== "" ? `${protocol}//${host}` : origin);
};

const originFaults = (origins: readonly string[], path: string): Contradiction[] =>
  origins.flatMap((origin, index) =>
    origin === "*" || isOrigin(origin)
      ? []
      : [
          {
            path: `${path}[${index}]`,
            message:
              "must be an origin as browsers send it, such as https://intranet.example (no path, no final /), or *",
          },
        ],
  );
