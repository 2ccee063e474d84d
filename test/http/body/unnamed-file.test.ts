import { expect, test } from "bun:test";
import fc from "fast-check";
import { withUnnamedFiles } from "../../../src/http/body/multipart-body.ts";

const head = '--x\r\nContent-Disposition: form-data; name="file"; ';
const sent = `${head}filename=""\r\n`;
const marked = `${head}filename="/"\r\n`;

const passed = async (body: string, pieceBytes: number): Promise<string> => {
  const bytes = Buffer.from(body, "latin1");
  const pieces = (async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  })();
  return Buffer.concat(await Array.fromAsync(withUnnamedFiles(pieces, "x"))).toString("latin1");
};

test("a part without a file name is marked, however the body is cut; all else stays as it is", async () => {
  const text = fc.array(
    fc.constantFrom(
      sent,
      sent.slice(0, -2),
      sent.slice(0, 20),
      head,
      "--x",
      "--",
      "\r\n",
      'filename=""',
      "\u00ff\u0000",
    ),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 90 }), async (parts, pieceBytes) => {
      const body = parts.join("");
      expect(await passed(body, pieceBytes)).toBe(body.replaceAll(sent, marked));
    }),
  );
});
