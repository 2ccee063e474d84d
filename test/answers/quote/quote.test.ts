import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { quoteOverview } from "../../../src/answers/quote/overview-quotes.ts";
import { foldSpace, itemsCounted, quoteAnswer, readPassages } from "../../../src/answers/quote/quote.ts";
import { composeQuotedAnswer } from "../../../src/answers/quote/write-quotations.ts";
import { answerLanguage, noAnswerText } from "../../../src/answers/wording/no-answer.ts";
import type { FoundSnippet } from "../../../src/retrieval/contract.ts";

const snippet = (text: string, score = 1) => ({ text, score });

describe("what is quoted", () => {
  test("the sentence that holds the question's words comes first", async () => {
    const text = "The pool is heated. It opens at nine in summer. Dogs stay outside. The sauna costs five euros.";
    const [first] = await quoteAnswer("What does the sauna cost?", [snippet(text)]);
    expect(first).toEqual({ text: "The sauna costs five euros.", snippet: 0, head: null });
  });

  test("a numbered heading over lines of text is no list item, and lines of a plan are quoted alone", async () => {
    const leaflet =
      "3. How to take Glucoform\nThe usual dose is 500 mg two or three times a day. The maximum daily dose is 3000 mg taken in three doses. Swallow the tablets with a glass of water.\nIf you forget a dose: do not take a double dose. Take the next dose at the usual time, and tell your doctor.";
    const [dose] = await quoteAnswer("What is the maximum daily dose?", [snippet(leaflet)]);
    expect(dose?.text).toBe(
      "The usual dose is 500 mg two or three times a day. The maximum daily dose is 3000 mg taken in three doses. Swallow the tablets with a glass of water.",
    );
    const plan =
      "Sat 11 April  Flight to Tokyo, leaving Munich at 15:35, arriving at 11:10\nWed 15 April  Day trip to Nikko, meeting point Asakusa station 8:00\nThu 16 April  Train from Tokyo at 9:33 to Kyoto, ryokan Shiraume";
    const [trip] = await quoteAnswer("When is the trip to Nikko?", [snippet(plan)]);
    expect(trip?.text).toBe("Wed 15 April Day trip to Nikko, meeting point Asakusa station 8:00");
  });

  test("a name with its value is a line; what follows a question in a line is shown with it", async () => {
    const course =
      "**Lecturer:** Prof. Marit Solheim, office B4.12, hours on Tuesdays from 14 to 15\n**Teaching assistant:** Jonas Wik, in the laboratory\n**Credits:** 10";
    const [assistant] = await quoteAnswer("Who is the teaching assistant?", [snippet(course)]);
    expect(assistant?.text).toBe("**Teaching assistant:** Jonas Wik, in the laboratory");
    const chat = "Mum: No shorts on Saturday, please\nLisa: Can I bring Felix? He is vegetarian\nMum: Of course";
    const around = { limit: 5, around: { snippets: 1, characters: 400 } };
    const lines = await quoteAnswer("Is Felix a vegetarian?", [snippet(chat)], around);
    expect(lines.map(({ text }) => text)).toContain("Lisa: Can I bring Felix? He is vegetarian");
  });

  test("what only a heading names is what stands under it, from its beginning", async () => {
    const terms = "## House rules\nBring a towel. Wipe machines after use. Phones stay outside.\n\nContact: Priya Nair";
    const quotations = await quoteAnswer("What are the house rules?", [snippet(terms)]);
    expect(quotations[0]?.text).toBe("Bring a towel. Wipe machines after use. Phones stay outside.");
  });

  test("a number is worth something where one is asked for", async () => {
    const text = "The tower was finished by the king of the land. The tower was finished in 1889 by a man of the land.";
    expect((await quoteAnswer("When was the tower finished?", [snippet(text)]))[0]?.text).toContain("1889");
  });

  test("a follow-up is answered, not the question before it", async () => {
    const text =
      "The castle of Brenn was built by duke Otmar. The duke was a rich man. The tower is forty metres high. It burnt down.";
    const understood = "Who built the castle of Brenn? And how high is the tower?";
    const quoted = async (question: string) => (await quoteAnswer(question, [snippet(text)], { understood }))[0]?.text;
    expect(await quoted("And how high is the tower?")).toBe("The tower is forty metres high.");
    // Where the question says nothing by itself, the one before it does.
    expect(await quoted("And?")).toBe("The castle of Brenn was built by duke Otmar.");
  });

  test("a question of function words alone is answered by what was asked before", async () => {
    const text = "Ring the bell when the door is shut. The tower of Brenn was built in 1381 by duke Otmar.";
    const understood = "Who built the tower of Brenn? When?";
    expect((await quoteAnswer("When?", [snippet(text)], { understood }))[0]?.text).toContain("1381");
  });

  test("what earlier turns were about decides between equals", async () => {
    const text = "The tower of Varn is old. Nothing else is. The tower of Brenn is old.";
    const understood = "Who owns Brenn? How old is the tower?";
    expect((await quoteAnswer("How old is the tower?", [snippet(text)], { understood }))[0]?.text).toBe(
      "The tower of Brenn is old.",
    );
  });

  test("list items and rows lean on nothing beside them", async () => {
    const list = "- Anna Berg: chair\n- Born here: nobody\n- Anna Berg was born in Bergen";
    expect((await quoteAnswer("Where was Anna Berg born?", [snippet(list)]))[0]?.text).toBe(
      "- Anna Berg was born in Bergen",
    );
    const [first] = await quoteAnswer("Which fees does the gate cost?", [
      snippet("- gate\n- free of charge\n- cost and fees"),
    ]);
    expect(first?.text).toBe("- cost and fees");
  });

  test.each([
    [
      "Wie stark war die Verteidigung?",
      "Der Sturm war schwach. Die Verteidigungslinie hielt.",
      "Die Verteidigungslinie hielt.",
    ],
    ["Who governs the province?", "Rain is rare. The government sits in Leiden.", "The government sits in Leiden."],
  ])("a relative of a word is worth something: %s", async (question, text, sentence) => {
    expect((await quoteAnswer(question, [snippet(text)]))[0]?.text).toBe(sentence);
  });

  test("the better snippet's sentence goes before the same words in a worse one", async () => {
    const [first] = await quoteAnswer("When does it open?", [
      snippet("It opens at ten.", 0.9),
      snippet("It opens at two.", 0.3),
    ]);
    expect(first).toEqual({ text: "It opens at ten.", snippet: 0, head: null });
  });

  test("after the best, the rest follows in reading order, and nothing stands twice", async () => {
    const snippets = [
      snippet("The gate fee is two coins for adults. The gate fee is one coin for children."),
      snippet("The gate fee is two coins for adults. The gate fee is paid at the gate."),
    ];
    const quoted = await quoteAnswer("What is the gate fee for children?", snippets);
    expect(quoted[0]?.text).toBe("The gate fee is one coin for children.");
    expect(new Set(quoted.map(({ text }) => text)).size).toBe(quoted.length);
    const rest = quoted.slice(1).map(({ snippet: index }) => index);
    expect(rest).toEqual([...rest].sort((a, b) => a - b));
  });

  test("list items and table rows whole, headings never where there is text", async () => {
    const list =
      "# Opening hours of the library\n\nHours:\n\n- Library: nine to six,\n  except on Sundays.\n- Cafe: ten to four.";
    const hours = await quoteAnswer("When is the library open?", [snippet(list)]);
    expect(hours.slice(0, 2).map(({ text }) => text)).toEqual(["Hours:", "- Library: nine to six, except on Sundays."]);
    const table = "| Item | Price |\n|---|---|\n| Gasket. Large. | 7 euros |\n| Valve | 9 euros |";
    expect((await quoteAnswer("What is the price of a gasket?", [snippet(table)])).map(({ text }) => text)).toContain(
      "| Gasket. Large. | 7 euros |",
    );
  });

  test("a line that introduces a list brings it along", async () => {
    const text = "You need these papers for a visa:\n\n- passport\n- photograph\n- proof of residence";
    expect(
      (await quoteAnswer("Which papers do I need for a visa?", [snippet(text)])).map((quoted) => quoted.text),
    ).toEqual(["You need these papers for a visa:", "- passport", "- photograph", "- proof of residence"]);
  });

  test("a list item and a table row with what they cannot be read without", async () => {
    const bin = "The following must not be put into the bin:\n\n- glass\n- nappies\n\nIt is emptied on Mondays.";
    expect((await quoteAnswer("Where do nappies go?", [snippet(bin)])).map(({ text }) => text)).toEqual([
      "The following must not be put into the bin:",
      "- nappies",
    ]);
    const manual =
      "# Manual\n\nThe PX-400 is a class 2 laser.\n\n| Property | PX-400 | PX-400 Pro |\n|---|---|---|\n| Range | 20 m | 30 m |\n| Weight | 2 kg | 3 kg |";
    const quoted = await quoteAnswer("What is the weight of the PX-400?", [
      snippet(manual),
      snippet("1 PX-400 Pro 4 449.00", 0.8),
    ]);
    expect(quoted[0]).toEqual({
      text: "| Weight | 2 kg | 3 kg |",
      snippet: 0,
      head: "| Property | PX-400 | PX-400 Pro |",
    });
  });

  test("the first row of a table without a head is a row as the others", async () => {
    const pairs = "| Weight | 2 kg |\n| Range | 20 m |";
    expect((await quoteAnswer("What is the weight?", [snippet(pairs)]))[0]?.text).toBe("| Weight | 2 kg |");
  });

  const questions = ["Can I cancel my order?", "Where is my invoice?", "Is my data shared with third parties?"];
  const answers = ["Yes, within two hours.", "In your account, under Orders.", "No, never."];
  test.each(questions.map((question, at) => [question, answers[at]] as const))(
    "the answer under a question, not the question: %s",
    async (question, answer) => {
      for (const write of [
        (asked: string, at: number) => `### ${asked}\n\n${answers[at]}`,
        (asked: string, at: number) => `${asked}\n${answers[at]}`,
        (asked: string, at: number) => `${asked} ${answers[at]}`,
      ]) {
        const list = questions.map(write).join("\n\n");
        expect((await quoteAnswer(question, [snippet(list)]))[0]?.text).toBe(answer);
      }
    },
  );

  test("a statement that ends in a question is quoted", async () => {
    const text =
      "The way to get new ideas is to notice anomalies: what seems strange, or missing? Knowledge grows. It has gaps.";
    expect((await quoteAnswer("What is the way to get new ideas?", [snippet(text)]))[0]?.text).toBe(
      "The way to get new ideas is to notice anomalies: what seems strange, or missing?",
    );
  });

  test("the fact from under a title, not the sentence that repeats the title", async () => {
    const contract = (party: string, fee: string) => ({
      text: `This contract was signed between Fairmont and ${party}. The annual fee is ${fee} euros. It is paid in May.`,
      headings: [`Contract with ${party}`],
    });
    const snippets = [
      { ...contract("Lumen Energy", "58,300"), score: 1 },
      { ...contract("Merlin Couriers", "21,900"), score: 0.8 },
    ];
    expect((await quoteAnswer("What is the annual fee of Lumen Energy?", snippets))[0]).toEqual({
      text: "The annual fee is 58,300 euros.",
      snippet: 0,
      head: null,
    });
  });

  test("a heading that the text leaves behind says nothing of what comes under the next one", async () => {
    const text = "It opens at nine.\n\n## Garden\n\nIt opens at ten.";
    const under = { text, score: 1, headings: ["House", "Library"] };
    expect((await quoteAnswer("When does the library open?", [under]))[0]?.text).toBe("It opens at nine.");
    expect((await quoteAnswer("When does the garden open?", [under]))[0]?.text).toBe("It opens at ten.");
  });

  test.each([
    [
      "黑豹队的防守丢了多少分？",
      "球队来自卡罗来纳。黑豹队的防守只丢了 308 分。他们进了决赛。",
      "黑豹队的防守只丢了 308 分。",
    ],
    [
      "Сколько очков уступила защита?",
      "Команда вышла в финал. Защита уступила всего 308 очков.",
      "Защита уступила всего 308 очков.",
    ],
    ["पुस्तकालय कब खुलता है?", "यह बड़ा है। पुस्तकालय नौ बजे खुलता है।", "पुस्तकालय नौ बजे खुलता है।"],
  ])("in other scripts: %s", async (question, text, sentence) => {
    expect((await quoteAnswer(question, [snippet(text)]))[0]?.text).toBe(sentence);
  });

  test("nothing from nothing", async () => {
    expect(await quoteAnswer("What?", [])).toEqual([]);
    expect(await quoteAnswer("What?", [snippet(" ***\n---\n")])).toEqual([]);
  });
});

