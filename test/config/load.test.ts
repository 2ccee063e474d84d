// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the configuration's own syntax
import { beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { ConfigError } from "../../config/fault.ts";
import { defaultConfig, loadConfig } from "../../config/load.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { threadCpuMs } from "../thread-cpu.ts";

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder("config");
});

const load = async (yaml: string | Uint8Array | null, env: Record<string, string> = {}) => {
  if (yaml !== null) await writeFile(join(folder, "carrel.yaml"), yaml);
  return (await loadConfig({ env, cwd: folder })).config;
};

/** The whole message that the program prints. */
const faultsOf = async (yaml: string | Uint8Array, env: Record<string, string> = {}): Promise<string> => {
  const error = await load(yaml, env).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message;
};

describe("where the settings come from", () => {
  test("without a file and variables: the defaults, with an absolute dataDir", async () => {
    expect(await load(null)).toEqual({ ...defaultConfig(), dataDir: join(folder, "carrel-data") });
  });

  test("an empty file and one of comments alone are the defaults too", async () => {
    expect(await load("")).toEqual(await load("# nothing\n"));
    expect((await load("")).server.port).toBe(7373);
  });

  test("the file goes over the defaults, the environment over the file", async () => {
    const config = await load("server: { port: 1, host: ::1 }", { CARREL_SERVER_PORT: "2" });
    expect(config.server).toMatchObject({ port: 2, host: "::1" });
  });

  test("--config names the file, else CARREL_CONFIG does, and it must be there", async () => {
    await writeFile(join(folder, "other.yaml"), "server: { port: 9 }");
    const named = await loadConfig({ file: "other.yaml", env: { CARREL_CONFIG: "absent.yaml" }, cwd: folder });
    expect(named).toMatchObject({ file: join(folder, "other.yaml"), config: { server: { port: 9 } } });
    const byVariable = await loadConfig({ env: { CARREL_CONFIG: "other.yaml" }, cwd: folder });
    expect(byVariable.config.server.port).toBe(9);
    await expect(loadConfig({ file: "absent.yaml", env: {}, cwd: folder })).rejects.toThrow("does not exist");
    await expect(loadConfig({ file: ".", env: {}, cwd: folder })).rejects.toThrow("is a folder");
  });

  test("carrel.yaml in the data directory is not taken for settings, unless somebody names it", async () => {
    const dataDir = join(folder, "data");
    await mkdir(join(dataDir, "files"), { recursive: true });
    const file = join(dataDir, "carrel.yaml");
    await writeFile(file, "server: { port: 9 }\nnonsense: [");
    await writeFile(join(dataDir, "files/carrel.yaml"), "server: { port: 9 }");
    for (const [cwd, named] of [
      [dataDir, dataDir],
      [dataDir, "."],
      [join(dataDir, "files"), ".."],
    ] as const) {
      const loaded = await loadConfig({ env: { CARREL_DATA_DIR: named }, cwd });
      expect(loaded).toMatchObject({ file: null, ignored: join(cwd, "carrel.yaml"), config: { dataDir } });
      expect(loaded.config.server.port).toBe(7373);
    }
    await writeFile(file, "server: { port: 9 }\ndataDir: .");
    await expect(loadConfig({ env: {}, cwd: dataDir })).rejects.toThrow(
      "carrel.yaml:2: dataDir must not hold the settings file",
    );
    const explicit = await loadConfig({ env: { CARREL_CONFIG: file }, cwd: dataDir });
    expect(explicit).toMatchObject({ file, ignored: null, config: { dataDir, server: { port: 9 } } });
  });

  test.skipIf(process.getuid?.() === 0)("carrel.yaml in a folder that this user may not search is none", async () => {
    const closed = join(folder, "closed");
    await mkdir(closed);
    await writeFile(join(closed, "carrel.yaml"), "server: { port: 9 }");
    await chmod(closed, 0o000);
    try {
      expect(await loadConfig({ env: {}, cwd: closed })).toMatchObject({
        file: null,
        config: { server: { port: 7373 } },
      });
      const file = join(closed, "carrel.yaml");
      await expect(loadConfig({ file, env: {}, cwd: folder })).rejects.toThrow("cannot be read by this user");
    } finally {
      await chmod(closed, 0o700);
    }
    await chmod(join(closed, "carrel.yaml"), 0o000);
    await expect(loadConfig({ env: {}, cwd: closed })).rejects.toThrow("cannot be read by this user");
  });

  test("a section with everything below it commented out is the defaults", async () => {
    expect((await load("server:\n  # port: 1\nlog: { level: warn }")).server.port).toBe(7373);
  });

  test("a byte order mark and Windows line ends do no harm", async () => {
    expect((await load("\uFEFFserver:\r\n  port: 5\r\n")).server.port).toBe(5);
  });

  test("final slashes of addresses are removed", async () => {
    const config = await load(
      "models: { answer: { baseUrl: http://models.example/v1/ } }\nserver: { baseUrl: https://docs.example/carrel/ }",
    );
    expect(config.models.answer.baseUrl).toBe("http://models.example/v1");
    expect(config.server.baseUrl).toBe("https://docs.example/carrel");
  });
});

