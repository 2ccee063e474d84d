/**
 * What others notice of clients that hold connections open: silent ones, half a head, bodies that hardly come, on every
 * kind of route and encoding, and answers that nobody reads; and whether clients that are honest and slow are served:
 *
 *     bun bench/serving/slow-clients.ts [BINARY] [SECONDS] [PART OF AN ATTACK'S NAME]
 *
 * BINARY is `dist/carrel`; without it the program runs from source. The attackers come from one address, with one key; a
 * connection that the server closes is opened again. Others come from other addresses, with another key, one request after
 * the other: a visitor's message, a question, an ingest and a sign-in. On Linux, where 127.0.0.0/8 is all loopback.
 */
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { ms, quantile, show } from "./figures.ts";
import { cpuSecondsOf } from "./process-figures.ts";
import { commandOf, post, startProgram, temporaryFolder } from "./program.ts";

const counts = [129, 256, 1_000];
const seconds = Number(process.argv[3] ?? 12);
const attackers = "127.0.0.1";
/** The honest visitor sends more than one person would; what an address may ask stays as it is. */
for (const name of ["VISITOR_MESSAGES", "CHAT_MESSAGES"])
  process.env[`CARREL_PUBLIC_CHATS_${name}_PER_MINUTE`] = "1000000";
process.env.CARREL_PUBLIC_CHATS_CHAT_MESSAGES_PER_DAY = "10000000";
process.env.CARREL_MODELS_EMBEDDING_MODEL = "static";

const folder = temporaryFolder();
const program = await startProgram(commandOf(process.argv[2]), join(folder.path, "server"));
const port = Number(new URL(program.url).port);
const admin = program.headers.authorization ?? "";
const keyOf = async (role: string): Promise<string> =>
  `Bearer ${((await post(program, "/api/key", { name: role, role })) as { key: string }).key}`;
const [readerKey, writerKey] = [await keyOf("reader"), await keyOf("writer")];
const hours = { name: "hours", text: "The reading room opens at nine.", partition: "house" };
const { partitionId } = (await post(program, "/api/ingest", hours)) as { partitionId: string };
const chat = ((await post(program, "/api/chat", { title: "Open", public: true, partitionId })) as { id: string }).id;
const longText = "The pump is serviced every 400 hours. ".repeat(200_000);
const long = ((await post(program, "/api/ingest", { name: "long", text: longText })) as { id: string }).id;

interface Ask {
  method: string;
  path: string;
  key?: string;
  body?: string;
  address: string;
}

/** Status of the answer, read to its end; 0 where there was none. */
const ask = ({ method, path, key, body, address }: Ask): Promise<number> =>
  new Promise((resolve) => {
    const headers = {
      "content-type": "application/json",
      ...(key === undefined ? {} : { authorization: key }),
      ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
    };
    const options = { host: "127.0.0.1", port, localAddress: address, agent: false, method, path, headers };
    const sent = request({ ...options, timeout: 30_000 }, (answer) => {
      answer.on("end", () => resolve(answer.statusCode ?? 0)).on("error", () => resolve(0));
      answer.resume();
    });
    sent.on("error", () => resolve(0)).on("timeout", () => sent.destroy());
    sent.end(body);
  });

let turn = 0;
const honest: Record<string, () => Omit<Ask, "address">> = {
  message: () => ({ method: "POST", path: `/api/chat/${chat}/message`, body: '{"message":"When does it open?"}' }),
  question: () => ({
    method: "POST",
    path: "/api/search",
    key: admin,
    body: JSON.stringify({ query: "when does it open", partitionId }),
  }),
  ingest: () => ({
    method: "POST",
    path: "/api/ingest",
    key: admin,
    body: `{"name":"n${turn}","text":"Number ${turn}."}`,
  }),
  "sign-in": () => ({ method: "POST", path: "/api/session", body: JSON.stringify({ key: admin.slice(7) }) }),
};

const head = (path: string, key: string | null, rest: string, method = "POST"): string =>
  `${method} ${path} HTTP/1.1\r\nHost: nas\r\n${key === null ? "" : `Authorization: ${key}\r\n`}${rest}\r\n`;
