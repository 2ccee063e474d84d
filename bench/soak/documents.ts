import { type Contents, createPlaces, fileForm, ingest, type Place, type Places } from "./population.ts";
import type { Client } from "./requests.ts";
import type { Work } from "./schedule.ts";

/** Documents that are always there, by how they are changed. */
export interface Population {
  texts: Places;
  files: Places;
  /** Documents that another system sends again and again under its own id. */
  mirrored: Places;
}

const counts = { texts: 600, files: 100, mirrored: 300 };
/** How many documents the population has. */
export const populationSize = counts.texts + counts.files + counts.mirrored;
const atOnce = 16;
const batchLines = 20;
const pollMs = 250;

const range = (length: number): number[] => Array.from({ length }, (_, at) => at);

const textBody = (contents: Contents, number: number) => ({
  name: `Note ${number}`,
  text: contents.text(),
  partition: `team ${number % 8}`,
  metadata: { shelf: number % 5 },
});

const mirroredBody = (contents: Contents, number: number) => ({
  name: `Page ${number}`,
  text: contents.text(),
  partition: "mirror",
  metadata: { externalId: `page-${number}` },
  upsert: true,
});

const eachInTurn = async (numbers: readonly number[], make: (number: number) => Promise<string>): Promise<string[]> => {
  const ids: string[] = [];
  const left = numbers.values();
  const run = async () => {
    for (const number of left) ids[number] = await make(number);
  };
  await Promise.all(range(atOnce).map(run));
  return ids;
};

/** Ingests everything that is there from the beginning. */
export const fillPopulation = async (client: Client, contents: Contents, random: () => number): Promise<Population> => {
  const texts = await eachInTurn(range(counts.texts), (at) => ingest(client, textBody(contents, at)));
  const files = await eachInTurn(range(counts.files), (at) => ingest(client, fileForm(contents.file(at))));
  const mirrored = await eachInTurn(range(counts.mirrored), (at) => ingest(client, mirroredBody(contents, at)));
  return {
    texts: createPlaces(texts, random),
    files: createPlaces(files, random),
    mirrored: createPlaces(mirrored, random),
  };
};

const untilProcessed = async (client: Client, id: string): Promise<void> => {
  for (;;) {
    const { status } = (await client.ask("GET", `/api/document/${id}`)) as { status: string };
    if (status === "processed") return;
    if (status === "failed") throw new Error(`document ${id} failed`);
    await Bun.sleep(pollMs);
  }
};

const sendBatch = async (client: Client, contents: Contents, places: readonly Place[]): Promise<void> => {
  const body = places.map(({ number }) => JSON.stringify(mirroredBody(contents, number))).join("\n");
  const response = await client.send("POST", "/api/ingest/batch", {
    body,
    headers: { "content-type": "application/x-ndjson" },
  });
  const answers = (await response.text()).trim().split("\n");
  if (answers.length !== places.length) throw new Error(`${answers.length} answers for ${places.length} lines`);
  for (const answer of answers) {
    const { line, id } = JSON.parse(answer) as { line: number; id?: string };
    const place = places[line - 1];
    if (id === undefined || place === undefined) throw new Error(answer);
    place.id = id;
    await untilProcessed(client, id);
  }
};

/** All that changes documents, or reads them by id. */
export const documentWork = (client: Client, contents: Contents, population: Population): Work[] => {
  const one = (places: Places, work: (place: Place) => Promise<void>) => () =>
    places.use(1, async ([place]) => {
      if (place !== undefined) await work(place);
    });
  const remove = ({ id }: Place) => client.ask("DELETE", `/api/document/${id}`);
  const read = async ({ id }: Place): Promise<void> => {
    await client.ask("GET", `/api/document/${id}`);
    await client.ask("GET", `/api/document/${id}/snippets`);
    await client.ask("GET", "/api/document?limit=20&sortOrder=asc&status=processed");
  };
  return [
    {
      kind: "delete a text, ingest another",
      perDay: 800,
      run: one(population.texts, async (place) => {
        await remove(place);
        place.id = await ingest(client, textBody(contents, place.number));
      }),
    },
    {
      kind: "delete a file, upload another",
      perDay: 300,
      run: one(population.files, async (place) => {
        await remove(place);
        place.id = await ingest(client, fileForm(contents.file(place.number)));
      }),
    },
    {
      kind: "PUT another text",
      perDay: 600,
      run: one(population.texts, async ({ id }) => {
        await client.ask("PUT", `/api/document/${id}`, { text: contents.text() });
      }),
    },
    {
      kind: "upsert, changed",
      perDay: 500,
      run: one(population.mirrored, async (place) => {
        place.id = await ingest(client, mirroredBody(contents, place.number));
      }),
    },
    {
      kind: "upsert, changed and then the same",
      perDay: 150,
      run: one(population.mirrored, async (place) => {
        const body = mirroredBody(contents, place.number);
        place.id = await ingest(client, body);
        const again = (await client.ask("POST", "/api/ingest", body)) as { unchanged?: boolean };
        if (again.unchanged !== true) throw new Error("the same text was taken for another");
      }),
    },
    {
      kind: `batch of ${batchLines} upserts, until processed`,
      perDay: 60,
      run: () => population.mirrored.use(batchLines, (places) => sendBatch(client, contents, places)),
    },
    { kind: "read a document, its snippets, a list", perDay: 1_200, run: one(population.texts, read) },
    {
      kind: "download a file",
      perDay: 300,
      run: one(population.files, async ({ id }) => {
        const response = await client.send("GET", `/api/document/${id}/file`);
        if (!response.ok) throw new Error(`the file of ${id}: ${response.status}`);
        await response.arrayBuffer();
      }),
    },
  ];
};
