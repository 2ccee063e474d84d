import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { Parts } from "../../src/program/environment.ts";
import { type Answer, type CallOptions, callServer } from "../call-server.ts";
import { startTestServer } from "../start-server.ts";
import { type OpenApi, openDocumented } from "./documented.ts";

export { type Answer, type CallOptions, callServer as call };

/** The whole server (`startTestServer`) with what tests of the contract need: keys made by its own ways. */
export interface Carrel {
  url: string;
  dataDir: string;
  /** As `/openapi.full.json` has it. */
  openapi: OpenApi;
  /** The admin key of the first start. */
  admin: string;
  /** A new key of organization `default`, made over HTTP. */
  key(body?: Record<string, unknown>): Promise<string>;
  /** An admin key of another organization, made as the operator's command makes it. */
  foreignKey(organization: string): Promise<string>;
  /** With the admin's key where none is given; null sends none. A JSON answer must be as it is documented. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Every record the admin can see and the original files kept: to tell that nothing changed. */
  everything(): Promise<string>;
  stop(): Promise<void>;
}

export const serveCarrel = async (
  options: { config?: (config: Config) => void; parts?: Partial<Parts> } = {},
): Promise<Carrel> => {
  const { config: configure, parts = {} } = options;
  const server = await startTestServer(
    {},
    { adminKey: null, parts, ...(configure === undefined ? {} : { configure }) },
  );
  const { url, dataDir, key: admin, ask, stop } = server;
  const documented = await openDocumented(url);

  const pages = async (path: string): Promise<string> => {
    const first = await ask("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100`);
    return `${first.headers.get("x-total-count")} ${first.text}`;
  };

  return {
    url,
    dataDir,
    admin,
    openapi: documented.openapi,
    async call(method, path, options) {
      const answer = await ask(method, path, options);
      documented.check(method, path, answer);
      return answer;
    },
    stop,
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
  };
};