test("where it is not sure which passage is meant, each of the first snippets is quoted around its best one", async () => {
  const first = "The boat house opens at six. Dogs stay outside. Smoking is forbidden everywhere.";
  const second = "| code | meaning |\n| --- | --- |\n| A1 | boat full |\n| B2 | tide low |";
  const third = "Bicycles go into the rack.\n\n```sh\nboat build | tee log\nboat serve\n```";
  const snippets = [snippet(first), snippet(second), snippet(third), snippet("The boat is red.")];
  const quoted = await quoteAnswer("May I take my puppy into the boat house?", snippets, {
    minShare: 0.45,
    around: { snippets: 3, characters: 60 },
  });
  expect(quoted.map(({ text, snippet: at }) => [at, text])).toEqual([
    [0, "The boat house opens at six. Dogs stay outside."],
    [1, "| A1 | boat full |"],
    [2, "Bicycles go into the rack."],
    [2, "boat build | tee log"],
    [2, "boat serve"],
  ]);
});

test("lines with labels under a line without one are read with it, and are not run together", async () => {
  const guide = snippet(
    "1. Wait until the ring turns blue.\n\nLight of the ring\nwhite: starting\nblue: connected\nred: no connection. Check the cable.",
  );
  const box = snippet("The pen is in the red box. The red button is beside it.", 0.9);
  const quoted = await quoteAnswer("The ring is red.", [guide, box], { limit: 1 });
  expect(quoted.map(({ text }) => text)).toEqual(["Light of the ring", "red: no connection."]);
  const around = await quoteAnswer("The ring is red.", [guide], { around: { snippets: 1, characters: 120 } });
  expect(around.map(({ text }) => text)).toContain("blue: connected");
});

