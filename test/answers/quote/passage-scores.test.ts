import { expect, test } from "bun:test";
import { scoresOfPassages as readScores, type ScoredText } from "../../../src/answers/quote/passage-scores.ts";

const prose = (texts: readonly string[], snippet = 0): ScoredText[] =>
  texts.map((text) => ({ text, snippet, isProse: true, under: "" }));

const scoresOfPassages = async (question: string, passages: readonly ScoredText[]): Promise<number[]> =>
  (await readScores(question, passages)).map(({ score }) => score);

/** Index of the highest score. */
const best = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));

test("a sentence that goes on from the one with the name beats one elsewhere that says as much", async () => {
  const texts = [
    "Rain fell.",
    "He was born in Ulm.",
    "Days went by.",
    "Anna Berg founded it.",
    "She was born in Bergen.",
  ];
  const [, elsewhere = 0, , name = 0, after = 0] = await scoresOfPassages("Where was Anna Berg born?", prose(texts));
  expect(after).toBeGreaterThan(elsewhere);
  expect(name).toBeGreaterThan(elsewhere);
});

test("the sentence before counts more than the one after, and neither as much as the sentence itself", async () => {
  const [before = 0, itself = 0, after = 0, far = 0] = await scoresOfPassages(
    "gate",
    prose(["Rain fell.", "The gate.", "It is old.", "Days went by."]),
  );
  expect(itself).toBeGreaterThan(after);
  expect(after).toBeGreaterThan(before);
  expect(before).toBeGreaterThan(far);
  expect(far).toBe(0);
});

test("what stands beside in another snippet, or in a list, counts nothing", async () => {
  const apart = await scoresOfPassages("gate", [...prose(["The gate."], 0), ...prose(["It is old."], 1)]);
  expect(apart[1]).toBe(0);
  const item = (text: string): ScoredText => ({ text, snippet: 0, isProse: false, under: "" });
  expect((await scoresOfPassages("gate", [item("- gate"), item("- wall")]))[1]).toBe(0);
});

test("a word of what the passage stands under counts, less than one of its own", async () => {
  const under = { snippet: 0, isProse: true, under: "Gate" };
  const [own = 0, titled = 0, other = 0] = await scoresOfPassages("gate", [
    { text: "The gate is old.", snippet: 0, isProse: true, under: "" },
    { ...under, text: "It closes at six." },
    { text: "Rain fell.", snippet: 0, isProse: true, under: "Weather" },
  ]);
  expect(own).toBeGreaterThan(titled);
  expect(titled).toBeGreaterThan(other);
  expect(other).toBeLessThan(0.5);
});

test.each([
  ["Wie stark war die Verteidigung?", "Die Verteidigungslinie hielt."],
  ["Who electrified the province?", "The electricians sit in Leiden."],
  ["Сколько стоит библиотечный билет?", "Библиотекари собрались вечером."],
])("a relative of a word is worth something: %s", async (question, relative) => {
  const [none = 1, some = 0] = await scoresOfPassages(question, [
    ...prose(["Rain, дождь."], 0),
    ...prose([relative], 1),
  ]);
  expect(none).toBe(0);
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(1);
});

test("a few equal letters make no relative", async () => {
  expect(await scoresOfPassages("transformation", prose(["A transcontinental line."]))).toEqual([0]);
  expect(await scoresOfPassages("gate", prose(["A garden."]))).toEqual([0]);
});

test("a word that every passage holds decides nothing, and nothing scores nothing", async () => {
  const scores = await scoresOfPassages("gate opens", prose(["The gate opens.", "The gate."]));
  expect(best(scores)).toBe(0);
  expect(await scoresOfPassages("", prose(["The gate."]))).toEqual([0]);
  expect(await scoresOfPassages("gate", [])).toEqual([]);
});

test("support leaves out words that name the document, and common words count little", async () => {
  const titled = (text: string): ScoredText => ({
    text,
    snippet: 0,
    isProse: true,
    under: "",
    title: "Rowing club rules",
  });
  const [gate] = await readScores("When does the rowing club close the gate?", [titled("The gate closes at six.")]);
  expect(gate?.support).toBe(1);
  const [members] = await readScores("Who is the treasurer of the rowing club?", [
    titled("Questions go to Hettie Marlow."),
  ]);
  expect(members?.support).toBeLessThan(0.3);
});

test("the kind of thing that is asked for has to be there", async () => {
  const has = async (question: string, text: string) => (await readScores(question, prose([text])))[0]?.hasAnswer;
  expect(await has("How many members are there?", "The club has 40 members.")).toBe(true);
  expect(await has("How many members are there?", "The house is open to members from 06:00.")).toBe(false);
  expect(await has("What is the e-mail address of the steward?", "Questions go to the steward.")).toBe(false);
  expect(await has("How long is the cable?", "Check the cable at the back of A12.")).toBe(false);
  expect(await has("What does a room cost?", "The room is booked under HD-77301.")).toBe(false);
  expect(await has("What does a room cost?", "A room is 80 euros.")).toBe(true);
  expect(await has("Quanto costa il coperto?", "Coperto 2,50 euro.")).toBe(true);
  expect(await has("How many children are there?", "It costs $640 per child.")).toBe(false);
  expect(await has("Wie viele Parzellen gibt es?", "§ 1 Parzellen")).toBe(false);
  expect(await has("Quel est le numéro de téléphone ?", "14 rue des Tanneurs, 37000 Tours, facture n° 2025-318")).toBe(
    false,
  );
});