describe("${NAME}", () => {
  test("is replaced within texts, and takes the type that is wanted", async () => {
    const config = await load(
      'server: { port: "${PORT}", baseUrl: "https://${HOST}/x", allowedOrigins: "${ORIGINS}" }\nfetch:\n  allowPrivateAddresses: ${YES}',
      { PORT: "81", HOST: "a.example", ORIGINS: "https://a.example, https://b.example", YES: "true" },
    );
    expect(config.server).toMatchObject({
      port: 81,
      baseUrl: "https://a.example/x",
      allowedOrigins: ["https://a.example", "https://b.example"],
    });
    expect(config.fetch.allowPrivateAddresses).toBe(true);
  });

  test("what a variable holds is not read again, and $${ is a plain ${", async () => {
    const yaml = 'models: { answer: { apiKey: "${A}" }, embedding: { apiKey: "x$${A}y" } }';
    const { models } = await load(yaml, { A: "${B}: [" });
    expect(models.answer.apiKey?.reveal()).toBe("${B}: [");
    expect(models.embedding.apiKey?.reveal()).toBe("x${A}y");
  });

  test("an empty variable is null, no items, or the default", async () => {
    const yaml = 'models: { answer: { apiKey: "${E}" } }\nserver: { port: "${E}", allowedOrigins: "${E}" }';
    const { models, server } = await load(yaml, { E: "" });
    expect([models.answer.apiKey, server.port, server.allowedOrigins]).toEqual([null, 7373, []]);
  });

  test("never reads keys", async () => {
    expect(await faultsOf('"${A}": 1', { A: "server" })).toContain("${A} is not a key of the configuration");
  });
});