test("beside a time, what has none does not say when; how high it is says no limit of something else", async () => {
  const plan = snippet("# Wedding\n\nThe ceremony is on 12 September at 14:00. The flowers are white.");
  expect((await quoteAnswer("When is the wedding?", [plan])).map(({ text }) => text)).toEqual([
    "The ceremony is on 12 September at 14:00.",
  ]);
  const lease = snippet(
    "§ 2 Kaution: drei Kaltmieten.\n\n§ 3 Reparaturen bis 110 Euro trägt die Mieterin, höchstens 300 Euro.",
  );
  const [deposit] = await quoteAnswer("Wie hoch ist die Kaution?", [lease]);
  expect(deposit?.text).toContain("drei Kaltmieten");
});

test("the rent of the flat is told by the line about the rent, where all sections are about the flat", async () => {
  const sections = [
    "The flat may be shown to people who wish to rent it, at most twice a week.",
    "The flat is cleaned before it is handed back.",
    "The flat is used as a home. No dogs.",
    "The rent is £985 a month.",
  ].map((text) => ({ ...snippet(text), documentId: "lease" }));
  const [best] = await quoteAnswer("what is the rent of the flat", sections);
  expect(best?.text).toBe("The rent is £985 a month.");
});

test.each([
  ["what did the board decide in February", "The board decided to paint the hall."],
  ["what did the board decide in 2026-01", "The board decided to buy a boat."],
])("the month of a question chooses the section: %s", async (question, told) => {
  const minutes = [
    "# Meeting of 14 January 2026\n\nThe board decided to buy a boat. Offers by 3 February 2026.",
    "# Meeting of 11 February 2026\n\nThe board decided to paint the hall.",
  ].map((text) => ({ ...snippet(text), documentId: "minutes" }));
  const [best] = await quoteAnswer(question, minutes);
  expect(best?.text).toBe(told);
});

