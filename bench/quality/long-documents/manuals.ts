import type { LongDocument, LongQuestion } from "./contract.ts";
import { layOut, type Section } from "./page-layout.ts";
import { type Chooser, createChooser } from "./words.ts";

interface Family {
  maker: string;
  product: string;
  models: readonly string[];
  file(model: string, version: number): string;
}

const families: readonly Family[] = [
  {
    maker: "Aerovent",
    product: "air handling unit",
    models: ["HX 300", "HX 500", "HX 700"],
    file: (model, version) => `${model.replace(" ", "").toLowerCase()}_user_manual_v${version}.pdf`,
  },
  {
    maker: "Lumo",
    product: "espresso machine",
    models: ["Lumo Piccolo", "Lumo Duo", "Lumo Grande"],
    file: (model, version) => `${model} - instructions (ed ${version}).pdf`,
  },
  {
    maker: "Ferrox",
    product: "plate compactor",
    models: ["PC-90", "PC-120", "PC-200"],
    file: (model, version) => `Manual_${model.replace("-", "")}_rev${version}_EN.pdf`,
  },
  {
    maker: "Nimbus",
    product: "network storage",
    models: ["N2", "N4", "N8 Pro"],
    file: (_model, version) => `manual-${version}.pdf`,
  },
];

const parts = [
  "filter",
  "drive belt",
  "control panel",
  "pump",
  "drain valve",
  "fan",
  "seal",
  "power supply",
  "temperature sensor",
  "cover plate",
];
const steps = [
  "Switch the unit off and pull the plug.",
  "Wait until all moving parts have stopped.",
  "Loosen the four screws and take off the cover.",
  "Note the direction of the arrow.",
  "Clean the seat with a dry cloth.",
  "Fit the new part until it clicks.",
  "Tighten the screws crosswise.",
  "Switch the unit on and check that no warning is shown.",
  "Reset the service counter in the menu.",
  "Dispose of the old part according to local rules.",
];
const cautions = [
  "Only trained staff may do this work.",
  "Keep children away from the unit.",
  "Do not use solvents.",
  "Risk of burns: let the unit cool down.",
  "Use original spare parts only.",
  "Damage caused by improper use is not covered.",
  "Keep these instructions for later use.",
  "Wear protective gloves.",
];
const faults = [
  "motor overload",
  "sensor not found",
  "temperature too high",
  "low pressure",
  "door open",
  "communication lost",
  "memory error",
  "filter blocked",
];

const prose = (choose: Chooser, sentences: number): string =>
  Array.from({ length: sentences }, () =>
    choose.of([...cautions, ...steps, "See the chapter on safety.", "The figure shows the parts of the unit."]),
  ).join(" ");

/** Manuals of product families: the same chapters for every model and version, with other values. */
export const manuals = (): { documents: LongDocument[]; questions: LongQuestion[] } => {
  const documents: LongDocument[] = [];
  const questions: LongQuestion[] = [];
  for (const [at, family] of families.entries()) {
    for (const [index, model] of family.models.entries()) {
      for (const version of [1, 2]) {
        const file = family.file(model, family.maker === "Nimbus" ? 100 * (index + 1) + version : version);
        const made = manual(family, model, version, file, at);
        documents.push(made.document);
        questions.push(...made.questions);
      }
    }
  }
  return { documents, questions };
};

const manual = (
  { maker, product }: Family,
  model: string,
  version: number,
  file: string,
  family: number,
): { document: LongDocument; questions: LongQuestion[] } => {
  const choose = createChooser(`${model} ${version} ${family}`);
  const asked: { text: string; passage: string }[] = [];
  const sections: Section[] = [];
  const edition = choose.of([`version ${version}`, `edition ${version}`]);
  const add = (heading: string, passage: string, questions: readonly string[]): void => {
    const paragraphs = [
      passage,
      ...Array.from({ length: choose.between(4, 9) }, () => prose(choose, choose.between(4, 8))),
    ];
    sections.push({
      heading,
      paragraphs: choose.chance(0.5)
        ? paragraphs
        : [paragraphs[1] ?? "", ...paragraphs.filter((_, index) => index !== 1)],
    });
    asked.push({ text: `${choose.of(questions)}${version === 1 ? "" : `, ${edition}`}`, passage });
  };
  sections.push({ heading: "Safety", paragraphs: Array.from({ length: 12 }, () => prose(choose, 6)) });
  add(
    "Technical data",
    `Rated power ${choose.between(2, 90) * 50} W, noise level ${choose.between(38, 88)} dB(A), weight ${choose.between(8, 240)} kg, dimensions ${choose.between(30, 120)} × ${choose.between(30, 90)} × ${choose.between(20, 80)} cm.`,
    [
      `How loud is the ${model}?`,
      `weight of the ${maker} ${model.replace(`${maker} `, "")}`,
      `power consumption ${model}`,
    ],
  );
  for (const part of choose.some(parts, 7)) {
    const passage = `To change the ${part}: ${choose.some(steps, 5).join(" ")} Tighten to ${choose.between(2, 40)} Nm. Change the ${part} every ${choose.between(2, 40) * 50} hours of use; the part number is ${choose.between(100000, 999999)}.`;
    add(`Changing the ${part}`, passage, [
      `How do I change the ${part} on the ${model}?`,
      `When must the ${part} of the ${model} be replaced?`,
      `${model} ${part} part number`,
    ]);
  }
  const codes = faults.map((fault, index) => ({ code: `E${String(index + 1 + family * 10).padStart(2, "0")}`, fault }));
  for (const { code, fault } of choose.some(codes, 4))
    add(
      `Error ${code}`,
      `${code} means ${fault}: ${choose.some(steps, 3).join(" ")} If ${code} comes back within ${choose.between(2, 60)} minutes, call the service.`,
      [`What does error ${code} mean on the ${model}?`, `${model} shows ${fault}`],
    );
  add(
    "Cleaning",
    `Clean the housing every ${choose.between(1, 12)} weeks with water of at most ${choose.between(30, 60)} °C.`,
    [`How often should I clean the ${model}?`],
  );
  add(
    "Warranty",
    `The warranty is ${choose.between(12, 60)} months from the day of purchase, or ${choose.between(1, 9) * 1000} hours of use.`,
    [`How long is the warranty of the ${model}?`],
  );
  const cover = [
    `${maker} ${model.replace(`${maker} `, "")}`,
    `${product[0]?.toUpperCase()}${product.slice(1)}`,
    `User manual, ${edition}`,
  ];
  const laid = layOut(cover, `${model} user manual`, sections);
  return {
    document: { file, pdf: laid.pdf, pages: laid.pages },
    questions: choose.some(asked, 5).map(({ text, passage }, index) => ({
      id: `${file}-${index}`,
      kind: "manuals",
      text,
      file,
      pages: laid.pagesOf(passage),
    })),
  };
};
