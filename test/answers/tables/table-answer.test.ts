import { describe, expect, test } from "bun:test";
import { readAsk } from "../../../src/answers/reading/read-ask.ts";
import { columnsOf } from "../../../src/answers/tables/columns.ts";
import { tablesAt } from "../../../src/answers/tables/document-table.ts";
import type { TableSurroundings } from "../../../src/answers/tables/read-table-question.ts";
import { answerFromTable } from "../../../src/answers/tables/table-answer.ts";
import { writeTableAnswer } from "../../../src/answers/tables/write-table.ts";

const csv = `article,name,category,price,in stock
GT-101,Border spade,tool,34.90,12
GT-102,Digging fork,tool,39.50,7
GT-104,Loppers,tool,28.00,0
GP-201,Clay pot,pot,4.20,230
GP-202,Glazed planter,pot,62.00,18`;
const markdown = csv
  .split("\n")
  .map((line) => `| ${line.split(",").join(" | ")} |`)
  .toSpliced(1, 0, "|---|---|---|---|---|")
  .join("\n");

/** The answer of the first table of a text that has one. */
const answerOf = (
  text: string,
  message: string,
  about = "Stock list",
  around: Partial<TableSurroundings> = {},
): string | null => {
  const { question, wishes } = readAsk(message, { hasAnswer: false });
  const surroundings = { beside: [], over: "", earlier: [], isOfEarlier: false, ...around };
  const answers = tablesAt(text, 0, text.length).map((table) =>
    answerFromTable(table, question, wishes, about, surroundings),
  );
  const [found] = answers.filter((answer) => answer !== null).sort((a, b) => b.fit - a.fit);
  return found === undefined ? null : writeTableAnswer(found, "[1]", "english");
};

describe.each([
  ["Markdown", `# Stock list\n\n${markdown}\n\nEnd of the list.`],
  ["csv that came as text", csv],
])("a table: %s", (_, text) => {
  test.each([
    ["What is the cheapest article on the stock list?", "Clay pot – price: 4.20 [1]"],
    ["Which article is the most expensive?", "Glazed planter – price: 62.00 [1]"],
    ["What is out of stock?", "Loppers – in stock: 0 [1]"],
    ["How many articles are on the stock list?", "5 [1]"],
    ["How many articles are out of stock?", "1 of 5 rows (in stock: 0): Loppers [1]"],
    ["How many tools are in the stock list?", "3 of 5 rows (category: tool): Border spade, Digging fork, Loppers [1]"],
    [
      "How many articles cost more than 30?",
      "3 of 5 rows (price > 30): Border spade, Digging fork, Glazed planter [1]",
    ],
    ["What does the digging fork cost?", "Digging fork – price: 39.50 [1]"],
    ["price of GT102", "Digging fork – price: 39.50 [1]"],
    ["How tall is the digging fork?", null],
    ["List all commands", null],
  ])("%s", (question, answer) => {
    expect(answerOf(text, question)).toBe(answer);
  });

  test("rows are listed as a table, and a question about something else is not answered", () => {
    expect(answerOf(text, "list all articles")?.split("\n").length).toBe(9);
    expect(answerOf(text, "When does the shop open on Sundays?")).toBeNull();
    expect(answerOf(text, "Who founded the company?")).toBeNull();
  });
});

