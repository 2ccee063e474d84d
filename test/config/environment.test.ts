import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { variableOf } from "../../config/environment.ts";
import { loadConfig } from "../../config/load.ts";
import { configSchema } from "../../config/schema.ts";
import { Secret } from "../../config/secret.ts";
import { type Shape, settingsOf, shapeOf } from "../../config/shape.ts";
import { generateKey } from "../../src/access/key.ts";
import { readAdminKey } from "../../src/program/first-start.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const cwd = join(tmpdir(), "carrel-no-such-folder");
const load = async (env: Record<string, string>) => (await loadConfig({ env, cwd })).config;

/** A value of the key that is not its default: as text, and as it must come out. */
const sampleOf = (shape: Shape, path: string): { text: string; value: unknown } => {
  switch (shape.kind) {
    case "integer":
      return { text: String(shape.minimum + 1), value: shape.minimum + 1 };
    case "number":
      return { text: "0.25", value: 0.25 };
    case "boolean":
      return { text: String(!shape.initial), value: !shape.initial };
    case "choice": {
      const other = shape.values.find((value) => value !== shape.initial) ?? "";
      return { text: other, value: other };
    }
    case "list":
      if (path === "parser.ocrLanguages") return { text: "deu, eng", value: ["deu", "eng"] };
      if (path === "tracing.headers") return { text: "a=1, b=c=2", value: ["a=1", "b=c=2"] };
      if (path in sectionLists) return { text: JSON.stringify(sectionLists[path]), value: sectionLists[path] };
      return path.endsWith("Proxies")
        ? { text: "10.0.0.0/8, ::1", value: ["10.0.0.0/8", "::1"] }
        : { text: "https://a.example,https://b.example", value: ["https://a.example", "https://b.example"] };
    default:
      if (path === "store.uri") return { text: "s3://vault/carrel", value: "s3://vault/carrel" };
      if (path === "dataDir" || path === "store.cacheDir" || path.startsWith("server.tls."))
        return { text: "/srv/carrel", value: "/srv/carrel" };
      if (path === "models.answer.keepAlive") return { text: "-1", value: "-1" };
      if (path === "backup.every" || path === "receipts.keep") return { text: "12h", value: "12h" };
      return shape.kind === "text" && shape.pattern !== null
        ? { text: "http://localhost:9", value: "http://localhost:9" }
        : { text: "some text", value: "some text" };
  }
};

/** Lists of sections, with every key. */
const sectionLists: Record<string, unknown> = {
  folders: [{ path: "/docs", partition: "Manuals", watch: false, exclude: [] }],
  sites: [{ url: "https://a.example/?p=1", partition: null, depth: 0, every: "15m", exclude: [], headers: {} }],
  webhooks: [{ url: "https://a.example/?k=1", secret: "whsec_c2VjcmV0", events: ["document.failed"] }],
};

/** What else must be set for the key to stand. */
const companions: Record<string, Record<string, string>> = {
  "server.tls.certificate": { CARREL_SERVER_TLS_KEY: "/srv/key.pem" },
  "server.tls.key": { CARREL_SERVER_TLS_CERTIFICATE: "/srv/certificate.pem" },
  "mcp.oauth": { CARREL_SERVER_BASE_URL: "https://a.example" },
  "models.answer.provider": { CARREL_MODELS_ANSWER_MODEL: "m" },
  "models.embedding.provider": { CARREL_MODELS_EMBEDDING_MODEL: "m" },
  "models.embedding.model": { CARREL_MODELS_EMBEDDING_PROVIDER: "ollama" },
  "models.embedding.dimensions": { CARREL_MODELS_EMBEDDING_PROVIDER: "ollama", CARREL_MODELS_EMBEDDING_MODEL: "m" },
  "models.reranker.provider": {
    CARREL_MODELS_RERANKER_MODEL: "m",
    CARREL_MODELS_RERANKER_BASE_URL: "http://localhost",
  },
  "backup.every": { CARREL_BACKUP_PATH: "/backups" },
  "store.uri": { CARREL_STORE_S3_ACCESS_KEY_ID: "id", CARREL_STORE_S3_SECRET_ACCESS_KEY: "secret" },
  "store.cacheDir": {
    CARREL_STORE_URI: "s3://bucket/prefix",
    CARREL_STORE_S3_ACCESS_KEY_ID: "id",
    CARREL_STORE_S3_SECRET_ACCESS_KEY: "secret",
  },
  "parser.provider": { CARREL_PARSER_BASE_URL: "http://localhost" },
};