const declared = (type: string) => `Content-Type: ${type}\r\nContent-Length: 262144\r\n`;
const chunked = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
const json = declared("application/json");
const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';

interface Attack {
  /** What each connection sends at first; connections take turns. */
  begin: readonly string[];
  /** What each sends every second from then on. */
  drip: string;
}

const attacks: Record<string, Attack> = {
  "silent connections": { begin: [""], drip: "" },
  "heads that do not end": { begin: ["GET / HTTP/1.1\r\nHost: nas\r\nX: "], drip: "x" },
  "bodies: visitors' messages": { begin: [`${head(`/api/chat/${chat}/message`, null, json)}{`], drip: " " },
  "bodies: sign-ins": { begin: [`${head("/api/session", null, json)}{`], drip: " " },
  "bodies: a reader's questions": {
    begin: ["/api/search", "/api/query", `/api/chat/${chat}/private`].map((path) => `${head(path, readerKey, json)}{`),
    drip: " ",
  },
  "bodies: a reader's ingests (403)": { begin: [`${head("/api/ingest", readerKey, json)}{`], drip: " " },
  "bodies: a writer's ingests": {
    begin: [
      `${head("/api/ingest", writerKey, json)}{`,
      `${head("/api/ingest", writerKey, declared("application/x-www-form-urlencoded"))}name=`,
      `${head("/api/ingest", writerKey, declared("multipart/form-data; boundary=x"))}${part}`,
      `${head("/api/ingest/batch", writerKey, json)}{`,
    ],
    drip: " ",
  },
  "bodies: in chunks": {
    begin: [
      `${head(`/api/chat/${chat}/message`, null, chunked)}1\r\n{\r\n`,
      `${head("/api/session", null, chunked)}1\r\n{\r\n`,
      `${head("/api/search", readerKey, chunked)}1\r\n{\r\n`,
      `${head("/api/ingest", writerKey, chunked)}1\r\n{\r\n`,
    ],
    drip: "1\r\n \r\n",
  },
  "answers that nobody reads": {
    begin: [
      head(`/api/document/${long}/text`, readerKey, "", "GET"),
      head(`/api/document/${long}`, readerKey, "", "GET"),
    ],
    drip: "",
  },
};

/** Holds so many connections open until the end is called. @returns the statuses that came */
const hold = (count: number, { begin, drip }: Attack, isReading: boolean) => {
  const sockets = new Set<Socket>();
  const statuses = new Map<string, number>();
  let isOver = false;
  const open = (index: number): void => {
    const socket = connect({ host: "127.0.0.1", port, localAddress: attackers });
    sockets.add(socket);
    socket.on("connect", () => socket.write(begin[index % begin.length] ?? ""));
    if (isReading)
      socket.on("data", (data) => {
        const status = /^HTTP\/1.1 (\d+)/.exec(String(data))?.[1] ?? "";
        if (status !== "") statuses.set(status, (statuses.get(status) ?? 0) + 1);
      });
    else socket.pause();
    const dripping = setInterval(() => drip !== "" && socket.writable && socket.write(drip), 1_000);
    socket
      .on("error", () => undefined)
      .on("close", () => {
        clearInterval(dripping);
        sockets.delete(socket);
        if (!isOver) setTimeout(() => isOver || open(index), 200);
      });
  };
  for (let index = 0; index < count; index += 1) open(index);
  return () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    return [...statuses].map(([status, times]) => `${times} × ${status}`).join(", ");
  };
};

interface Served {
  waits: number[];
  failed: string[];
  /** Of the server, in milliseconds a second. */
  cpu: number;
}