test("a list is quoted by its heading, a table whole where no row has words of the question", async () => {
  const minutes = snippet(
    "# Committee, March\n\n## Actions\n\n- Omar signs the contract.\n- Sunil orders compost.\n\nNext meeting: 21 April.",
  );
  const ofList = await quoteAnswer("What are the actions of the committee?", [minutes], { isWhole: true });
  expect(ofList.map(({ text }) => text)).toEqual(["- Omar signs the contract.", "- Sunil orders compost."]);
  const rows = ["depth | 3", "theme | plain", "port | 4180", "drafts | off"].map((row) => `| ${row} |`);
  const table = snippet(`# Paperboat\n\n## Options\n\n| name | default |\n| --- | --- |\n${rows.join("\n")}`);
  expect((await quoteAnswer("options of paperboat", [table])).map(({ text }) => text)).toEqual(rows);
  expect((await quoteAnswer("theme of paperboat", [table])).map(({ text }) => text)).toEqual(["| theme | plain |"]);
});

test("whatever is quoted stands in its snippet, white space folded", async () => {
  const part = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constantFrom(
      "The gate opens. ",
      "- item one\n",
      "| a | b |\n",
      "# Head\n",
      "Papers:\n- one\n- two\n",
      "\n\n",
      "。",
    ),
  );
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 4 }), text, async (texts, question) => {
      const snippets = texts.map((each, index) => snippet(each, 1 / (index + 1)));
      for (const { text: quoted, snippet: index } of await quoteAnswer(question, snippets)) {
        expect(quoted).not.toBe("");
        expect(foldSpace(snippets[index]?.text ?? "")).toContain(quoted);
      }
    }),
    { numRuns: 200 },
  );
});

