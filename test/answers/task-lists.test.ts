import { afterAll, expect, test } from "bun:test";
import { startTestServer } from "../start-server.ts";
import { type AnswerBody, call } from "./client.ts";

const garden = `# Garden, to do

Before the summer party:

- [x] cut the hedge
- [ ] paint the bench
  - [ ] buy green paint
- [x] clean the pond

The key hangs beside the door.
`;

const server = await startTestServer();
const key = await server.issueKey();
for (const [name, text] of [
  ["garden.md", garden],
  [
    "team.md",
    "# Team meeting\n\nWe sign the lease.\n\n## Action items\n\n- [x] Piotr: order headsets\n- [ ] Yuki: compare removal companies",
  ],
  ["bikes.md", "# Bicycles\n\nThe bicycle workshop is open on Mondays. Nothing is done on Sundays."],
])
  await call(`${server.url}/api/ingest`, { key, body: { text, name } });
afterAll(() => server.stop());

const open = ["paint the bench", "buy green paint"];
const done = ["cut the hedge", "clean the pond"];

test.each([
  ["What still has to be done in the garden?", open],
  ["How many tasks are still open on the garden list?", ["2 [1]", ...open]],
  ["Was ist auf der Liste Garden noch zu tun?", open],
  ["Which tasks of the garden list are already done?", done],
  ["Какие задачи ещё открыты в garden?", open],
])("%s", async (query, told) => {
  const { body } = await call<AnswerBody>(`${server.url}/api/query`, { key, body: { query } });
  for (const each of told) expect(body.answer).toContain(each);
  for (const other of told.includes(open[0] as string) ? done : open) expect(body.answer).not.toContain(other);
});

test("tasks are found by the heading over them", async () => {
  const { body } = await call<AnswerBody>(`${server.url}/api/query`, {
    key,
    body: { query: "how many action items are still open" },
  });
  expect(body.answer).toBe("1 [1]\n- Yuki: compare removal companies");
});

test("a list of tasks is not taken for the answer of a question about something else that is open", async () => {
  const { body } = await call<AnswerBody>(`${server.url}/api/query`, {
    key,
    body: { query: "When is the bicycle workshop still open?" },
  });
  expect(body.answer).toContain("Mondays");
});
