/** Pictures drawn inside forms, each of which has a transform of its own. */
import { expect, test } from "bun:test";
import { pagePictures } from "../../src/parse/formats/pdf/page-pictures.ts";
import { openWithPdfjs } from "../../src/parse/formats/pdf/pdfjs.ts";
import type { PagePicture } from "../../src/parse/formats/pdf/picture-strips.ts";
import { makeFormPdf, type PlacedForm } from "../../tools/samples/pdf-file.ts";

const grays = { Dark: 10, Light: 200 };

const picturesOf = async (content: string, forms: readonly PlacedForm[]): Promise<PagePicture[]> => {
  const pdf = await openWithPdfjs(makeFormPdf(content, forms, grays), null);
  try {
    return await pagePictures(pdf, 1);
  } finally {
    await pdf.loadingTask.destroy();
  }
};

/** The gray of each row, whatever the number of channels. */
const rows = ({ pixels }: PagePicture): number[] => {
  if (pixels === null) return [];
  const { data, width, height, channels } = pixels;
  return Array.from({ length: height }, (_, row) => data[row * width * channels] ?? -1);
};
const rounded = (edge: readonly number[]) => edge.map((value) => Math.round(value));

test("a picture stands where its form's matrix puts it, the next on the page where the page does", async () => {
  const [inForm, onPage, ...more] = await picturesOf("/Half Do q 100 0 0 50 20 30 cm /Light Do Q", [
    { name: "Half", matrix: [0.5, 0, 0, 0.5, 40, 60], content: "q 200 0 0 100 10 20 cm /Dark Do Q" },
  ]);
  expect(more).toEqual([]);
  expect(inForm && rows(inForm)).toEqual([10]);
  expect(rounded(inForm?.lowerEdge ?? [])).toEqual([45, 70, 145, 70]);
  expect(rounded(inForm?.upperEdge ?? [])).toEqual([45, 120, 145, 120]);
  expect(onPage && rows(onPage)).toEqual([200]);
  expect(rounded(onPage?.lowerEdge ?? [])).toEqual([20, 30, 120, 30]);
});

test.each([
  ["upright", [1, 0, 0, 1, 0, 0], 0],
  ["a quarter counterclockwise", [0, 1, -1, 0, 600, 0], 3],
  ["upside down", [-1, 0, 0, -1, 600, 800], 2],
  ["a quarter clockwise", [0, -1, 1, 0, 0, 800], 1],
] as const)("strips in a form that stands %s are one picture, turned as it", async (_, matrix, quarters) => {
  const content = "q 400 0 0 100 50 300 cm /Dark Do Q q 400 0 0 100 50 200 cm /Light Do Q";
  const pictures = await picturesOf("/Turned Do", [{ name: "Turned", matrix, content }]);
  expect(pictures.map(rows)).toEqual([[10, 200]]);
  expect(pictures[0]?.quarters).toBe(quarters);
});

test("matrices of forms within forms and the page's own transform go together", async () => {
  const forms: PlacedForm[] = [
    { name: "Outer", matrix: [2, 0, 0, 2, 0, 0], content: "q 1 0 0 1 10 0 cm /Inner Do Q" },
    { name: "Inner", matrix: [0, 1, -1, 0, 0, 0], content: "30 0 0 20 5 0 cm /Dark Do" },
  ];
  const [picture] = await picturesOf("q 1 0 0 1 100 200 cm /Outer Do Q", forms);
  // (0, 0) and (1, 0): to (5, 0), (35, 0); turned to (0, 5), (0, 35); moved, doubled, moved.
  expect(rounded(picture?.lowerEdge ?? [])).toEqual([120, 210, 120, 270]);
  expect(rounded(picture?.upperEdge ?? [])).toEqual([80, 210, 80, 270]);
  expect(picture?.quarters).toBe(3);
});

test("strips drawn by a form each, as some scanners save them, are one; what a form leaves open ends with it", async () => {
  const strip = (name: string, gray: string, y: number): PlacedForm => ({
    name,
    matrix: [1, 0, 0, 1, 0, y],
    // One state is saved and never restored.
    content: `q 1 0 0 1 50 0 cm q 400 0 0 100 0 0 cm /${gray} Do Q`,
  });
  const forms = [strip("First", "Dark", 500), strip("Second", "Light", 400)];
  expect((await picturesOf("/First Do /Second Do", forms)).map(rows)).toEqual([[10, 200]]);
});
