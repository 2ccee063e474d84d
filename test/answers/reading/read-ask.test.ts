import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAsk } from "../../../src/answers/reading/read-ask.ts";

const read = (message: string, hasAnswer = false) => readAsk(message, { hasAnswer });

describe("what an ask is read as", () => {
  test.each([
    "hello",
    "Good evening!",
    "Hallo",
    "hola",
    "Hi there, how are you?",
    "привет",
    "你好",
    "こんにちは",
    "merhaba",
    "thanks!",
    "Danke schön",
    "Merci beaucoup",
    "ありがとうございます",
    "Who are you?",
    "help",
    "What can you do?",
    "thanks, that helped",
    "thanks, you've been a great help!",
    "Danke, du bist eine große Hilfe!",
    "merci, c'est très gentil",
    "gracias, has sido de gran ayuda",
    "grazie, sei stato molto gentile",
    "спасибо, вы мне очень помогли",
    "谢谢你帮了我大忙",
    "Super, das hat mir sehr geholfen",
    "Merci, ça m'a beaucoup aidé",
    "这很有帮助",
    "thanks, you saved my day!",
    "hm ok",
    "i have a quick question",
    "danke, du hast mir den Tag gerettet!",
    "j'ai une question",
    "tengo una duda",
    "grazie mille, mi hai salvato la giornata",
    "у меня вопрос",
    "我有个问题",
  ])("a courtesy: %s", (message) => {
    expect(read(message).kind).toBe("courtesy");
  });

  test.each([
    "Summarize this document.",
    "tl;dr",
    "What is this document about?",
    "Worum geht es in diesem Dokument?",
    "Résume ce document en trois phrases",
    "¿De qué trata este documento?",
    "О чём этот документ?",
    "这份文件讲了什么？",
    "この文書を要約してください",
    "Give me an overview of everything in here",
  ])("an overview of the scope: %s", (message) => {
    expect(read(message)).toMatchObject({ kind: "overview", subject: null });
  });

  test.each([
    ["Summarise the dishwasher manual", "dishwasher manual"],
    ["What is the handbook about?", "handbook"],
    ["Can you sum up the stove manual for me?", "stove manual"],
    ["Vat de nieuwsbrief van De Wilg eens samen", "nieuwsbrief wilg"],
    ["Fasse den Rundbrief bitte zusammen", "rundbrief"],
    ["Worum geht es in dem Brief der Wasserwerke?", "brief wasserwerke"],
  ])("an overview of what is named: %s", (message, subject) => {
    expect(read(message)).toMatchObject({ kind: "overview", subject });
  });

  test.each([
    ["Who wrote the water letter?", "water letter"],
    ["Wie heeft de nieuwsbrief van De Wilg geschreven?", "nieuwsbrief wilg"],
    ["Wann wurde der Mietvertrag unterschrieben?", "mietvertrag"],
    ["Qui a écrit la lettre de la mairie ?", "lettre mairie"],
  ])("a question of who wrote what is named, or when: %s", (message, subject) => {
    expect(read(message)).toMatchObject({ kind: "question", isAboutOrigin: true, subject });
  });

  test.each([
    ["What documents do I have?", null],
    ["How many documents do you have?", null],
    ["Welche Dokumente gibt es hier?", null],
    ["Quels documents parlent de la garantie ?", "la garantie"],
    ["Which documents mention Leipzig?", "Leipzig"],
    ["in which files does Fox appear", "Fox"],
    ["Is there anything about bees?", "bees"],
    ["how many files have I uploaded", null],
    ["Welche Unterlagen liegen hier vor?", null],
    ["Which note has the tag rye?", "rye"],
    ["哪些文件提到莱比锡？", "莱比锡"],
  ])("an inventory: %s", (message, subject) => {
    const { kind, subject: found } = read(message);
    expect(kind).toBe("inventory");
    expect(found?.toLowerCase() ?? null).toBe(subject?.toLowerCase() ?? null);
  });

  test.each([
    ["translate that into German", "translate"],
    ["make it shorter", "shorten"],
    ["Give me that as a bullet list", "list"],
    ["What did I ask?", "recall"],
    ["auf Deutsch bitte", "translate"],
    ["say that in german", "translate"],
    ["sag das auf englisch", "translate"],
    ["dilo en inglés", "translate"],
    ["as a table", "list"],
    ["en una tabla", "list"],
    ["i don't understand", "rephrase"],
    ["that's wrong", "rephrase"],
    ["huh?", "rephrase"],
    ["das verstehe ich nicht", "rephrase"],
    ["je ne comprends pas", "rephrase"],
    ["no entiendo", "rephrase"],
    ["не понял", "rephrase"],
    ["我不明白", "rephrase"],
  ])("a conversation, where there is an answer before: %s", (message, change) => {
    expect(read(message, true)).toMatchObject({ kind: "conversation", change });
    expect(read(message).kind).not.toBe("conversation");
  });

  test.each([
    "Who is the landlord?",
    "Which documents do I need for the visa?",
    "List all error codes as a table",
    "Is there a rule about dogs at night in the great hall of the house?",
    "No dogs allowed?",
    "What is good evening dress?",
    "xyzzy",
  ])("a question: %s", (message) => {
    expect(read(message, true).kind).toBe("question");
  });
});