test("the answer has a line and a mark for each quotation", () => {
  const quotations = [
    { text: "It opens at ten.", snippet: 1, head: null },
    { text: "It is heated.", snippet: 0, head: null },
  ];
  expect(composeQuotedAnswer(quotations)).toBe("It opens at ten. [2]\nIt is heated. [1]");
  const names = ["Pool rules", "Opening hours"];
  expect(composeQuotedAnswer(quotations, names)).toBe(
    "Opening hours: It opens at ten. [2]\nPool rules: It is heated. [1]",
  );
  const item = { text: "- It is deep.", snippet: 0, head: null };
  expect(composeQuotedAnswer([...quotations, item, { ...item, text: "- Pool rules hang there." }], names)).toBe(
    "Opening hours: It opens at ten. [2]\nPool rules: It is heated. [1]\n- It is deep. [1]\n- Pool rules hang there. [1]",
  );
  expect(composeQuotedAnswer([item], names)).toBe("Pool rules:\n- It is deep. [1]");
  expect(composeQuotedAnswer([])).toBe("");
});

test("rows are read with the names of their columns, three of one table as a table", () => {
  const head = "| Town | Boats | Crew |";
  const row = (text: string) => ({ text, snippet: 0, head });
  expect(composeQuotedAnswer([row("| Leith | 9 | 40 |")])).toBe("Leith – Boats: 9, Crew: 40 [1]");
  expect(composeQuotedAnswer([{ text: "| Weight | 2 kg |", snippet: 1, head: "" }])).toBe("Weight – 2 kg [2]");
  expect(composeQuotedAnswer([row("| Leith | 9 | 40 |"), row("| Oban | 2 | 9 |"), row("| Wick | 4 | 12 |")])).toBe(
    "| Town | Boats | Crew |\n| --- | --- | --- |\n| Leith | 9 | 40 |\n| Oban | 2 | 9 |\n| Wick | 4 | 12 |\n\n[1]",
  );
});

test.each([
  ["What is the refund policy of the shop?", "The documents do not hold"],
  ["Wie lang ist die Frist für den Widerruf?", "Die Dokumente"],
  ["¿Cuál es el plazo para la devolución?", "Los documentos"],
  ["Quelle est la durée du contrat de la société ?", "Les documents"],
  ["Какой срок возврата?", "В документах"],
  ["Який термін повернення?", "Документи"],
  ["退货期限是多久？", "文档中没有"],
  ["返品の期限はいつですか", "文書には"],
  ["What does 東京 mean in this text?", "The documents do not hold"],
  ["xyzzy 42", "The documents do not hold"],
  ["", "The documents do not hold"],
])("where nothing answers %j, it is said in its language", (question, beginning) => {
  const language = answerLanguage(question, { cues: [], before: [], documents: [] });
  expect(noAnswerText(language)).toStartWith(beginning);
});

test("footnote marks of the source are not shown as marks of the answer, indexes are left alone, links are their text", () => {
  const text = "He was born in 1968,[1][2] in Bangor. [3] See list[0], matrix[1][2] and [4](https://example.com).";
  expect(composeQuotedAnswer([{ text, snippet: 0, head: null }])).toBe(
    "He was born in 1968, in Bangor. See list[0], matrix[1][2] and 4. [1]",
  );
  expect(composeQuotedAnswer([{ text: "Detection [26], and scenes [4] [5].", snippet: 0, head: null }])).toBe(
    "Detection, and scenes. [1]",
  );
});