/** Requests of others for a while: what they waited, and which failed. */
const serve = async (forSeconds: number): Promise<Served> => {
  const [beganAt, cpuBefore] = [performance.now(), cpuSecondsOf(program.pid)];
  const until = performance.now() + forSeconds * 1_000;
  const waits: number[] = [];
  const failed: string[] = [];
  while (performance.now() < until)
    for (const [name, of] of Object.entries(honest)) {
      turn += 1;
      if (name === "sign-in" && turn % 40 > 3) continue;
      const began = performance.now();
      const status = await ask({ ...of(), address: `127.0.1.${(turn % 250) + 1}` });
      waits.push(performance.now() - began);
      if (status !== 200 && !(name === "sign-in" && status === 429)) failed.push(`${name} ${status}`);
      await Bun.sleep(10);
    }
  return { waits, failed, cpu: (1_000_000 * (cpuSecondsOf(program.pid) - cpuBefore)) / (performance.now() - beganAt) };
};
const waited = ({ waits, failed, cpu }: Served): string => {
  const wrong = failed.length === 0 ? "" : ` (${[...new Set(failed)].join(", ")})`;
  return `p50 ${ms(quantile(waits, 0.5))}, p99 ${ms(quantile(waits, 0.99))}, failed ${failed.length} of ${waits.length}${wrong}, CPU ${cpu.toFixed(0)} ms/s`;
};

/** The same without and then with an attack: the machine may be busy with something else. */
const measure = async (what: string, count: number, attack: Attack): Promise<void> => {
  const before = await serve(seconds / 2);
  const end = hold(count, attack, !what.startsWith("answers"));
  await Bun.sleep(1_000);
  const during = await serve(seconds);
  const megabytes = (await program.residentMb()).toFixed(0);
  show(
    `${what}, ${count}`,
    `${waited(during)}; before: ${waited(before)}; ${megabytes} MB; attackers got ${end() || "nothing"}`,
  );
  await Bun.sleep(500);
};

/** A body of so many bytes at so many a second, as a client on a bad line sends it. */
const slowly = async (what: string, key: string, rest: string, body: string, bytesPerSecond: number): Promise<void> => {
  const [path = ""] = what.split(" ");
  const began = performance.now();
  const answer = await new Promise<string>((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress: "127.0.2.1" }, async () => {
      socket.write(head(path, key, `${rest}Content-Length: ${body.length}\r\n`));
      for (let at = 0; at < body.length && socket.writable; at += bytesPerSecond / 4) {
        socket.write(body.slice(at, at + bytesPerSecond / 4));
        await Bun.sleep(250);
      }
    });
    let came = "";
    socket.on("data", (data) => {
      came += String(data);
      if (came.includes("\r\n")) resolve(came.split("\r\n", 1)[0] ?? "");
    });
    socket.on("error", () => undefined).on("close", () => resolve("closed without an answer"));
  });
  show(
    `${what}, ${bytesPerSecond} bytes a second`,
    `${answer} after ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
};

/** Reads a long text at so many bytes a second. */
const readSlowly = async (bytesPerSecond: number): Promise<void> => {
  let came = 0;
  const began = performance.now();
  await new Promise<void>((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress: "127.0.2.2" }, () =>
      socket.write(head(`/api/document/${long}/text`, admin, "Connection: close\r\n", "GET")),
    );
    socket.on("data", (data) => {
      came += data.length;
      socket.pause();
      setTimeout(() => socket.resume(), (data.length / bytesPerSecond) * 1_000);
    });
    socket.on("error", () => undefined).on("close", () => resolve());
  });
  const whole = came >= longText.length ? "whole" : `only ${came} of ${longText.length} bytes`;
  show(
    `a reader of ${bytesPerSecond} bytes a second`,
    `${whole} after ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
};

const filler = "a ".repeat(300_000);
const fields = (length: number) => JSON.stringify({ name: "slow", text: filler.slice(0, length) });
const type = "Content-Type: application/json\r\n";
const form = `${part}${filler}\r\n--x--\r\n`;
const slowOnes = Promise.all([
  slowly("/api/ingest in JSON", admin, type, fields(600_000), 15_000),
  slowly("/api/ingest as a file", admin, "Content-Type: multipart/form-data; boundary=x\r\n", form, 15_000),
  slowly("/api/ingest/batch", admin, type, `${fields(300_000)}\n${fields(290_000)}\n`, 15_000),
  slowly("/api/ingest in JSON", admin, type, fields(60_000), 1_600),
  slowly("/api/ingest in JSON", admin, type, fields(60_000), 600),
  readSlowly(60_000),
]);
for (const [name, attack] of Object.entries(attacks))
  if (name.includes(process.argv[4] ?? "")) for (const count of counts) await measure(name, count, attack);
await slowOnes;
await program.stop();
folder.remove();
process.exit();