test.each([
  ["Hello, can you please tell me the following: Who is the landlord?", "Who is the landlord?"],
  [
    "Hi there, hope you are well. Quick question: How much is sick pay? Thanks a lot in advance!",
    "How much is sick pay?",
  ],
  [
    "You are a helpful assistant. Only use the documents. If you do not know, say so. What does E22 mean?",
    "What does E22 mean?",
  ],
  ["Danke, wann ist das Sommerfest?", "wann ist das Sommerfest?"],
  ["could you tell me how long the warranty is", "how long the warranty is"],
  ["Explain like a pirate how long probation is", "how long probation is"],
])("greetings and pleas are not searched for: %s", (message, question) => {
  expect(read(message).question).toBe(question);
});

test.each([
  ["bye", "farewell"],
  ["ok bye!", "farewell"],
  ["Tschüss, bis morgen", "farewell"],
  ["au revoir", "farewell"],
  ["До свидания!", "farewell"],
  ["再见", "farewell"],
  ["Thanks, bye", "farewell"],
  ["good morning", "greeting"],
  ["Bonjour", "greeting"],
])("a good-bye is told from a greeting: %s", (message, courtesy) => {
  expect(read(message).courtesy).toBe(courtesy as "farewell");
});

test("each question of several is a reading, and a question without words of its own has its story", () => {
  const { readings } = read("How much is VAT? What is the total?");
  expect(readings).toEqual(["How much is VAT? What is the total?", "How much is VAT?", "What is the total?"]);
  expect(read("The display shows A08. What should I do?").question).toContain("A08");
});

test.each([
  "what are you able to do for me?",
  "so who am i talking to",
  "are you chatgpt?",
  "danke, das wars schon",
  "mit wem rede ich",
  "merci c'est parfait",
  "à qui je parle",
  "¿qué sabes hacer?",
  "con chi parlo?",
  "o que você sabe fazer?",
  "tack så jättemycket!",
])("a courtesy as people type it: %s", (message) => {
  expect(read(message).kind).toBe("courtesy");
});

test("the document of an overview is named in its cue", () => {
  expect(read("what does the memo say")).toMatchObject({ kind: "overview", subject: "memo" });
});

test.each([
  ["When does it open and how long is the pool open?", ["When does it open", "how long is the pool open?"]],
  ["Was kostet der Kurs und wer leitet ihn?", ["Was kostet der Kurs", "wer leitet ihn?"]],
  ["Who has salt and pepper?", []],
])("two questions in one sentence are two readings: %s", (message, each) => {
  expect(read(message).readings).toEqual([message, ...each]);
});

test("what is in a letter is told as a whole, what is in a box is a question", () => {
  expect(read("What's in the school letter?")).toMatchObject({ kind: "overview", subject: "school" });
  expect(read("What is in the blue box?").kind).toBe("question");
});

test.each(["What do I have in here?", "Was habe ich alles hier?", "¿Qué hay aquí?", "这里有什么？"])(
  "what is there, without a word for documents: %s",
  (message) => {
    expect(read(message)).toMatchObject({ kind: "inventory", subject: null });
  },
);

test.each([
  ["Summarize the school letter in one sentence", 1],
  ["Fasse das Protokoll in drei kurzen Sätzen zusammen", 3],
  ["Résume ce document en cinq points", 5],
  ["用三句话总结这份文件", 3],
  ["Summarize the five year plan", null],
])("an overview of a number of lines: %s", (message, lines) => {
  expect(read(message)).toMatchObject({ kind: "overview", lines });
});