test("who asks in a chat is answered by the next lines", async () => {
  const chat = [
    "[03.07.26, 18:02] Lena: When do we meet for the hike on Saturday?",
    "[03.07.26, 18:05] Omar: 7:40 at the central station, track 6",
    "[03.07.26, 18:30] Jana: I bring sandwiches for all of us",
  ].join("\n");
  expect((await quoteAnswer("When do we meet on Saturday?", [snippet(chat)]))[0]?.text).toBe(
    "[03.07.26, 18:05] Omar: 7:40 at the central station, track 6",
  );
});

test("a version that is asked for is told from its section, a date from the heading over what happened", async () => {
  const log =
    "# Changelog\n\n## 3.1.1 (2026-02-11)\n- New: dark mode\n- Changed: dates\n\n## 3.1.0 (2026-01-20)\n- New: search in notes\n- Removed: Windows 8";
  const quoted = async (question: string) => (await quoteAnswer(question, [snippet(log)])).map(({ text }) => text);
  expect(await quoted("what changed in 3.1.0")).toEqual(["- New: search in notes", "- Removed: Windows 8"]);
  expect(await quoted("When was dark mode added?")).toEqual(["3.1.1 (2026-02-11)", "- New: dark mode"]);
});

test("a line that only names what is asked about is no answer, and rows set with spaces are read by row", async () => {
  const invoice = [
    "Garden centre Holm",
    "Invoice no. 8841",
    "",
    "1    Lavender, pot 14 cm     12     4.90     58.80",
    "VAT 19 %                                    26.41",
    "Total of the invoice                        165.41 EUR",
  ].join("\n");
  const quoted = async (question: string) => (await quoteAnswer(question, [snippet(invoice)])).map(({ text }) => text);
  expect(await quoted("What do I owe garden centre Holm?")).not.toContain("Garden centre Holm");
  expect((await quoted("What is the total?"))[0]).toBe("Total of the invoice 165.41 EUR");
  expect((await quoted("How many pots of lavender?"))[0]).toBe("1 Lavender, pot 14 cm 12 4.90 58.80");
});

test("around the best sentence, the side that has more of the question is shown", async () => {
  const text =
    "Please give each child a packed lunch and nine euros. A child who cannot come is looked after. We need two parents. Lice were found.";
  const around = { snippets: 1, characters: 100 };
  const [only] = await quoteAnswer("Which child cannot come, and is a packed lunch given?", [snippet(text)], {
    around,
  });
  expect(only?.text).toBe(
    "Please give each child a packed lunch and nine euros. A child who cannot come is looked after.",
  );
});

test("degrees are a temperature", async () => {
  const recipe = "For six people. It rests for an hour. It takes 40 minutes at 180 °C. Keep it cool.";
  expect((await quoteAnswer("At what temperature is it baked?", [snippet(recipe)])).map(({ text }) => text)).toContain(
    "It takes 40 minutes at 180 °C.",
  );
});

test("csv that came as text is quoted by row, with the names of its columns", async () => {
  const csv =
    "Plant,Location,Water every (days),Bought\nMonstera,living room,7,2024-03-02\nBasil,kitchen,2,2026-05-11\nAloe,bedroom,14,2022-06-30";
  const around = { snippets: 3, characters: 350 };
  const quoted = await quoteAnswer("Is basil poisonous?", [snippet(csv)], { around });
  expect(composeQuotedAnswer(quoted)).toBe("Basil – Location: kitchen, Water every (days): 2, Bought: 2026-05-11 [1]");
});

test("a pipe in a cell stays in its cell where rows are written as a table", () => {
  const row = (text: string) => ({ text, snippet: 0, head: "| Sign | Meaning |" });
  const rows = [row("| `a \\| b` | either |"), row("| `&` | both |"), row("| `!` | none |")];
  expect(composeQuotedAnswer(rows)).toContain("| `a \\| b` | either |");
  expect(composeQuotedAnswer(rows.slice(0, 1))).toBe("`a | b` – Meaning: either [1]");
});

