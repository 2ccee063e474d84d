import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { variableOf } from "../../config/environment.ts";
import { loadConfig } from "../../config/load.ts";
import { configSchema } from "../../config/schema.ts";
import { Secret } from "../../config/secret.ts";
import { type Shape, settingsOf, shapeOf } from "../../config/shape.ts";
import { unsupportedSettings } from "../../config/unsupported.ts";

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
      if (path === "dataDir" || path.startsWith("server.tls.")) return { text: "/srv/carrel", value: "/srv/carrel" };
      if (path === "models.answer.keepAlive") return { text: "-1", value: "-1" };
      if (path === "backup.every") return { text: "12h", value: "12h" };
      return shape.kind === "text" && shape.pattern !== null
        ? { text: "http://localhost:9", value: "http://localhost:9" }
        : { text: "some text", value: "some text" };
  }
};

/** Lists of sections, with every key. */
const sectionLists: Record<string, unknown> = {
  folders: [{ path: "/docs", partition: "Manuals", watch: false }],
  sites: [{ url: "https://a.example/?p=1", partition: null, depth: 0, every: "15m" }],
  webhooks: [{ url: "https://a.example/?k=1", secret: "whsec_c2VjcmV0", events: ["document.failed"] }],
};

/** What else must be set for the key to stand. */
const companions: Record<string, Record<string, string>> = {
  "server.tls.certificate": { CARREL_SERVER_TLS_KEY: "/srv/key.pem" },
  "server.tls.key": { CARREL_SERVER_TLS_CERTIFICATE: "/srv/certificate.pem" },
  "models.answer.provider": { CARREL_MODELS_ANSWER_MODEL: "m" },
  "models.embedding.provider": { CARREL_MODELS_EMBEDDING_MODEL: "m" },
  "models.embedding.model": { CARREL_MODELS_EMBEDDING_PROVIDER: "ollama" },
  "models.embedding.dimensions": { CARREL_MODELS_EMBEDDING_PROVIDER: "ollama", CARREL_MODELS_EMBEDDING_MODEL: "m" },
  "models.reranker.provider": {
    CARREL_MODELS_RERANKER_MODEL: "m",
    CARREL_MODELS_RERANKER_BASE_URL: "http://localhost",
  },
  "backup.every": { CARREL_BACKUP_PATH: "/backups" },
  "parser.provider": { CARREL_PARSER_BASE_URL: "http://localhost" },
};

const supported = settingsOf(shapeOf(configSchema)).filter(
  ({ path }) => !unsupportedSettings.some((setting) => setting.whole && setting.path === path.join(".")),
);

/** Secrets as their text, wherever they stand. */
const revealed = (value: unknown): unknown => {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revealed(inner)]));
};

describe("every key is set by its variable", () => {
  test.each(supported.map(({ path, shape }) => [variableOf(path), path, shape] as const))(
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
    { path: "/docs", partition: null, watch: true },
    { path: "/more", partition: null, watch: true },
  ]);
  expect(sites).toEqual([{ url: "https://a.example", partition: null, depth: 2, every: "24h" }]);
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

test("unknown variables are faults with the nearest name; ours and Kubernetes' are none", async () => {
  await expect(load({ CARREL_SERVER_PROT: "1" })).rejects.toThrow("did you mean CARREL_SERVER_PORT?");
  await expect(load({ CARREL_PORT: "80" })).rejects.toThrow("CARREL_PORT: is not a setting");
  await expect(load({ CARREL_QQQQQQQQQQQ: "1" })).rejects.toThrow("`carrel init`");
  await load({
    CARREL_ADMIN_KEY: "x",
    CARREL_CONFIG: "",
    CARREL_SERVICE_HOST: "10.0.0.1",
    CARREL_PORT: "tcp://10.0.0.1:80",
    CARREL_PORT_80_TCP_ADDR: "10.0.0.1",
    CARRELS: "1",
  });
});