describe("faults", () => {
  test("all are named at once, with lines and nearest names", async () => {
    const yaml = `server:
  prot: 5
  port: "abc"
  port: 7
  host: 0.5
modles: {}
models:
  answer:
    provider: olama
    apiKey: \${NO_SUCH_VARIABLE}
    timeoutMs: 0
  embedding:
    provider: ollama
  reranker: { provider: openai }
parser: { provider: unstructured }
fetch: { allowPrivateAddresses: yes, maxBytes: 1.5 }
answers: { refusalThreshold: 1.01 }
publicChats: { allowedOrigins: [https://a.example/, "*", nonsense] }
store: { uri: s3://bucket/prefix }
folders: [{ pat: /docs }]
sites: [{ url: https://a.example, every: 5 }]
webhooks: [{ url: ftp://a.example, secret: s, events: [document.lost] }]
log: []
`;
    expect(
      await faultsOf(yaml, {
        CARREL_SERVER_PRT: "1",
        CARREL_LOG_LEVEL: "inf",
        CARREL_SERVER_TRUSTED_PROXIES: "10.0.0.0/8,x",
      }),
    ).toMatchSnapshot();
  });

  test("origins: as browsers send them, those of applications made of pages too", async () => {
    const allowed = ["https://a.example", "http://localhost:5173", "app://obsidian.md", "chrome-extension://abcdef"];
    const yaml = (origins: readonly string[]) => `server: { allowedOrigins: ${JSON.stringify(origins)} }`;
    expect((await load(yaml(allowed))).server.allowedOrigins).toEqual(allowed);
    const refused = [
      "app://obsidian.md/",
      "app://u@obsidian.md",
      "file:///home",
      "data:text/html,x",
      "null",
      "https://A.example",
    ];
    const { length } = (await faultsOf(yaml(refused), {})).match(/must be an origin/g) ?? [];
    expect(length).toBe(refused.length);
  });

  test("folders and sites: the same twice, partitions that nobody could name, times too short", async () => {
    const yaml = `folders: [{ path: ./docs }, { path: docs/, partition: " a" }]
sites:
  - { url: https://a.example, every: 10ms }
  - { url: https://a.example }
`;
    expect(await faultsOf(yaml)).toMatchSnapshot();
  });

  test("paths of folders are taken from where the program runs", async () => {
    const { config } = await loadConfig({ env: { CARREL_FOLDERS: "docs,/more" }, cwd: "/somewhere" });
    expect(config.folders.map(({ path }) => path)).toEqual(["/somewhere/docs", "/more"]);
  });

  test("webhooks: secrets that nothing can be signed with, an address that stands twice", async () => {
    const yaml = `webhooks:
  - { url: https://a.example, secret: whsec_c2VjcmV0 }
  - { url: https://a.example, secret: "whsec_!" }
  - { url: https://b.example, secret: "with blanks" }
  - { url: https://c.example, secret: plain-words }
`;
    expect(await faultsOf(yaml)).toMatchSnapshot();
  });

  test("entries of a list are named by their own place and line, whatever else is wrong with the list", async () => {
    const yaml = `webhooks:
  - url: https://lacks-a-secret.example
  - url: https://a.example
    secret: "with blanks"
    evnts: []
server:
  trustedProxies:
    - [nested]
    - 10.0.0.0/8
    - nowhere
sites:
  - url: https://a.example
    depth: -1
    every: 10ms
`;
    expect((await faultsOf(yaml)).split("\n").slice(1)).toEqual([
      "  carrel.yaml:2: webhooks[0].secret is missing: a text",
      "  carrel.yaml:4: webhooks[1].secret must be whsec_ and base64, as Standard Webhooks requires",
      "  carrel.yaml:5: webhooks[1].evnts is not a key of the configuration; did you mean webhooks[1].events?",
      "  carrel.yaml:8: server.trustedProxies[0] must be a text",
      "  carrel.yaml:10: server.trustedProxies[2] must be an address or a range such as 10.0.0.0/8",
      "  carrel.yaml:13: sites[0].depth must be a whole number from 0 to 10",
      "  carrel.yaml:14: sites[0].every must be a second or more",
    ]);
  });

  test("a variable that is not set is named where it stands in a list, too", async () => {
    const yaml = `webhooks:
  - url: https://a.example
    secret: "\${NOT_SET}"
  - "\${NOT_SET}"
server:
  allowedOrigins:
    - "\${NOT_SET}"
    - https://a.example/path
folders: [{ path: "\${NOT_SET}", partition: " a" }]
`;
    expect((await faultsOf(yaml)).split("\n").slice(1)).toEqual([
      "  carrel.yaml:3: webhooks[0].secret refers to ${NOT_SET}, and there is no such environment variable",
      "  carrel.yaml:4: webhooks[1] refers to ${NOT_SET}, and there is no such environment variable",
      "  carrel.yaml:7: server.allowedOrigins[0] refers to ${NOT_SET}, and there is no such environment variable",
      "  carrel.yaml:8: server.allowedOrigins[1] must be an origin as browsers send it, such as https://intranet.example (no path, no final /), or *",
      "  carrel.yaml:9: folders[0].path refers to ${NOT_SET}, and there is no such environment variable",
    ]);
  });

  test("lists with every entry commented out are the defaults", async () => {
    expect(await load("folders:\n# - path: a\nserver:\n  allowedOrigins:\nparser:\n  ocrLanguages:\n")).toEqual(
      await load(""),
    );
  });

  test.each([
    ["a variable without quotes in a section", "server: { port: ${NAME} }\n"],
    ["a variable without quotes in a list", "server:\n  allowedOrigins: [https://a.example, ${NAME}]\n"],
    ["an escape that there is none", 'server: { host: "\\q" }\n'],
    ["a sign that must be in quotes", "models: { answer: { apiKey: @key } }\n"],
    ["a line that is no setting", "server:\n  port: 1\nnothing at all\nlog: {}\n"],
    ["an open quote", 'server:\n  host: "abc\n  port: 1\n'],
    ["a tab", "server:\n\tport: 1\n"],
    ["two keys in a line", "server: port: 1\n"],
    ["an unknown anchor", "server: *a\n"],
    ["an unknown tag", "server: !x { port: 1 }\n"],
    ["two documents", "server: {}\n---\nserver: {}\n"],
    ["a list at the top", "- server\n"],
    ["a text at the top", "server\n"],
    ["binary", "dataDir: !!binary aGVsbG8=\n"],
    ["a list as key", "[a, b]: 1\n"],
  ])("broken YAML: %s", async (_name, yaml) => {
    expect(await faultsOf(yaml)).toMatchSnapshot();
  });

  test("bytes that are no UTF-8", async () => {
    expect(await faultsOf(new Uint8Array([0x61, 0xff, 0xfe]))).toContain("is not UTF-8 text");
  });

  test("aliases that multiply end early", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`,
    );
    expect(await faultsOf(`a0: &a0 [x]\n${levels.join("\n")}\n`)).toContain("has more settings, or deeper ones");
  });

  test("thousands of aliases among many values are looked up once", async () => {
    const began = threadCpuMs();
    const many = `folders: [&a x, ${"*a, ".repeat(4_500)}${"1, ".repeat(50_000)}]\n`;
    expect(await faultsOf(many)).toContain("has more settings, or deeper ones");
    expect(threadCpuMs() - began).toBeLessThan(4_000);
    // The last anchor before an alias counts.
    const two = "dataDir: &a one\nserver: { host: *a }\nmodels: { answer: { model: &a two, apiKey: *a } }\n";
    const { server, models } = await load(two);
    expect([server.host, String(models.answer.apiKey?.reveal())]).toEqual(["one", "two"]);
  });

  test.each(["[", "{a: ", "- ", "? ", "a:\n ", "&a [", "!a ", "*a ", "---\n", "'", "| ", "a: b\n", "\r", "%a\n"])(
    "%j again and again is refused in little time",
    async (piece) => {
      const began = threadCpuMs();
      expect(await faultsOf(piece.repeat(80_000 / piece.length))).toContain("carrel.yaml");
      expect(threadCpuMs() - began).toBeLessThan(800);
    },
  );

  test("an alias within itself ends early", async () => {
    expect(await faultsOf("server: &a\n  port: *a\n")).toContain("has more settings, or deeper ones");
  });

  test("a number where text is wanted: quotes are missing, and might lose digits", async () => {
    expect(await faultsOf("models: { answer: { apiKey: 0123 } }")).toContain("put it in quotes");
  });

  test("an address with a user name is refused: it would stand in errors and logs", async () => {
    expect(await faultsOf("server: { baseUrl: https://a.example/docs/rag }")).toContain(
      "must not begin its path with /docs",
    );
    for (const path of ["/a//b", "/a;b", "/..", "/über", "/a%20b", '/a"b'])
      expect(await faultsOf(`server: { baseUrl: 'https://a.example${path}' }`)).toContain("between single slashes");
    expect(await faultsOf("models: { answer: { baseUrl: https://me:pass@a.example/v1 } }")).toContain(
      "models.answer.baseUrl must be",
    );
  });

  test("no fault repeats a value", async () => {
    const secret = "sk-very-secret";
    const yaml = `models:
  answer: { provider: ${secret}, apiKey: [${secret}], baseUrl: "${secret}", timeoutMs: ${secret}, model: ["\${S}"] }
server: { allowedOrigins: [${secret}], trustedProxies: [${secret}], port: "\${S}" }
log: ${secret}
`;
    const message = await faultsOf(yaml, { S: secret, CARREL_LOG_FORMAT: secret, CARREL_FETCH_TIMEOUT_MS: secret });
    expect(message.split("\n").length).toBeGreaterThan(9);
    expect(message).not.toContain(secret);
  });

  test("syntax faults repeat no value either", async () => {
    for (const yaml of [
      'models: { answer: { apiKey: "sk-secret } }',
      "a: sk-secret: b",
      "key: *sk-secret",
      "a: @sk-secret",
      "a: !sk-secret b",
      "a: !!sk-secret b",
      "a: |sk-secret\n b",
      '"a" sk-secret: 1',
      'a: "\\sk-secret"',
      'a: "\\xsk-secret"',
      "%sk-secret\n---\na: 1",
      "a: [sk-secret",
      "a: { b: 1 } sk-secret",
      "a: &x &sk-secret 1",
    ])
      expect(await faultsOf(yaml)).not.toContain("sk-secret");
  });

  test("broken syntax is one fault, with line and column, whatever follows from it", async () => {
    for (const yaml of ["server: { port: ${NAME}, host: a }", "a: sk\n b: c\nc", "- a\nb: 1", "a: {\n}}}}\n]]"])
      expect(await faultsOf(yaml)).toMatch(
        /^The configuration has a fault:\n {2}carrel\.yaml:\d+:\d+: is not YAML: [^\n]+$/,
      );
  });

  test("whatever the file holds, it is settings or faults, never a crash", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "server:",
        "  port: ",
        "models:",
        "${A}",
        "- ",
        "&a ",
        "*a",
        "!!x",
        "{",
        "}",
        "[",
        "]",
        '"',
        "\n",
        "\n  ",
        ": ",
        "null",
        "1e9",
        "---\n",
        "? ",
        "|\n",
      ),
      fc.string({ maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const thrown = await load(pieces.join(""), { A: "1" }).then(
          () => null,
          (error: unknown) => error,
        );
        expect(thrown === null || thrown instanceof ConfigError).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("settings that contradict", () => {
  test.each([
    ["models: { answer: { provider: openai } }", "models.answer.model must name a model of openai"],
    ["models: { embedding: { provider: openai } }", "models.embedding.model must name an embedding model of openai"],
    ["models: { embedding: { model: nomic } }", "models.embedding.model must be auto, static or minilm if"],
    ["backup: { every: 24h }", "backup.path must say where backups are kept"],
    ["backup: { path: /backups, every: 10s }", "backup.every must be a minute or more"],
    ["backup: { path: 'ftp://host' }", "backup.path must be a folder or an address such as s3://bucket/prefix"],
    ["backup: { path: 's3://bucket/../x' }", "backup.path must be a folder or an address"],
    ["backup: { path: 's3://bucket/x' }", "backup.s3.accessKeyId must be set for a bucket"],
    ["models: { embedding: { dimensions: 64 } }", "models.embedding.dimensions must be null"],
  ])("%s", async (yaml, message) => {
    expect(await faultsOf(yaml)).toContain(message);
  });

  test("are not reported of a key that is at fault anyway", async () => {
    const message = await faultsOf("models: { answer: { provider: openai, model: 5 } }");
    expect(message).toContain("has a fault");
    expect(message).toContain("put it in quotes");
  });
});
