import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openLibrary } from "../../tools/samples/snippets.ts";

/** Each document answers two questions; the second says only what the first one did not. */
const documents = {
  castle: "The castle of Brenn was built by duke Otmar. Its tower is forty metres high. Guided tours start at noon.",
  bridge:
    "The bridge of Varn was built by bishop Leon. Its longest arch spans sixty metres. Tolls were dropped long ago.",
  museum: "The museum of Orsk shows old clocks. Its entrance costs eight euros. Guided tours start at three.",
  lake: "The lake of Tiss is fed by two streams. Its deepest place lies sixty metres down. Swimming is forbidden.",
  mill: "The mill of Dorn grinds rye for the bakers. Its wheel turns in spring only. Visitors may buy flour.",
};

interface Dialogue {
  topic: keyof typeof documents;
  first: string;
  answer: string;
  followUp: string;
}

const dialogues: Dialogue[] = [
  {
    topic: "castle",
    first: "Who built the castle of Brenn?",
    answer: "The castle of Brenn was built by duke Otmar. [1]",
    followUp: "And how high is its tower?",
  },
  {
    topic: "bridge",
    first: "Who built the bridge of Varn?",
    answer: "The bridge of Varn was built by bishop Leon. [1]",
    followUp: "How many metres is it?",
  },
  {
    topic: "museum",
    first: "What does the museum of Orsk show?",
    answer: "The museum of Orsk shows old clocks. [1]",
    followUp: "When do guided tours start there?",
  },
  {
    topic: "lake",
    first: "What feeds the lake of Tiss?",
    answer: "The lake of Tiss is fed by two streams. [1]",
    followUp: "How many metres deep is it?",
  },
  {
    topic: "mill",
    first: "What does the mill of Dorn grind?",
    answer: "The mill of Dorn grinds rye for the bakers. [1]",
    followUp: "May visitors buy it?",
  },
];

const historyOf = ({ first, answer }: Dialogue) => [
  { role: "user" as const, text: first },
  { role: "assistant" as const, text: answer },
];

const idOf = new Map<string, string>();

const library = await openLibrary();
for (const [topic, text] of Object.entries(documents)) idOf.set(topic, await library.put(topic, text));
afterAll(() => library.close());

const firstFound = async (query: string, history: ReturnType<typeof historyOf>): Promise<string | undefined> =>
  (await library.find(query, { history })).snippets[0]?.documentId;

describe("a question that says only what is new", () => {
  test.each(dialogues)("is taken to be about the topic: $followUp", async (dialogue) => {
    expect(await firstFound(dialogue.followUp, historyOf(dialogue))).toBe(idOf.get(dialogue.topic));
  });

  test("finds elsewhere, or by chance, where nothing went before", async () => {
    const alone = await Promise.all(dialogues.map(({ followUp }) => firstFound(followUp, [])));
    const right = alone.filter((id, index) => id === idOf.get(dialogues[index]?.topic ?? ""));
    expect(right.length).toBeLessThan(dialogues.length);
  });

  test("is still understood a turn later", async () => {
    const [castle] = dialogues as [Dialogue];
    const history = [
      ...historyOf(castle),
      { role: "user" as const, text: "And how high is its tower?" },
      { role: "assistant" as const, text: "Its tower is forty metres high. [1]" },
    ];
    expect(await firstFound("When do guided tours start there?", history)).toBe(idOf.get("castle"));
  });
});

describe("a whole question about something else", () => {
  const pairs = dialogues.flatMap((before) =>
    dialogues.filter(({ topic }) => topic !== before.topic).map((next) => ({ before, next })),
  );
  test.each(pairs)("is not drawn back: $before.topic, then $next.first", async ({ before, next }) => {
    expect(await firstFound(next.first, historyOf(before))).toBe(idOf.get(next.topic));
  });
});

describe("documents of one name", () => {
  const parts = {
    gate: "The harbor of Lund was dug by the guild of weavers. Its gate is closed by a chain of bronze at dusk.",
    crane: "A crane of oak lifts cargo of forty tonnes. Six oxen turn it.",
    inn: "At the inn a crane, painted on a sign, greets guests. Rooms have stoves.",
  };
  const names = { gate: "Lund harbor", crane: "Lund harbor", inn: "Travel notes" };
  let ids: Record<keyof typeof parts, string>;
  beforeAll(async () => {
    const put = (part: keyof typeof parts) => library.put(names[part], parts[part]);
    ids = { gate: await put("gate"), crane: await put("crane"), inn: await put("inn") };
  });

  test("are one topic: what was not quoted yet is found in them", async () => {
    const history = [
      { role: "user" as const, text: "Who dug the harbor of Lund?" },
      { role: "assistant" as const, text: parts.gate },
    ];
    expect(await firstFound("And is there a crane?", history)).toBe(ids.crane);
    expect(await firstFound("And is there a crane?", [])).not.toBe(ids.gate);
  });
});

describe("whether the documents hold an answer, in a chat", () => {
  /** The default of `answers.refusalThreshold`. */
  const wish = 0.5;
  const isRefused = async (query: string, before?: Dialogue): Promise<boolean> =>
    (await library.find(query, before === undefined ? {} : { history: historyOf(before) })).refusedAbove < wish;
  const absent = ["What is the capital of France?", "Who painted the Mona Lisa?", "Wer schrieb den Faust?", "asdfgh"];

  test.each(dialogues)("is not told by the words of the turns before: $first", async (before) => {
    for (const question of absent) {
      expect(await isRefused(question)).toBe(true);
      expect(await isRefused(question, before)).toBe(true);
    }
  });
  test.each(dialogues)("is told by them where the question has few of its own: $followUp", async (before) => {
    expect(await isRefused(before.followUp, before)).toBe(false);
    expect(await isRefused("When was that?", before)).toBe(false);
    expect(await isRefused("When was that?")).toBe(true);
  });
  test.each(dialogues)("is not denied because of them: something else, then $first", async (next) => {
    for (const before of dialogues) expect(await isRefused(next.first, before)).toBe(false);
  });
});

describe("a question of function words alone", () => {
  beforeAll(async () => {
    await library.put("bell", "Ring the bell when the door is shut, and ask why and how and by whom it was shut.");
  });
  test.each(["When?", "Why?", "And how?", "By whom?"])(
    "is about the topic, wherever its words stand: %s",
    async (query) => {
      for (const before of dialogues) expect(await firstFound(query, historyOf(before))).toBe(idOf.get(before.topic));
    },
  );
});