describe("words in longer texts, months and years, what is paid", () => {
  const services = `date,mileage,garage,work,cost
2023-04-12,41200,Fenwick Motors,"Oil and filter, brake fluid",189.00
2023-11-03,48650,Fenwick Motors,"Front brake pads",342.50
2024-05-20,55010,Quickfit Leith,"Two tyres (front)",176.00
2024-10-08,60120,Fenwick Motors,"Oil and filter, cabin filter",164.20
2025-06-17,67900,Auto Bell,"Timing belt",611.00`;
  const account = `Date;Payee;Category;Amount
02.01.2026;Rent Lindenhof;Housing;-890.00
05.01.2026;Salary Nordbau;Income;2840.15
08.01.2026;Lidl;Groceries;-61.75
24.01.2026;Lidl;Groceries;-58.95
03.02.2026;Edeka;Groceries;-40.00`;
  test.each([
    [services, "how much have I spent on the car in total?", "cost: 1482.70 (5 of 5 rows) [1]"],
    [services, "when was the last oil change?", "Oil and filter, cabin filter – date: 2024-10-08 [1]"],
    [
      services,
      "how often was the oil changed?",
      "2 of 5 rows (work: oil): Oil and filter, brake fluid, Oil and filter, cabin filter [1]",
    ],
    [services, "how much did the car cost me in 2024?", "cost: 340.20 (date: 2024, 2 of 5 rows) [1]"],
    [services, "How much did Ilse earn at Quickfit?", null],
    [
      services,
      "how much did the oil filters cost altogether",
      "cost: 353.20 (work: oil, work: filters, 2 of 5 rows) [1]",
    ],
    [services, "how much does Dolofen cost", null],
    [
      account,
      "how much did I spend on groceries in January?",
      "Amount: -120.70 (Category: Groceries, Date: January, 2 of 5 rows) [1]",
    ],
    [account, "what was the biggest expense?", "Rent Lindenhof – Amount: -890.00 [1]"],
    [account, "how often was I at Lidl?", "2 of 5 rows (Payee: Lidl) [1]"],
  ])("%#: %s", (text, question, answer) => {
    expect(answerOf(text, question, "car-2026")?.split("\n")[0] ?? null).toBe(answer);
  });

  test("what nothing of the table is, is compared all the same, and not told as sure", () => {
    const { question, wishes } = readAsk("What was the most expensive repair?", { hasAnswer: false });
    const [table] = tablesAt(services, 0, services.length);
    if (table === undefined) throw new Error("no table");
    const isOfSubject = (about: string) => answerFromTable(table, question, wishes, about)?.isOfSubject;
    expect([isOfSubject("service costs"), isOfSubject("repairs of the car")]).toEqual([false, true]);
  });
});

