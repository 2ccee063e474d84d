import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Expected } from "./expected.ts";

// biome-ignore lint/suspicious/noExplicitAny: an audit looks into whatever comes
type Json = any;

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

/**
 * Compares all that a server on an upgraded store answers with what was put into the store.
 * @throws AssertionError for the first difference
 */
export const auditStored = async (url: string, { keys, documents, chats, ...expected }: Expected): Promise<void> => {
  const send = (key: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const ask = async (key: string, path: string, body?: object): Promise<Json> => {
    const answer = await send(key, path, body);
    deepStrictEqual({ path, status: answer.status }, { path, status: 200 });
    return await answer.json();
  };
  const found = async (key: string, query: string): Promise<string[]> =>
    (await ask(key, "/api/search", { query })).relevantSnippets.map(({ metadata }: Json) => metadata.documentUploadId);

  for (const [organization, key] of [
    ["default", keys.admin],
    ["Second", keys.second],
  ] as const) {
    const wanted = documents.filter((document) => document.organization === organization);
    const listed: Json[] = await ask(key, "/api/document?limit=100");
    deepStrictEqual(
      listed.map(({ id, name, status }) => ({ id, name, status })).sort(byId),
      wanted.map(({ id, name, status }) => ({ id, name, status })).sort(byId),
    );
    for (const { id, text } of wanted) {
      strictEqual((await ask(key, `/api/document/${id}`)).originalText, text);
      if (text === null) continue;
      const hits = await found(key, text.slice(0, 60));
      strictEqual(hits.includes(id), true, `${id} is not found: ${hits}`);
    }
    const gone = JSON.stringify(await ask(key, "/api/search", { query: expected.removedWord }));
    strictEqual(gone.includes(`${expected.removedWord} stands`), false, gone);
  }
  strictEqual((await send(keys.admin, `/api/document/${expected.removedId}`)).status, 404);
  const rooms = documents.find(({ name }) => name.startsWith("rooms"));
  const file = await send(keys.admin, `/api/document/${rooms?.id}/file`);
  strictEqual(await file.text(), "Name,Room\nAda,12\nGrace,14\n");

  const talk = await ask(keys.admin, `/api/chat/${chats.talk}`);
  deepStrictEqual(
    talk.messages.map(({ message }: Json) => message),
    expected.messages,
  );
  // A limited key made it over the whole organization, which schema 2 let it do.
  strictEqual((await ask(keys.admin, `/api/chat/${chats.widened}`)).partitionId, expected.partitionId);
  const limited: Json[] = await ask(keys.limited, "/api/document?limit=100");
  deepStrictEqual(
    limited.map(({ name }) => name),
    ["Herons"],
  );
  // It goes on: what is put in now is found. Another audit finds the store as it was.
  const added = await ask(keys.admin, "/api/ingest", { name: "New", text: "A pelican came after the upgrade." });
  deepStrictEqual((await found(keys.admin, "pelican")).slice(0, 1), [added.id]);
  const removed = await fetch(`${url}/api/document/${added.id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${keys.admin}` },
  });
  strictEqual(removed.status, 200);
};