test("a comment of Markdown is not quoted", async () => {
  const text = "<!-- Made by the port script. -->\n\nThe port is 7373. It can be changed.";
  expect((await quoteAnswer("Which port?", [snippet(text)])).map(({ text }) => text).join()).not.toContain("script");
});

test("who paid is a name, not an amount", async () => {
  const study = "The study cost 900 euros. The study was paid for by the Flemish Research Council. It was good.";
  expect((await quoteAnswer("Who paid for the study?", [snippet(study)]))[0]?.text).toContain("Flemish");
});

test("the item of a short list that alone has words of the question is quoted alone", async () => {
  const list =
    "- Licence plate: 4821 KLM\n- Oil change: 12 February\n- Tyres: pressure 2.2 bar\n- Insurance: Mutua Sol";
  const quoted = await quoteAnswer("Which pressure do the front and rear tyres want to have when loaded?", [
    snippet(list),
  ]);
  expect(quoted.map(({ text }) => text)).toEqual(["- Tyres: pressure 2.2 bar"]);
});

test("an overview of one sentence is one; of a letter its date, salutation and closing are none", () => {
  const text =
    "Oakfield School\n4 September 2026\n\nDear parents,\n\nthe trip is on Thursday. Bring nine euros.\n\nKind regards,\nJoy";
  const letter = { documentId: "a", position: 0, headings: [], text } as unknown as FoundSnippet;
  expect(quoteOverview([letter], null, 1)).toBe("the trip is on Thursday. [1]");
  expect(quoteOverview([letter], null)).not.toMatch(/Dear|regards|2026/);
});

test("an overview has one sign before each line, also of what is a list in the document", () => {
  const text = "The hut is open all year.\n\n- The keys are at the desk.\n- Dogs sleep outside the hut.";
  const snippet = { documentId: "a", position: 0, headings: [], text } as unknown as FoundSnippet;
  expect(quoteOverview([snippet], null).split("\n")).toEqual([
    "- The hut is open all year. [1]",
    "- The keys are at the desk. [1]",
    "- Dogs sleep outside the hut. [1]",
  ]);
});

test("what stands under a line that is asked for is one list, and is counted", async () => {
  const leaflet =
    "Possible side effects\nCommon: heartburn. Uncommon: rash. Rare: ringing in the ears.\n\nKeep it below 25 °C.";
  const told = await quoteAnswer("which side effects are there", [{ text: leaflet, score: 1 }], { isWhole: true });
  expect(told.map(({ text }) => text)).toEqual([
    "Possible side effects",
    "Common: heartburn.",
    "Uncommon: rash.",
    "Rare: ringing in the ears.",
  ]);
  const camp = "## What to pack\n\n- sleeping bag\n- torch\n- towel\n\nPack two towels.";
  const counted = async (question: string) =>
    itemsCounted(await readPassages(question, [{ text: camp, score: 1 }], { isWhole: true }), question);
  expect(await counted("how many things do I pack")).toEqual({ count: 3, snippet: 0 });
  expect(await counted("how many towels do I pack")).toBeNull();
});

test("the day that a heading names is quoted where it is asked for", async () => {
  const plan =
    "# Wedding of Mara and Jonas, 12 September 2026\n\n## Where\nThe ceremony begins at 2 pm in the chapel. A bus runs at 3.15 pm.";
  const [day] = await quoteAnswer("when is the wedding?", [snippet(plan)]);
  expect(day?.text).toBe("# Wedding of Mara and Jonas, 12 September 2026");
  const [bus] = await quoteAnswer("when does the bus run?", [snippet(plan)]);
  expect(bus?.text).toBe("A bus runs at 3.15 pm.");
});

test("a line with the name alone says nothing of what is asked, also where the name is typed in small letters", async () => {
  const letter =
    "Patient: Ruth Haldane, born 22 August 1957\n\nThe plaster stays on for six weeks. Keep it dry.\n\nRuth takes her tablets in the morning.";
  const { best } = await readPassages("what is ruth haldane allergic to", [snippet(letter)]);
  expect(best?.isOfThing).toBe(false);
  const german = await readPassages("wie hoch ist der selbstbehalt", [snippet("Der Selbstbehalt ist 200 Euro hoch.")]);
  expect(german.best?.isOfThing).toBe(true);
});