describe("sums, and columns of yes and no", () => {
  const expenses = `date,who,category,amount
2026-03-02,Nora,groceries,84.20
2026-03-04,Ben,fuel,61.50
2026-03-11,Ben,groceries,33.75
2026-03-19,Ben,shoes,119.00`;
  const guests = `Name,Coming,Menu
Rosa,yes,fish
Bert,no,-
Lena,pending,vegan
Joe,yes,fish`;
  const budget = `Item,Planned,Spent
Venue,4200,4200
Dress,1800,2150
Total,6000,6350`;
  test.each([
    [expenses, "How much did Ben spend in total?", "amount: 214.25 (who: Ben, 3 of 4 rows) [1]"],
    [expenses, "How much did we spend on groceries in March?", "amount: 117.95 (category: groceries, 2 of 4 rows) [1]"],
    [expenses, "Wie viel hat Ben insgesamt ausgegeben?", "amount: 214.25 (who: Ben, 3 of 4 rows) [1]"],
    [expenses, "What was the most expensive thing in March?", "Ben, shoes – amount: 119.00 [1]"],
    [guests, "How many guests are coming?", "2 of 4 rows (Coming: yes): Rosa, Joe [1]"],
    [guests, "Who is not coming?", "Bert – Coming: no, Menu: - [1]"],
  ])("%#: %s", (table, question, answer) => {
    const about = table === guests ? "Guests" : "Expenses March";
    expect(answerOf(table, question, about)?.split("\n")[0]).toBe(answer);
  });

  const members = `Name,Voice,Joined,Paid 2026,Phone,City
Anna Lindqvist,Soprano,2014-03-01,yes,070-1231212,Lund
Bo Ekman,Bass,2009-09-12,no,070-5552211,Malmö
Cecilia Strand,Alto,2021-01-20,yes,073-9090112,Lund
David Holm,Tenor,2018-10-05,yes,076-4443322,Eslöv
Eva Nyberg,Soprano,2023-02-14,no,070-3412789,Lund
Gunilla Berg,Alto,2005-01-15,yes,070-6677889,Landskrona
Hans Ek,Tenor,2025-09-01,yes,073-1010101,Malmö`;
  test.each([
    ["Who hasn't paid yet?", ["Bo Ekman", "Eva Nyberg"]],
    ["who paid?", ["Anna Lindqvist", "Cecilia Strand", "David Holm", "Gunilla Berg", "Hans Ek"]],
    ["Who has been in the choir the longest?", ["Gunilla Berg – Joined: 2005-01-15"]],
    ["who joined most recently", ["Hans Ek – Joined: 2025-09-01"]],
    ["phone number of Cecilia", ["Cecilia Strand – Phone: 073-9090112"]],
    ["what is Bo's mobile?", ["Bo Ekman – Phone: 070-5552211"]],
    ["How many people per city?", ["- Lund: 3", "- Malmö: 2", "- Eslöv: 1", "- Landskrona: 1"]],
    ["Which voice has the fewest members?", ["- Bass: 1"]],
    ["Wie viele Mitglieder pro City?", ["- Lund: 3"]],
  ])("members of a choir, %#: %s", (question, beginnings) => {
    const lines = answerOf(members, question, "Choir")?.split("\n") ?? [];
    expect(lines.slice(0, beginnings.length)).toEqual(beginnings.map((each) => expect.stringContaining(each)));
  });

  test("a row that is named by a part of its name, without what is asked, leaves a doubt", () => {
    const [table] = tablesAt(members, 0, members.length);
    if (table === undefined) throw new Error("no table");
    const of = (question: string) =>
      answerFromTable(table, question, readAsk(question, { hasAnswer: false }).wishes, "Choir");
    expect(of("What is Eva's email?")).toMatchObject({ rows: [4], isOfSubject: false });
    expect(of("What is Eva's phone number?")).toMatchObject({ rows: [4], isOfSubject: true });
  });

  const bank = `Date;Payee;Category;Amount
02.01.2026;Rent;Housing;-890.00
05.01.2026;Salary;Income;2840.15
08.01.2026;Lidl;Groceries;-61.75
24.01.2026;Edeka;Groceries;-58.95
03.02.2026;Edeka;Groceries;-40.00`;
  test.each([
    ["How much did we spend per category?", ["- Housing: -890.00", "- Groceries: -160.70"]],
    ["What did I spend per category?", ["- Housing: -890.00", "- Groceries: -160.70"]],
    ["How much did we spend per month?", ["- 2026-01: -1010.70", "- 2026-02: -40.00"]],
    ["How much did we spend in January?", ["Amount: -1010.70 (Date: January, 3 of 5 rows) [1]"]],
    ["How much did we earn in January?", ["Salary – Amount: 2840.15 [1]"]],
  ])("amounts of a bank, %#: %s", (question, expected) => {
    expect(answerOf(bank, question, "Bank")?.split("\n").slice(0, expected.length)).toEqual(expected);
  });

  const flats = "Flat,City,Rooms,Rent\nA1,Lund,2,700.00\nA2,Lund,3,900.00\nB1,Malmö,1,450.50\nB2,Malmö,4,1200.00";
  test.each([
    ["What is the average rent?", ["Rent (average): 812.63 (4 of 4 rows) [1]"]],
    ["What is the average rent in Lund?", ["Rent (average): 800.00 (City: Lund, 2 of 4 rows) [1]"]],
    ["average rent per city", ["- Malmö: 825.25", "- Lund: 800.00"]],
    ["How many rooms does a flat have on average?", ["Rooms (average): 2.5 (4 of 4 rows) [1]"]],
    ["Wie viele Rooms hat ein Flat im Schnitt?", ["Rooms (average): 2.5 (4 of 4 rows) [1]"]],
    ["What is the total rent?", ["Rent: 3250.50 (4 of 4 rows) [1]"]],
    ["What is the average income of the tenants?", []],
  ])("averages, %#: %s", (question, expected) => {
    expect((answerOf(flats, question, "Rents") ?? "").split("\n").slice(0, expected.length)).toEqual(expected);
    if (expected.length === 0) expect(answerOf(flats, question, "Rents")).toBeNull();
  });

  test("what all cost together is a sum", () => {
    const answer = answerOf(csv, "How much did all the tools cost together?", "Tools");
    expect(answer).toStartWith("price: 102.40 (category: tool, 3 of 5 rows");
  });

  test("a table with a row of totals is not added up, and a sum of something else is none", () => {
    expect(answerOf(budget, "How much did we spend in total?", "Budget") ?? "").not.toContain("12700");
    const seats = "Name,Coming,Table\nRosa,yes,1\nBert,no,2\nJoe,yes,2";
    expect(answerOf(seats, "What is the total budget of the wedding?", "Wedding budget")).toBeNull();
    expect(answerOf(expenses, "How much did the company earn in Japan?", "Expenses March")).toBeNull();
  });
});

