import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { isScopeField } from "../../src/http/schema/fields.ts";
import { allEndpoints } from "../../src/program/app.ts";
import { serve } from "../serve.ts";
import { startTestServer } from "../start-server.ts";
import { secret } from "../webhooks/receiver.ts";
import { openDocumented } from "./documented.ts";
import { nobody } from "./expectations.ts";
import { type FieldKind, type Place, type RecordKind, rules, type World } from "./key-rules.ts";
import { type Answer, call } from "./serve-carrel.ts";

/**
 * Every route × whatever names a scope × left out, null, "", own, another partition's, another organization's × role ×
 * key limited to a partition or not. The routes are those of the route table itself; rules are in key-rules.ts.
 */

type Role = "reader" | "writer" | "admin";
type Given = "left out" | "null" | '""' | Place;

const roles: readonly Role[] = ["reader", "writer", "admin"];
const given: readonly Given[] = ["left out", "null", '""', "own", "other", "foreign"];
const places: readonly Place[] = ["own", "other", "foreign"];

const worlds = {} as Record<Place, World>;
const keys = { limited: {} as Record<Role, string>, unlimited: {} as Record<Role, string>, foreign: "" };
let count = 0;

const send = async (method: string, path: string, key: string | null, body?: object | string): Promise<Answer> => {
  const sent = typeof body === "string" ? { body } : body === undefined ? {} : { json: body };
  const answer = await call(server.url, method, path, { key, ...sent });
  documented.check(method, path, answer);
  return answer;
};
const ok = async (method: string, path: string, key: string, body?: object): Promise<Answer["body"]> => {
  const answer = await send(method, path, key, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
};
const adminOf = (place: Place): string => (place === "foreign" ? keys.foreign : server.key);

const site = serve((request) => {
  const { pathname, origin } = new URL(request.url);
  if (pathname === "/robots.txt") return new Response("User-agent: *\nAllow: /\n");
  if (!pathname.endsWith(".xml"))
    return new Response(`<title>${pathname}</title><p>A page about ${pathname}.</p>`, {
      headers: { "content-type": "text/html" },
    });
  const page = `${origin}/page/of-${pathname.replaceAll(/\W/g, "")}`;
  return new Response(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${page}</loc></url></urlset>`,
  );
});
const server = await startTestServer({
  fetch: { allowPrivateAddresses: true },
  scan: { pauseMs: 1 },
  // Nobody takes them: they stay to be looked at. Those of deletions alone, which are few.
  webhooks: [{ url: "http://127.0.0.1:9/", secret, events: ["document.deleted"] }],
});
const routes = allEndpoints(server.program.deps);
const documented = await openDocumented(server.url);
const operator = await fetch("http://localhost/api/key", {
  unix: `${server.dataDir}/carrel.sock`,
  method: "POST",
  headers: { "x-carrel-organization": "Foreign", "x-carrel-make-organization": "true" },
  body: JSON.stringify({ name: "foreign", role: "admin" }),
});
keys.foreign = ((await operator.json()) as { key: string }).key;
for (const place of places) {
  const word = `${place}secretword`;
  const partition = `Partition ${place}`;
  const made = await ok("POST", "/api/ingest", adminOf(place), {
    name: `Birds ${word}`,
    text: `The bird called ${word} nests in the reeds.`,
    partition,
  });
  const { partitionId } = made;
  const { id: deletedId } = await ok("POST", "/api/ingest", adminOf(place), { name: "D", text: word, partitionId });
  await ok("DELETE", `/api/document/${deletedId}`, adminOf(place));
  worlds[place] = { word, partition, partitionId, documentId: made.id, deletedId };
}
for (const role of roles) {
  const limited = { name: role, role, userId: `limited-${role}`, partitionId: worlds.own.partitionId };
  keys.limited[role] = (await ok("POST", "/api/key", server.key, limited)).key;
  keys.unlimited[role] = (await ok("POST", "/api/key", server.key, { name: role, role, userId: role })).key;
}

const nameOf = ({ method, path }: Pick<Endpoint, "method" | "path">): string => `${method} ${path}`;

const looksLikeScope = (name: string): boolean =>
  /^(partition|document|chat|organization|tenant|scope)(name|ids?|s)?$/i.test(name) ||
  (/Ids?$/.test(name) && name !== "userId");

const fieldsOf = (endpoint: Endpoint): [string, TSchema][] =>
  [endpoint.body, endpoint.query].flatMap((schema) =>
    Object.entries((schema?.properties ?? {}) as Record<string, TSchema>),
  );

/** A record of that place, made for this one question. */
const makeRecord = async (kind: RecordKind, place: Place): Promise<string> => {
  const admin = adminOf(place);
  const { partitionId, partition, deletedId, word } = worlds[place];
  const unique = `${++count}`;
  switch (kind) {
    case "document":
      return (
        await ok("POST", "/api/ingest", admin, { name: `D${unique}`, text: `${word} number ${unique}`, partitionId })
      ).id;
    case "chat":
      return (await ok("POST", "/api/chat", admin, { title: word, partitionId })).id;
    case "partition":
      return partitionId;
    case "key":
      return (await ok("POST", "/api/key", admin, { name: word, partitionId })).id;
    case "delivery":
      return (await ok("GET", `/api/webhook/delivery?documentId=${deletedId}`, admin))[0].id;
    case "message": {
      const chat = await ok("POST", "/api/chat", admin, { title: word, partitionId });
      return (await ok("POST", `/api/chat/${chat.id}/message`, admin, { message: `Where does ${word} nest?` })).id;
    }
    case "receipt":
      return (await ok("POST", "/api/query", admin, { query: `Where does ${word} nest?`, partitionId })).receipt.id;
    case "feedback": {
      const receiptId = await makeRecord("receipt", place);
      return (await ok("POST", "/api/feedback", admin, { receiptId, rating: "up", comment: word })).id;
    }
    case "model":
      return `carrel/${partition}`;
  }
};

const givenValue = (field: FieldKind, which: Given): unknown => {
  if (which === "left out") return undefined;
  if (which === "null") return null;
  if (which === '""') return "";
  return worlds[which][field];
};

interface Asked {
  endpoint: Endpoint;
  key: string | null;
  /** Whose record `:id` names. */
  of: Place;
  id: string;
  fields: Record<string, unknown>;
}

const ask = async ({ endpoint, key, of, id, fields }: Asked): Promise<Answer> => {
  const rule = rules[nameOf(endpoint)];
  const unique = `u${++count}`;
  const base = JSON.parse(
    JSON.stringify(rule?.body?.(worlds[of], unique) ?? {}).replaceAll("SITE", site.url),
  ) as object;
  const path = endpoint.path.replace(":id", encodeURIComponent(id));
  if (rule?.lines === true)
    return await send(endpoint.method, path, key, `${JSON.stringify({ ...base, ...fields })}\n`);
  if (endpoint.method !== "GET") return await send(endpoint.method, path, key, { ...base, ...fields });
  const query = new URLSearchParams(rule?.query);
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) query.set(name, String(value));
  return await send("GET", query.size === 0 ? path : `${path}?${query}`, key);
};

/** `{"a.b": 1}` as `{a: {b: 1}}`. */
const nested = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const [outer = name, inner] = name.split(".");
      return inner === undefined ? [name, value] : [outer, { [inner]: value }];
    }),
  );

/** Status and code as the caller meets them: of a batch, those of its line. */
const outcomeOf = (answer: Answer): { status: number; code: string } => {
  if (answer.headers.get("content-type")?.startsWith("application/x-ndjson") === true) {
    const line = JSON.parse(answer.text) as { error?: { status: number; code: string } };
    return { status: line.error?.status ?? answer.status, code: line.error?.code ?? "" };
  }
  return { status: answer.status, code: codeOf(answer) };
};

/** In the shape of a problem document, or in OpenAI's. */
const codeOf = ({ body }: Answer): string => body?.code ?? body?.error?.code ?? "";

const notThere = /^(document|chat|message|partition|key|delivery|receipt|feedback|model)_not_found$/;
/** Past the key, whatever the record's state then allows. */
const isAllowed = ({ status, code }: { status: number; code: string }): boolean =>
  status !== 401 && status !== 403 && status < 500 && status !== 400 && !notThere.test(code);

const expectNoWord = (answer: Answer, hidden: readonly Place[], what: string): void => {
  for (const place of hidden) {
    const { word, documentId, partitionId, deletedId } = worlds[place];
    // What the caller sent is told back: the path that failed.
    const told = answer.text.replace(/"instance":"[^"]*"/g, "");
    for (const mark of [word, documentId, partitionId, deletedId])
      if (told.includes(mark)) throw new Error(`${what} tells ${mark} of ${place}: ${answer.text.slice(0, 800)}`);
  }
};

/** Where what was made or changed lies by now, as the administrator sees it. */
const placesOf = async (endpoint: Endpoint, answer: Answer): Promise<(string | null)[]> => {
  const text = answer.text.trim();
  if (!text.startsWith("{") && !text.startsWith("[")) return [];
  const body = JSON.parse(text);
  if (Array.isArray(body)) return body.flatMap((one) => (one.partitionId === undefined ? [] : [one.partitionId]));
  const made: string[] = endpoint.path === "/api/scanSitemap" ? body.documents.map(({ id }: { id: string }) => id) : [];
  if (endpoint.path === "/api/ingest/batch") made.push(body.id);
  const looked = await Promise.all(made.map((id) => ok("GET", `/api/document/${id}`, server.key)));
  return [body, ...looked].flatMap((one) => (one.partitionId === undefined ? [] : [one.partitionId]));
};

/** All that the administrator sees of a place. */
const stateOf = async (place: Place): Promise<string> => {
  const admin = adminOf(place);
  const { partitionId } = worlds[place];
  const documents = await ok("GET", `/api/document?limit=100&include=originalText&partitionId=${partitionId}`, admin);
  const partition = await ok("GET", `/api/partition/${partitionId}`, admin);
  const inPlace = async (path: string) =>
    ((await ok("GET", `${path}?limit=100`, admin)) as { partitionId: string | null }[]).filter(
      (one) => one.partitionId === partitionId,
    );
  return JSON.stringify([documents, partition, await inPlace("/api/chat"), await inPlace("/api/feedback")]);
};

describe("the route table", () => {
  test("every route has a rule, and every rule a route", () => {
    const keyed = routes.filter(({ access }) => access !== "open").map(nameOf);
    expect(keyed.toSorted()).toEqual(Object.keys(rules).toSorted());
  });

  test("every field and parameter that names a scope is in its rule, and is read as one", () => {
    for (const endpoint of routes.filter(({ access }) => access !== "open")) {
      const rule = rules[nameOf(endpoint)] ?? {};
      const params = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect([nameOf(endpoint), params]).toEqual([nameOf(endpoint), rule.id === undefined ? [] : ["id"]]);
      const named = fieldsOf(endpoint)
        .filter(([name, schema]) => looksLikeScope(name) || isScopeField(schema))
        .filter(([name]) => rule.harmless?.[name] === undefined && rule.records?.[name] === undefined);
      if (rule.lines === true) continue;
      expect([nameOf(endpoint), named.map(([name]) => name).toSorted()]).toEqual([
        nameOf(endpoint),
        Object.keys(rule.scope ?? {}).toSorted(),
      ]);
      for (const [name, schema] of named) expect([nameOf(endpoint), name, isScopeField(schema)]).toContain(true);
    }
  });
});

/** What a limited or unlimited key is to be answered. */
const expectedOf = (endpoint: Endpoint, field: FieldKind, which: Given, isLimited: boolean): number | "allowed" => {
  const rule = rules[nameOf(endpoint)];
  if (which === "left out" || which === "null" || which === "own") return "allowed";
  if (which === '""') return isLimited ? "allowed" : (rule?.empty ?? (field === "partition" ? 400 : 404));
  // Deliveries are searched, and none is found.
  if (nameOf(endpoint) === "GET /api/webhook/delivery") return "allowed";
  if (which === "other") return isLimited ? 404 : "allowed";
  // Another organization's name is free here.
  return field === "partition" && !isLimited ? "allowed" : 404;
};

const rank: Record<Role, number> = { reader: 1, writer: 2, admin: 3 };
const mayCall = (endpoint: Endpoint, role: Role): boolean => {
  const access = rules[nameOf(endpoint)]?.othersBy ?? endpoint.access;
  return access === "visitor" || access === "open" || rank[role] >= rank[access];
};

/**
 * Fields are read alike for every role that may call at all: the lowest tries all that can be given, the administrator
 * what is elsewhere.
 */
const rolesToTry = (endpoint: Endpoint, which: Given): readonly Role[] => {
  const lowest = roles.find((role) => mayCall(endpoint, role)) ?? "admin";
  return (which === "other" || which === "foreign") && lowest !== "admin" ? [lowest, "admin"] : [lowest];
};

/** A chat is made where there is none of the id. */
const isMadeWhereMissing = (endpoint: Endpoint): boolean => /^(PUT|POST) \/api\/chat\/:id$/.test(nameOf(endpoint));

/** What a problem says, without the id that was asked for. */
const withoutIds = ({ title, detail, error }: Answer["body"]): string =>
  JSON.stringify([title, detail, error]).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|carrel\/[\w ]+/g, "<id>");

describe.each([true, false])("keys that are limited to a partition: %p", (isLimited) => {
  const keysOf = () => (isLimited ? keys.limited : keys.unlimited);
  const hidden: readonly Place[] = isLimited ? ["other", "foreign"] : ["foreign"];

  test("ids: own records are there, others are 404 and stay as they are", async () => {
    const before = await Promise.all(hidden.map(stateOf));
    /** What is said of an id that no record has: the same has to be said of what the key may not see. */
    const detailOfNobody = async (endpoint: Endpoint): Promise<string> => {
      const answer = await ask({ endpoint, key: keysOf().admin, of: "own", id: nobody, fields: {} });
      return withoutIds(answer.body);
    };
    const withId = routes.flatMap((endpoint) => {
      const { id: kind } = rules[nameOf(endpoint)] ?? {};
      return kind === undefined ? [] : [{ endpoint, kind }];
    });
    /** Records that are only read, or belong to somebody else: one of a kind and place serves every route. */
    const lasting = new Map<string, string>();
    await Promise.all(
      [...new Set(withId.map(({ kind }) => kind))].flatMap((kind) =>
        places.map(async (place) => lasting.set(`${kind} ${place}`, await makeRecord(kind, place))),
      ),
    );
    const kept = await Promise.all(hidden.map(stateOf));
    let asked = 0;
    for (const { endpoint, kind } of withId) {
      const unknown = isMadeWhereMissing(endpoint) ? null : await detailOfNobody(endpoint);
      const askAs = async (place: Place, role: Role): Promise<void> => {
        const isHidden = hidden.includes(place);
        const shared = isHidden || endpoint.method === "GET" ? (lasting.get(`${kind} ${place}`) ?? "") : null;
        // A role that may not call is refused whatever the id names.
        const id = shared ?? (mayCall(endpoint, role) ? await makeRecord(kind, place) : nobody);
        const answer = await ask({ endpoint, key: keysOf()[role], of: place, id, fields: {} });
        const what = `${nameOf(endpoint)} of ${place} by ${role}: ${answer.text.slice(0, 300)}`;
        asked += 1;
        expectNoWord(answer, hidden, what);
        if (!mayCall(endpoint, role)) expect([what, answer.status]).toEqual([what, 403]);
        else if (isHidden) {
          expect([what, answer.status, notThere.test(codeOf(answer))]).toEqual([what, 404, true]);
          if (unknown !== null) expect([what, withoutIds(answer.body)]).toEqual([what, unknown]);
        } else expect([what, isAllowed(outcomeOf(answer))]).toEqual([what, true]);
      };
      // To an unlimited key another partition is as its own.
      const rolesFor = (place: Place) =>
        place === "other" && !hidden.includes(place) ? rolesToTry(endpoint, "own") : roles;
      await Promise.all(places.flatMap((place) => rolesFor(place).map((role) => askAs(place, role))));
    }
    expect(asked).toBeGreaterThan(150);
    expect(await Promise.all(hidden.map(stateOf))).toEqual(kept);
    // Made for the questions; what is left is as it was before.
    const pathOf: Partial<Record<RecordKind, string>> = {
      document: "/api/document",
      chat: "/api/chat",
      key: "/api/key",
      feedback: "/api/feedback",
    };
    for (const [name, id] of lasting) {
      const [kind, place] = name.split(" ") as [RecordKind, Place];
      const path = pathOf[kind];
      if (path !== undefined && hidden.includes(place)) await ok("DELETE", `${path}/${id}`, adminOf(place));
    }
    expect((await Promise.all(hidden.map(stateOf))).map(withoutTimes)).toEqual(before.map(withoutTimes));
  });

  test("ids that no record has are 404", async () => {
    for (const endpoint of routes) {
      const { id: kind } = rules[nameOf(endpoint)] ?? {};
      if (kind === undefined || isMadeWhereMissing(endpoint)) continue;
      for (const id of [nobody, "null", "undefined", "%", "*"]) {
        const answer = await ask({ endpoint, key: keysOf().admin, of: "own", id, fields: {} });
        expect([nameOf(endpoint), id, answer.status]).toEqual([nameOf(endpoint), id, 404]);
      }
    }
  });

  test('fields: null, "" and left out are the key\'s own partition; nothing elsewhere is read, made or changed', async () => {
    const before = await Promise.all(hidden.map(stateOf));
    let asked = 0;
    for (const endpoint of routes) {
      const rule = rules[nameOf(endpoint)];
      const askWith = async (name: string, field: FieldKind, which: Given, role: Role): Promise<void> => {
        let id = "";
        if (rule?.id === "chat" && !isLimited)
          id = (await ok("POST", "/api/chat", server.key, { title: "wide", partitionId: null })).id;
        else if (rule?.id !== undefined) id = await makeRecord(rule.id, "own");
        const fields = { [name]: givenValue(field, which) };
        const answer = await ask({ endpoint, key: keysOf()[role], of: "own", id, fields });
        const outcome = outcomeOf(answer);
        const what = `${nameOf(endpoint)} with ${name} ${which} by ${role}: ${answer.text.slice(0, 300)}`;
        const expected = expectedOf(endpoint, field, which, isLimited);
        asked += 1;
        if (expected === "allowed") expect([what, isAllowed(outcome), outcome.status]).toEqual([what, true, 200]);
        else expect([what, outcome.status]).toEqual([what, expected]);
        expectNoWord(answer, hidden, what);
        if (isLimited && outcome.status === 200)
          for (const partitionId of await placesOf(endpoint, answer))
            expect([what, partitionId]).toEqual([what, worlds.own.partitionId]);
        if (id !== "" && rule?.id === "document") await ok("DELETE", `/api/document/${id}`, server.key);
      };
      const asks = Object.entries(rule?.scope ?? {}).flatMap(([name, field], at) =>
        given
          // Without any field the request is the same; to an unlimited key another partition is as its own.
          .filter((which) => (which !== "left out" || at === 0) && (which !== "own" || isLimited))
          .flatMap((which) => rolesToTry(endpoint, which).map((role) => askWith(name, field, which, role))),
      );
      await Promise.all(asks);
    }
    expect(asked).toBeGreaterThan(120);
    expect((await Promise.all(hidden.map(stateOf))).map(withoutTimes)).toEqual(before.map(withoutTimes));
  });

  test("records that a body names: own ones are seen, others are 404 and stay as they are", async () => {
    for (const endpoint of routes) {
      const { records = {} } = rules[nameOf(endpoint)] ?? {};
      const [first] = Object.entries(records);
      for (const [name, kind] of Object.entries(records))
        for (const place of places) {
          const named = { [name]: await makeRecord(kind, place) };
          // One inside an object is said beside the record that the call is about.
          const about =
            name.includes(".") && first !== undefined ? { [first[0]]: await makeRecord(first[1], "own") } : {};
          for (const role of roles) {
            const fields = nested({ ...about, ...named });
            const answer = await ask({ endpoint, key: keysOf()[role], of: "own", id: "", fields });
            const what = `${nameOf(endpoint)} with ${name} of ${place} by ${role}: ${answer.text.slice(0, 300)}`;
            const isHidden = hidden.includes(place);
            expect([what, answer.status]).toEqual([what, isHidden ? 404 : 200]);
            if (isHidden) expect([what, notThere.test(codeOf(answer))]).toEqual([what, true]);
            expectNoWord(answer, hidden, what);
          }
        }
    }
    // Records were made there for the questions; nothing was said of them.
    const after = await Promise.all(hidden.map((place) => ok("GET", "/api/feedback?rating=down", adminOf(place))));
    const said = hidden.map((place) => worlds[place].partitionId);
    expect(after.flat().filter((one: { partitionId: string }) => said.includes(one.partitionId))).toEqual([]);
  });

  test("lists, and whatever names no scope, tell nothing of elsewhere", async () => {
    for (const endpoint of routes) {
      const rule = rules[nameOf(endpoint)];
      if (rule === undefined || rule.id !== undefined || rule.scope !== undefined || rule.records !== undefined)
        continue;
      for (const role of roles) {
        const answer = await ask({ endpoint, key: keysOf()[role], of: "own", id: "", fields: {} });
        const what = `${nameOf(endpoint)} by ${role}: ${answer.text.slice(0, 300)}`;
        const isRefused =
          !mayCall(endpoint, role) || (isLimited && (endpoint.wholeOrganization ?? endpoint.wholeServer) === true);
        expect([what, answer.status]).toEqual([what, isRefused ? 403 : (rule.status ?? 200)]);
        expectNoWord(answer, hidden, what);
      }
    }
    const elsewhere = await send("POST", "/api/partition", keysOf().admin, { name: worlds.other.partition });
    expect(elsewhere.status).toBe(isLimited ? 403 : 200);
  });
});

test("a role below the one that an operation asks for is refused, and nothing changes", async () => {
  const before = await Promise.all(places.map(stateOf));
  for (const endpoint of routes.filter(({ access }) => access !== "open"))
    for (const role of roles.filter((one) => !mayCall(endpoint, one))) {
      const id = rules[nameOf(endpoint)]?.id === "document" ? worlds.own.documentId : nobody;
      const answer = await ask({ endpoint, key: keys.unlimited[role], of: "own", id, fields: {} });
      const what = `${nameOf(endpoint)} by ${role}`;
      expect([what, answer.status, codeOf(answer)]).toEqual([what, 403, "role_forbidden"]);
    }
  expect(await Promise.all(places.map(stateOf))).toEqual(before);
});

test("what concerns the whole server is open to admins of the first organization, the rest to those of each", async () => {
  const ofServer = [
    "GET /api/backup",
    "GET /api/doctor",
    "GET /api/embedder",
    "GET /api/settings",
    "GET /api/settings/storage",
    "GET /api/settings/answer-model",
    "GET /metrics",
    "POST /api/backup",
    "POST /api/check",
    "POST /api/settings/try",
  ];
  const ofEach = [
    "DELETE /api/key/:id",
    "GET /api/audit",
    "GET /api/export",
    "GET /api/key",
    "GET /api/webhook/delivery",
    "POST /api/import",
    "POST /api/key",
    "POST /api/webhook/delivery/:id/replay",
  ];
  const admins = routes.filter(({ access }) => access === "admin");
  // A new operation belongs to one of the two.
  expect(admins.map(nameOf).sort()).toEqual([...ofServer, ...ofEach].sort());
  for (const endpoint of admins) {
    const name = nameOf(endpoint);
    // A body that is refused: nothing is done, and who may do it is asked before.
    const body = endpoint.method === "POST" ? "[" : undefined;
    const [foreign, first] = await Promise.all(
      [keys.foreign, keys.unlimited.admin].map((key) =>
        send(endpoint.method, endpoint.path.replace(":id", nobody), key, body),
      ),
    );
    expect([name, foreign?.body?.code === "organization_forbidden"]).toEqual([name, ofServer.includes(name)]);
    expect([name, first?.status === 403]).toEqual([name, false]);
    if (ofServer.includes(name)) expect(foreign?.body.detail).toContain("the organization `default`");
  }
  // The owner of the data directory works on any organization.
  const headers = { "x-carrel-organization": "Foreign" };
  const socket = `${server.dataDir}/carrel.sock`;
  expect((await fetch("http://localhost/api/embedder", { unix: socket, headers })).status).toBe(200);
});

test("without a key, and with one that nobody issued, everything but what is open is 401", async () => {
  for (const endpoint of routes) {
    if (endpoint.access === "open") continue;
    const { id: kind } = rules[nameOf(endpoint)] ?? {};
    const id = kind === undefined ? "" : await makeRecord(kind, "own");
    for (const [key, code] of [
      [null, /^(key_missing|invalid_api_key)$/],
      [`crl_${"x".repeat(43)}`, /^(key_unknown|invalid_api_key)$/],
    ] as const) {
      const answer = await ask({ endpoint, key, of: "own", id, fields: {} });
      expect([nameOf(endpoint), answer.status, codeOf(answer)]).toEqual([
        nameOf(endpoint),
        401,
        expect.stringMatching(code),
      ]);
      expectNoWord(answer, places, nameOf(endpoint));
    }
  }
  for (const authorization of ["Bearer", "Basic YTpi", server.key])
    expect(codeOf(await call(server.url, "GET", "/api/document", { headers: { authorization } }))).toBe("key_missing");
});

test("a stored answer of an idempotent request is the caller's own", async () => {
  const headers = { "idempotency-key": "the same for all" };
  const json = { name: "I", text: `Idempotent ${worlds.other.word}`, partitionId: worlds.other.partitionId };
  const first = await call(server.url, "POST", "/api/ingest", { key: keys.unlimited.writer, json, headers });
  expect(first.status).toBe(200);
  for (const role of ["writer", "admin"] as const) {
    const again = await call(server.url, "POST", "/api/ingest", { key: keys.limited[role], json, headers });
    expect(again.status).toBe(404);
    expect(again.text).not.toContain(first.body.id);
  }
});

test("an upsert of an external id that another partition has makes an own document", async () => {
  const metadata = { externalId: "shared" };
  const theirs = await ok("POST", "/api/ingest", server.key, {
    name: "E",
    text: "Theirs.",
    metadata,
    upsert: true,
    partitionId: worlds.other.partitionId,
  });
  const ours = await ok("POST", "/api/ingest", keys.limited.writer, {
    name: "E",
    text: "Ours.",
    metadata,
    upsert: true,
  });
  expect(ours.id).not.toBe(theirs.id);
  expect(ours.partitionId).toBe(worlds.own.partitionId);
  expect((await ok("GET", `/api/document/${theirs.id}`, server.key)).originalText).toBe("Theirs.");
});

/** Records that were made and deleted leave a later time and other counts of the list's first page alone. */
function withoutTimes(state: string): string {
  return state.replaceAll(/"updatedAt":"[^"]+"/g, "");
}