test("wishes are told by their cues", () => {
  expect(read("What is the cheapest product?").wishes).toMatchObject({ smallest: true, count: false });
  expect(read("Wie viele Rezepte hat Tante Trude?").wishes).toMatchObject({ count: true });
  expect(read("Во сколько первый автобус?").wishes).toMatchObject({ count: false });
  expect(read("What changed between 2022 and 2025?").wishes).toMatchObject({ compare: true });
});

test("any message is read, in a time that its length bounds", () => {
  const text = fc.string({ unit: "binary", maxLength: 400 });
  fc.assert(
    fc.property(text, fc.boolean(), (message, hasAnswer) => {
      const { kind, question, readings } = read(message, hasAnswer);
      expect(typeof question).toBe("string");
      expect(readings.length).toBeGreaterThan(0);
      expect(["question", "overview", "inventory", "conversation", "courtesy"]).toContain(kind);
    }),
  );
  expect(read(`${"hello there, ".repeat(600)}who is the landlord?`).kind).toBe("question");
});

test.each([
  ["hola qué tal", "courtesy"],
  ["ok cool thx", "courtesy"],
  ["who are you and what can you do", "courtesy"],
  ["moin, alles klar bei dir?", "courtesy"],
  ["was kann ich zum Fest mitbringen", "question"],
  ["que puis-je manger le matin", "question"],
  ["wat kan ik meenemen", "question"],
  ["whats this about", "overview"],
  ["what does the letter from the bank say", "overview"],
  ["di cosa si è parlato nell'assemblea di via Po", "overview"],
  ["was wurde in der Sitzung besprochen", "overview"],
  ["what was decided about the swings", "question"],
  ["dans quel document parle-t-on de pénicilline", "inventory"],
  ["in welcher Datei steht die IBAN", "inventory"],
  ["en qué archivo aparece Marta", "inventory"],
])("as people type it: %s", (message, kind) => {
  expect(read(message).kind).toBe(kind as ReturnType<typeof read>["kind"]);
});

test("a word of another language is no cue", () => {
  // "Ile" is Polish for "how many", and Turkish for "with".
  expect(read("standart ile premium arasındaki fark nedir").wishes).toMatchObject({ count: false, compare: true });
  expect(read("ile jest biletów").wishes.count).toBe(true);
  expect(read("ile kosztuje bilet").wishes.count).toBe(false);
  expect(read("¿Cuántos productos de la tarifa cuestan más de 100 €?").wishes.count).toBe(true);
  expect(read("какое растение поливать чаще всего").wishes).toMatchObject({ sum: false, largest: true });
  expect(read("en liste à puces s'il te plaît", true)).toMatchObject({ kind: "conversation", change: "list" });
});

test.each([
  ["Tack så mycket för hjälpen!", { kind: "courtesy", courtesy: "thanks" }],
  ["Takk skal du ha", { kind: "courtesy", courtesy: "thanks" }],
  ["Goddag", { kind: "courtesy", courtesy: "greeting" }],
  ["Hej då!", { kind: "courtesy", courtesy: "farewell" }],
  ["Vad kan du göra?", { kind: "courtesy", courtesy: "help" }],
  ["Vilka dokument finns det?", { kind: "inventory", subject: null }],
  ["Hvor mange filer er der?", { kind: "inventory", subject: null }],
  ["Hvilke dokumenter nævner Skagen?", { kind: "inventory", subject: "Skagen" }],
  ["Finns det något om bin?", { kind: "inventory", subject: "bin" }],
  ["Sammanfatta dokumentet i tre meningar", { kind: "overview", subject: null, lines: 3 }],
  ["Hva handler dette om?", { kind: "overview", subject: null }],
  ["Kan du översätta det till engelska?", { kind: "conversation", change: "translate" }],
  ["Kortere, tak", { kind: "conversation", change: "shorten" }],
  ["Hvem skrev referatet?", { kind: "question", isAboutOrigin: true }],
  ["Hej, kan du snälla säga mig när biblioteket öppnar?", { kind: "question", question: "när biblioteket öppnar?" }],
] as const)("Swedish, Danish and Norwegian are read: %s", (message, ask) => {
  expect(read(message, true)).toMatchObject(ask);
});

test.each([
  ["what's in the letter about the school trip?", "overview"],
  ["Worum geht es in der Mail zum Hotel?", "overview"],
  ["Welche Dokumente hat Ida Falk geschrieben?", "inventory"],
] as const)("what a document about something says, and who wrote documents: %s", (message, kind) => {
  expect(read(message).kind).toBe(kind);
});