const settings = settingsOf(shapeOf(configSchema));

/** Secrets as their text, wherever they stand. */
const revealed = (value: unknown): unknown => {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revealed(inner)]));
};

describe("every key is set by its variable", () => {
  test.each(settings.map(({ path, shape }) => [variableOf(path), path, shape] as const))(
    "%s",
    async (name, path, shape) => {
      const { text, value } = sampleOf(shape, path.join("."));
      const config = await load({ ...companions[path.join(".")], [name]: text });
      const found = path.reduce<unknown>((section, key) => (section as Record<string, unknown>)[key], config);
      expect(revealed(found)).toEqual(value);
    },
  );
});

test("names are the path in capitals, words apart", () => {
  expect(variableOf(["server", "port"])).toBe("CARREL_SERVER_PORT");
  expect(variableOf(["models", "answer", "baseUrl"])).toBe("CARREL_MODELS_ANSWER_BASE_URL");
  expect(variableOf(["dataDir"])).toBe("CARREL_DATA_DIR");
});

test("empty variables: null, no items, empty text where that means something, else as good as not set", async () => {
  const config = await load({
    CARREL_MODELS_ANSWER_MODEL: "",
    CARREL_SERVER_ALLOWED_ORIGINS: "",
    CARREL_MODELS_EMBEDDING_QUERY_PREFIX: "",
    CARREL_SERVER_PORT: "",
    CARREL_SERVER_HOST: "",
    CARREL_FOLDERS: "",
  });
  expect(config.models.answer.model).toBeNull();
  expect(config.server).toMatchObject({ allowedOrigins: [], port: 7373, host: "127.0.0.1" });
  expect(config.models.embedding.queryPrefix).toBe("");
  expect(config.folders).toEqual([]);
});

test("a list of sections takes their one required key, or JSON", async () => {
  const { folders, sites } = await load({ CARREL_FOLDERS: "/docs,/more", CARREL_SITES: "https://a.example" });
  expect(folders).toEqual([
    { path: "/docs", partition: null, watch: true, exclude: [] },
    { path: "/more", partition: null, watch: true, exclude: [] },
  ]);
  expect(sites).toEqual([
    { url: "https://a.example", partition: null, depth: 2, every: "24h", exclude: [], headers: {} },
  ]);
  await expect(load({ CARREL_WEBHOOKS: "https://a.example" })).rejects.toThrow("webhooks[0].secret is missing");
  await expect(load({ CARREL_WEBHOOKS: '[{"url": 5}]' })).rejects.toThrow(
    "webhooks[0].url must be an http:// or https://",
  );
  await expect(load({ CARREL_WEBHOOKS: '[{"url"' })).rejects.toThrow(
    "CARREL_WEBHOOKS: webhooks must be a list of sections",
  );
});

test("values of the wrong type name the variable", async () => {
  await expect(load({ CARREL_SERVER_PORT: "7373a" })).rejects.toThrow(
    "CARREL_SERVER_PORT: server.port must be a whole number from 0 to 65535",
  );
  await expect(load({ CARREL_FETCH_ALLOW_PRIVATE_ADDRESSES: "1" })).rejects.toThrow("must be true or false");
});

test("a variable cannot hide that the file has a text where its section belongs", async () => {
  const file = join(tmpdir(), `carrel-${process.pid}-section.yaml`);
  await Bun.write(file, "server: nonsense\n");
  const loading = loadConfig({ file, env: { CARREL_SERVER_PORT: "1" }, cwd });
  await expect(loading).rejects.toThrow("server must be a section with the keys host, port");
  await Bun.file(file).delete();
});