test("an amount of another thing, or for others, is no answer", async () => {
  const has = async (question: string, text: string) => (await readScores(question, prose([text])))[0]?.hasAnswer;
  expect(await has("What is the dose for children?", "The dose is one tablet a day for adults.")).toBe(false);
  expect(await has("What is the dose for children?", "The dose is half a tablet a day for children.")).toBe(true);
  expect(await has("What is the rent for the flat?", "The rent is 900 euros.")).toBe(true);
  expect(await has("Wie viel Salz kommt in den Eintopf?", "In den Eintopf kommen 300 g Linsen.")).toBe(false);
  expect(await has("Wie viel kostet der Eintopf?", "Der Eintopf kostet 7 Euro.")).toBe(true);
  expect(await has("Combien de temps dure la visite ?", "La visite dure deux heures.")).toBe(true);
});

test("a number that the question calls a phone number need not be called so in the text", async () => {
  const vet = "Vet: Dr. Amundsen, 0131 555 0172, open till 18:00.";
  const read = async (question: string, text: string) => (await readScores(question, prose([text])))[0];
  expect(await read("What is the phone number of the vet?", vet)).toMatchObject({ isNamedKind: true, support: 1 });
  expect(await read("What is the phone number of the dentist?", vet)).toMatchObject({ isNamedKind: false });
  expect(await read("What is the phone number of the vet?", "The vet is in Leith.")).toMatchObject({
    isNamedKind: false,
  });
});

test.each([
  ["Who is Ida Falk's dentist?", "Member: Ida Falk, since 2019.", false],
  ["Who is Ida Falk?", "Ida Falk is the treasurer.", true],
  ["When was Ida Falk born?", "Ida Falk joined in 1998.", false],
  ["Which colour is the fence?", "The fence is built in May.", false],
  ["Which colour is the fence?", "The colour of the fence is green.", true],
  ["Is there a sauna in the gym?", "The gym opens at six.", false],
  ["Qual è la partita IVA di Bruna Pasini?", "Fattura di Bruna Pasini, 12 maggio.", false],
  ["How much is a monthly ticket?", "A week ticket is 21 euros.", false],
  ["How much is a week ticket?", "A week ticket is 21 euros.", true],
  ["Wie laut ist die Maschine?", "Die Maschine dreht 1400 Mal in der Minute.", false],
  ["Wie laut ist die Maschine?", "Die Maschine: Geräusch 62 dB.", true],
  ["How long is the tour?", "The tour ends after 40 minutes.", true],
  ["Comment s'appelle le curé ?", "Les travaux sont confiés à l'entreprise Kerdoncuff.", false],
  ["What is the name of the vicar?", "The vicar, Judith Farrant, opens the fair.", true],
])("whether a passage speaks of the thing asked: %s %s", async (question, text, isOfThing) => {
  const [score] = await readScores(question, prose([text, "Rain fell.", "Days went by."]));
  expect(score?.isOfThing).toBe(isOfThing);
});

test.each([
  ["¿Quién entrega las llaves?", "Las llaves las entrega Joaquim en el café de abajo."],
  ["Кто делает педикюр?", "Педикюр;Оксана;90;2400"],
  ["Ile kosztuje wymiana windy?", "Wymiana windy: 186 000 zł."],
  ["À quelle heure commence la veillée ?", "La veillée commence à 21 heures."],
  ["Vad kostar nyckeln?", "Nyckeln kostar 450 kronor."],
  ["Hvornår tømmes spanden?", "Spanden tømmes hver mandag."],
])("the kind of thing that is asked for is found in many languages: %s", async (question, text) => {
  const [score] = await readScores(question, prose([text, "La la la."]));
  expect(score?.hasAnswer).toBe(true);
});

test.each(["It is built in April. The tower stays.", "It will be on Friday 26 June."])(
  "names nobody: %s",
  async (text) => {
    const [score] = await readScores("Who builds it?", prose([text, "La la la."]));
    expect(score?.hasAnswer).toBe(false);
  },
);

test("a question for a kind of thing is not answered by what has none", async () => {
  const [price, day] = [
    await readScores("Vad kostar nyckeln?", prose(["Nyckeln ligger i lådan."])),
    await readScores("Hvornår tømmes spanden?", prose(["Spanden står i skuret."])),
  ];
  expect([price[0]?.hasAnswer, day[0]?.hasAnswer]).toEqual([false, false]);
});
