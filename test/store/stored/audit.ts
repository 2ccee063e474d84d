import { expect } from "bun:test";
import { startTestServer } from "../../start-server.ts";
import type { Expected } from "./expected.ts";

type Json = { id: string; name: string; status: string; originalText: string | null };

/** Starts a server on an upgraded store, and compares all that it holds with what was put in. */
export const auditStored = async (dataDir: string, expected: Expected): Promise<void> => {
  const { keys, documents, chats } = expected;
  const server = await startTestServer({}, { adminKey: keys.admin }, dataDir);
  const get = async (path: string, key: string) => {
    const answer = await server.ask("GET", path, { key });
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    return answer.body;
  };
  try {
    for (const [organization, key] of [
      ["default", keys.admin],
      ["Second", keys.second],
    ] as const) {
      const wanted = documents.filter((document) => document.organization === organization);
      const listed = (await get("/api/document?limit=100", key)) as Json[];
      expect(listed.map(({ id, name, status }) => ({ id, name, status })).sort(byId)).toEqual(
        wanted.map(({ id, name, status }) => ({ id, name, status })).sort(byId),
      );
      for (const { id, text } of wanted) {
        const { originalText } = (await get(`/api/document/${id}`, key)) as Json;
        expect(originalText).toBe(text);
        if (text === null) continue;
        const asked = await server.ask("POST", "/api/search", { key, json: { query: text.slice(0, 60) } });
        const found = asked.body.relevantSnippets as { metadata: { documentUploadId: string } }[];
        expect(found.map(({ metadata }) => metadata.documentUploadId)).toContain(id);
      }
      const gone = await server.ask("POST", "/api/search", { key, json: { query: expected.removedWord } });
      expect(JSON.stringify(gone.body)).not.toContain("quokka stands");
    }
    expect((await server.ask("GET", `/api/document/${expected.removedId}`, {})).status).toBe(404);
    const rooms = documents.find(({ name }) => name.startsWith("rooms"));
    const file = await fetch(`${server.url}/api/document/${rooms?.id}/file`, {
      headers: { authorization: `Bearer ${keys.admin}` },
    });
    expect(await file.text()).toBe("Name,Room\nAda,12\nGrace,14\n");

    const talk = await get(`/api/chat/${chats.talk}`, keys.admin);
    expect((talk.messages as { message: string }[]).map(({ message }) => message)).toEqual(expected.messages);
    // A limited key made it over the whole organization, which schema 2 let it do.
    const widened = await get(`/api/chat/${chats.widened}`, keys.admin);
    expect(widened.partitionId).toBe(expected.partitionId);
    const limited = (await get("/api/document?limit=100", keys.limited)) as Json[];
    expect(limited.map(({ name }) => name)).toEqual(["Herons"]);
    // It goes on: what is put in now is found.
    const added = await server.post("/api/ingest", { name: "New", text: "A pelican came after the upgrade." });
    const { id } = (await added.json()) as Json;
    const asked = await server.ask("POST", "/api/search", { json: { query: "pelican" } });
    expect(asked.body.relevantSnippets[0]?.metadata.documentUploadId).toBe(id);
  } finally {
    await server.stop();
  }
};

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
