import { expect, test } from "bun:test";
import { createBacklog } from "../../../src/ingest/queue/backlog.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";

const limits = { maxPerOrganization: 3, maxCharacters: 10 };
const any = () => true;

test("keeps accepted texts up to the bound only", () => {
  const backlog = createBacklog(limits);
  const document = sampleDocument();
  for (const id of ["a1", "a2"]) {
    backlog.add({ id, organizationId: "a", accepted: { document, text: "sixsix" } });
  }
  expect(backlog.take(any)?.accepted?.text).toBe("sixsix");
  expect(backlog.take(any)?.accepted).toBeUndefined();
  backlog.add({ id: "a3", organizationId: "a", accepted: { document, text: "ten chars." } });
  expect(backlog.take(any)?.accepted?.text).toBe("ten chars.");
});