test("a long list is told to a stated length", () => {
  const rows = Array.from({ length: 102 }, (_, at) => `P-${at},Project ${at},${at % 3 === 0 ? "closed" : "open"}`);
  const text = ["id,name,status", ...rows].join("\n");
  expect(answerOf(text, "List all closed projects", "Projects")).toContain("20 of 34 rows (status: closed) [1]");
  expect(answerOf(text, "How many projects are listed?", "Projects")).toBe("102 [1]");
});

test("units, currencies, durations, dates and both kinds of decimals are compared", () => {
  const kinds = (cells: readonly string[]) => {
    const [column] = columnsOf({ head: ["value"], rows: cells.map((cell) => [cell]), start: 0, end: 0 });
    return [column?.kind, column?.values];
  };
  expect(kinds(["1.234,50 €", "12,00 €"])).toEqual(["number", [1234.5, 12]]);
  expect(kinds(["$1,234.50", "$12.00"])).toEqual(["number", [1234.5, 12]]);
  expect(kinds(["3 h 25 min", "32 min"])).toEqual(["number", [205, 32]]);
  expect(kinds(["9.5 l", "14 l"])).toEqual(["number", [9.5, 14]]);
  expect(kinds(["2026-03-17", "4 April 2025"])).toEqual(["date", [Date.UTC(2026, 2, 17), Date.UTC(2025, 3, 4)]]);
  expect(kinds(["E04", "E09"])[0]).toBe("text");
  expect(kinds(["PRJ-034", "PRJ-035"])[0]).toBe("text");
});

test("prose with commas is no table, and a hundred thousand rows are answered", () => {
  expect(
    tablesAt("We met Ann, Bob, and Cy.\nThen came Di, Ed, and Flo.\nAll left at six, at last, in the rain.", 0, 60),
  ).toEqual([]);
  const rows = Array.from({ length: 100_000 }, (_, at) => `Item ${at},${(at * 7919) % 100_003}`);
  const text = ["name,price,unit", ...rows.map((row) => `${row},kg`)].join("\n");
  expect(answerOf(text, "What is the cheapest item?", "Prices")).toBe("Item 0 – price: 0 [1]");
});

test("of columns that differ in a year, the one that the question names is compared; a value that names a row is not counted", () => {
  const text = `department,Budget 2025,Budget 2026,Fiyat
Schools,4310000,4525500,86 TL
Museums,287300,301150,7 TL
Fire service,1120000,1385750,28 TL`;
  const told = (question: string) => answerOf(text, question, "Municipal budget 2026");
  expect(told("Which department has the largest budget in 2026?")).toBe("Schools – Budget 2026: 4525500 [1]");
  expect(told("how many departments have a budget of more than 1,000,000 in 2026")).toStartWith("2 of 3 rows");
  expect(told("Budget of the museums: 2025 against 2026")).toContain("Budget 2025: 287300, Budget 2026: 301150");
  expect(told("Museums kaç TL?")).toContain("Fiyat: 7 TL");
  expect(told("Which department's head count is the highest?")).toBeNull();
});

