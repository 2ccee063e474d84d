import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfig } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import type { Parts } from "../../src/program/parts.ts";
import { startServer } from "../../src/program/start-server.ts";

/** The whole program behind a real listener, as `carrel serve` starts it, called with plain `fetch`. */
export interface Carrel {
  url: string;
  dataDir: string;
  /** The admin key of the first start. */
  admin: string;
  /** A new key of organization `default`, made over HTTP. */
  key(body?: Record<string, unknown>): Promise<string>;
  /** An admin key of another organization, made as the operator's command makes it. */
  foreignKey(organization: string): Promise<string>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Every record the admin can see and the original files kept: to tell that nothing changed. */
  everything(): Promise<string>;
  stop(): Promise<void>;
}

export interface CallOptions {
  /** The admin's where none is given; null sends none. */
  key?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, or as an URL-encoded form. */
  body?: string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  body: any;
}

export const call = async (
  url: string,
  method: string,
  path: string,
  { key = null, json, body, headers, signal }: CallOptions = {},
): Promise<Answer> => {
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const isJson = /\/(problem\+)?json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : null,
  };
};

export const serveCarrel = async (
  options: { config?: (config: Config) => void; parts?: Partial<Parts> } = {},
): Promise<Carrel> => {
  const dataDir = mkdtempSync(join(tmpdir(), "carrel-contract-"));
  const config = structuredClone(defaultConfig());
  Object.assign(config, { dataDir });
  config.server.port = 0;
  config.log.level = "silent";
  options.config?.(config);
  const server = await startServer(config, { parts: options.parts ?? {} });
  const { url, firstKey: admin } = server;
  if (admin === null) throw new Error("the first start made no key");
  const ask: Carrel["call"] = (method, path, { key = admin, ...rest } = {}) =>
    call(url, method, path, { key, ...rest });

  const pages = async (path: string): Promise<string> => {
    const first = await ask("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100`);
    return `${first.headers.get("x-total-count")} ${first.text}`;
  };

  return {
    url,
    dataDir,
    admin,
    call: ask,
    async key(body = {}) {
      const made = await ask("POST", "/api/key", { json: { name: "test", ...body } });
      if (made.status !== 200) throw new Error(made.text);
      return made.body.key;
    },
    async foreignKey(organization) {
      const response = await fetch("http://localhost/api/key", {
        unix: join(dataDir, "carrel.sock"),
        method: "POST",
        headers: { "x-carrel-organization": organization, "x-carrel-make-organization": "true" },
        body: JSON.stringify({ name: "foreign", role: "admin" }),
      });
      return ((await response.json()) as { key: string }).key;
    },
    async everything() {
      const paths = ["/api/document?include=originalText", "/api/partition", "/api/chat", "/api/key"];
      const files = await readdir(join(dataDir, "files"), { recursive: true }).catch(() => []);
      const kept = files.filter((name) => /[0-9a-f]{64}$/.test(name)).sort();
      return [...(await Promise.all(paths.map(pages))), ...kept].join("\n");
    },
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