test("a variable with _FILE reads the setting from that file, and says which file cannot be read", async () => {
  const folder = await temporaryFolder("secrets");
  const file = async (name: string, content: string | Uint8Array): Promise<string> => {
    await Bun.write(join(folder, name), content);
    return join(folder, name);
  };
  const model = { CARREL_MODELS_ANSWER_PROVIDER: "openai", CARREL_MODELS_ANSWER_MODEL: "m" };
  const key = await file("key", "sk-\tinner  \r\n");
  const { config, sources } = await loadConfig({
    env: {
      ...model,
      CARREL_MODELS_ANSWER_API_KEY_FILE: key,
      CARREL_SERVER_PORT_FILE: await file("port", "17373\n"),
      CARREL_SERVER_ALLOWED_ORIGINS_FILE: await file("origins", "https://a.example,https://b.example"),
      // As when it is not set.
      CARREL_LOG_LEVEL_FILE: "",
    },
    cwd,
  });
  expect(config.models.answer.apiKey?.reveal()).toBe("sk-\tinner  ");
  expect([config.server.port, config.server.allowedOrigins]).toEqual([
    17373,
    ["https://a.example", "https://b.example"],
  ]);
  expect(sources.get("server.port")).toBe("CARREL_SERVER_PORT_FILE");
  // Relative paths start at the working directory, as all do.
  expect((await loadConfig({ env: { CARREL_SERVER_PORT_FILE: "port" }, cwd: folder })).config.server.port).toBe(17373);

  const loading = load({
    ...model,
    CARREL_MODELS_ANSWER_API_KEY: "sk-other",
    CARREL_MODELS_ANSWER_API_KEY_FILE: key,
    CARREL_SERVER_HOST_FILE: "/run/secrets/none",
    CARREL_DATA_DIR_FILE: folder,
    CARREL_BACKUP_PATH_FILE: await file("binary", new Uint8Array([0xff, 0xfe, 0xff])),
    CARREL_SERVER_PORT_FILE: await file("words", "hunter2\n"),
    CARREL_SERVER_PROT_FILE: "x",
    CARREL_CONFIG_FILE: "x",
  });
  const error: unknown = await loading.catch((thrown: unknown) => thrown);
  const message = error instanceof Error ? error.message : "";
  for (const line of [
    "CARREL_MODELS_ANSWER_API_KEY_FILE: is set, and so is CARREL_MODELS_ANSWER_API_KEY: keep one of them",
    "CARREL_SERVER_HOST_FILE: names /run/secrets/none, which does not exist",
    `CARREL_DATA_DIR_FILE: names ${folder}, which is a folder`,
    `CARREL_BACKUP_PATH_FILE: names ${join(folder, "binary")}, which is not UTF-8 text`,
    "CARREL_SERVER_PORT_FILE: server.port must be a whole number from 0 to 65535",
    "CARREL_SERVER_PROT_FILE: is not a setting; did you mean CARREL_SERVER_PORT_FILE?",
    "CARREL_CONFIG_FILE: is not a setting; did you mean CARREL_CONFIG?",
  ])
    expect(message).toContain(line);
  expect(message).not.toMatch(/hunter2|sk-/);
  // No setting has such a name of its own.
  expect(settingsOf(shapeOf(configSchema)).filter(({ path }) => variableOf(path).endsWith("_FILE"))).toEqual([]);

  const admin = generateKey();
  expect(await readAdminKey({ CARREL_ADMIN_KEY_FILE: await file("admin", `${admin}\n`) }, cwd)).toBe(admin);
  await expect(readAdminKey({ CARREL_ADMIN_KEY_FILE: "/run/secrets/none" }, cwd)).rejects.toThrow(
    "CARREL_ADMIN_KEY_FILE: names /run/secrets/none, which does not exist",
  );
  await rm(folder, { recursive: true });
});

test("unknown variables are faults with the nearest name; ours and Kubernetes' are none", async () => {
  await expect(load({ CARREL_SERVER_PROT: "1" })).rejects.toThrow("did you mean CARREL_SERVER_PORT?");
  await expect(load({ CARREL_PORT: "80" })).rejects.toThrow("CARREL_PORT: is not a setting");
  await expect(load({ CARREL_QQQQQQQQQQQ: "1" })).rejects.toThrow("`carrel init`");
  await load({
    CARREL_ADMIN_KEY: "x",
    CARREL_CONFIG: "",
    CARREL_KEY: "crl_x",
    CARREL_URL: "http://127.0.0.1:7373",
    CARREL_SERVICE_HOST: "10.0.0.1",
    CARREL_PORT: "tcp://10.0.0.1:80",
    CARREL_PORT_80_TCP_ADDR: "10.0.0.1",
    CARRELS: "1",
  });
});