describe("what people ask of small tables", () => {
  const staff = `Name,Job,Team,Reports to,Email,Started
Helen Marsh,Managing director,Management,,helen@bricks.example,2009
Amir Sadeghi,Head of sales,Sales,Helen Marsh,amir@bricks.example,2014
Ruth Pennell,Account manager,Sales,Amir Sadeghi,ruth@bricks.example,2019
Yuki Tanabe,Head of finance,Finance,Helen Marsh,yuki@bricks.example,2016`;
  const plants = `Растение;Место;Воды (мл);Подкормка
Монстера;гостиная;700;раз в месяц
Кактус;кухня;50;не нужна
Орхидея;спальня;200;раз в неделю
Фикус;гостиная;400;раз в месяц`;
  const gym = `Tarif;Preis pro Monat;Sauna
Basis;24,90 €;nein
Flex;39,90 €;nein
Plus;34,90 €;ja`;
  const pills = `Médicament;Matin;Soir
Bisoprolol;1;0
Metformine;1;1`;
  const costs = `Data;Voce;Importo (€)
12/01/2025;Bolletta luce;86,40
20/01/2025;Spesa Coop;112,30
25/02/2025;Cinema;24,00
09/03/2025;Bolletta gas;134,75`;

  test.each([
    [staff, "who reports to helen marsh", ["Amir Sadeghi – ", "Yuki Tanabe – "]],
    [staff, "who has been there longest", ["Helen Marsh – Started: 2009"]],
    [plants, "какие растения стоят в гостиной", ["Монстера – ", "Фикус – "]],
    [plants, "сколько воды нужно орхидее", ["Орхидея – Воды (мл): 200"]],
    [gym, "was ist der unterschied zwischen basis und plus", ["Basis – ", "Plus – "]],
    [gym, "was kostet plus", ["Plus – Preis pro Monat: 34,90 €"]],
    [pills, "quels médicaments prend-elle le soir", ["Metformine – "]],
    [costs, "quante bollette ci sono", ["2 of 4 rows (Voce: bollette)"]],
    [costs, "qual è stata la spesa più alta", ["Bolletta gas – Importo (€): 134,75"]],
  ])("%#: %s", (text, question, rows) => {
    const lines = (answerOf(text, question, "") ?? "").split("\n");
    expect(lines.map((line, at) => line.startsWith(rows[at] ?? "nothing"))).toEqual(rows.map(() => true));
  });

  test("a sentence beside the table that has more of the question answers it", () => {
    const beside = ["Eine Tageskarte kostet 9,50 €, mit Sauna 14 €.", "Die Aufnahmegebühr beträgt 29 €."];
    expect(answerOf(gym, "was kostet eine tageskarte mit sauna", "Preise")).not.toBeNull();
    expect(answerOf(gym, "was kostet eine tageskarte mit sauna", "Preise", { beside })).toBeNull();
    expect(answerOf(gym, "was kostet flex", "Preise", { beside })).toBe("Flex – Preis pro Monat: 39,90 € [1]");
  });

  test("what is counted is named; the name of a longer document is not enough", () => {
    expect(answerOf(gym, "wie viele schüler hat die lindenschule", "lindenschule")).toBeNull();
    expect(answerOf(gym, "wie viele tarife hat die lindenschule", "lindenschule")).toBe("3 [1]");
    const beside = ["What to pack", "- a torch", "- a towel", "- a rain jacket"];
    expect(answerOf(gym, "how many things are on the packing list", "packing list")).toBe("3 [1]");
    expect(answerOf(gym, "how many things are on the packing list", "packing list", { beside })).toBeNull();
  });

  test("a follow-up is of the row that was named before, with a doubt where no column says it", () => {
    const earlier = ["what is ruth pennell's job?"];
    expect(answerOf(staff, "and her email?", "", { earlier, isOfEarlier: true })).toContain("ruth@bricks.example");
    const { wishes } = readAsk("who is her boss?", { hasAnswer: true });
    const [table] = tablesAt(staff, 0, staff.length);
    if (table === undefined) throw new Error("no table");
    const around = { beside: [], over: "", earlier, isOfEarlier: true };
    const found = answerFromTable(table, "who is her boss?", wishes, "", around);
    expect([found?.rows, found?.isOfSubject]).toEqual([[2], false]);
    expect(answerOf(staff, "who is her boss?", "", { earlier })).toBeNull();
  });

  test("a row without the amount that is asked for leaves a doubt", () => {
    const [table] = tablesAt(staff, 0, staff.length);
    if (table === undefined) throw new Error("no table");
    const isOfSubject = (message: string) => {
      const { question, wishes } = readAsk(message, { hasAnswer: false });
      return answerFromTable(table, question, wishes, "")?.isOfSubject;
    };
    expect(["what is ruth pennell's salary", "what is ruth pennell's email"].map(isOfSubject)).toEqual([false, true]);
  });
});

const programmes = `| Programm | Dauer |
|---|---|
| Baumwolle | 2:35 h |
| Wolle | 0:45 h |
| Kurz 20 | 0:20 h |
| Feinwäsche | 0:55 h |`;
const salon = "услуга;мастер;цена\nУкладка;Вера;1500\nМаникюр;Оксана;1700\nМассаж;Вера;2100";

test.each([
  [
    "durations are compared, and a compound names its column",
    programmes,
    "Welches Waschprogramm ist das kürzeste?",
    "Kurz 20 – Dauer: 0:20 h [1]",
  ],
  [
    "the amount of a thing where a list has no other column",
    "Concepto;Euros\nVuelos;412\nComidas;480\nExcursiones;196",
    "¿Cuánto hay previsto para comidas?",
    "Comidas – Euros: 480 [1]",
  ],
  [
    "how often something is done is no cell of words",
    "code;cause;remedy\nE20;blocked;clean the filter\nE40;door open;shut it",
    "How often must I clean the filter?",
    null,
  ],
  ["a short name in another case", salon, "Сколько услуг у Веры?", "2 of 3 rows (мастер: Вера): Укладка, Массаж [1]"],
])("%s", (_, text, question, answer) => {
  expect(answerOf(text, question, "")).toBe(answer);
});

test("a row is named with the number that it begins with", () => {
  const rooms = "room,kind,view,price_eur\n101,single,yard,62\n102,double,garden,88\n201,single,sea,74";
  expect(answerOf(rooms, "which room is the cheapest?", "Rooms")).toBe("101, yard – price_eur: 62 [1]");
});

test("a value of several columns alike, as of a rota, chooses the rows that have it in any of them", () => {
  const rota = "day,morning,afternoon\nMonday,Uwe,Sabine\nTuesday,Uwe,nobody\nFriday,nobody,Sabine\nSunday,Sabine,Uwe";
  expect(answerOf(rota, "on which days does Sabine come?", "Rota")).toBe(
    "Monday – morning: Uwe, afternoon: Sabine [1]\nFriday – morning: nobody, afternoon: Sabine [1]\nSunday – morning: Sabine, afternoon: Uwe [1]",
  );
  const staff = "name,reports to,town\nHelen,Ann,York\nBob,Helen,Leeds\nCarl,Helen,York";
  expect(answerOf(staff, "who reports to Helen?", "Staff")).not.toContain("Ann");
});

test("a table without what is compared or listed says nothing", () => {
  const inventory = "room,item,number\nKitchen,chairs,4\nKitchen,table,1\nBath,mirror,1";
  expect(answerOf(inventory, "which room is the most expensive?", "Inventory")).toBeNull();
  const expenses = "date,description,amount\n2025-10-01,paper,4.20\n2025-11-03,toner,43.10\n2025-11-20,lunch,12.00";
  expect(answerOf(expenses, "which appointments are there in November?", "Expenses")).toBeNull();
  expect(answerOf(expenses, "which expenses were there in November?", "Expenses")).toContain("toner");
});

test("what something costs is its price, not how many rows have it", () => {
  const rows = ["Стрижка женская | 1800", "Стрижка мужская | 1200", "Укладка | 900", "Окрашивание | 3500"];
  const prices = ["услуга | цена руб", "--- | ---", ...rows].map((row) => `| ${row} |`).join("\n");
  expect(answerOf(prices, "сколько стоит стрижка?", "Прайс") ?? "").not.toContain("2 of 4 rows");
  expect(answerOf(prices, "сколько стоит укладка?", "Прайс")).toBe("Укладка – цена руб: 900 [1]");
});
