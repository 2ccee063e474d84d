import type { LongDocument, LongQuestion } from "./contract.ts";
import { layOut, type Section } from "./page-layout.ts";
import { amount, type Chooser, createChooser } from "./words.ts";

const laws = [
  {
    title: "Water Services Act",
    subject: "water undertaker",
    file: (year: number) => `water-services-act-${year}.pdf`,
  },
  {
    title: "Working Time Regulations",
    subject: "employer",
    file: (year: number) => `SI ${year} No 1833 Working Time.pdf`,
  },
  {
    title: "Road Vehicles (Registration) Order",
    subject: "registered keeper",
    file: (year: number) => `rvro_${year}.pdf`,
  },
  {
    title: "Food Hygiene Regulations",
    subject: "food business operator",
    file: (year: number) => `FoodHygieneRegs${year}consolidated.pdf`,
  },
  { title: "Tenancies Act", subject: "landlord", file: (year: number) => `act_${(year * 7) % 100}.pdf` },
] as const;
const years = [2006, 2010, 2013, 2017, 2021] as const;

const clauses = [
  "The Minister may by order amend this Schedule.",
  "Nothing in this section affects any other enactment.",
  "A person aggrieved by a decision may appeal to the tribunal.",
  "The authority must publish its reasons.",
  "Subsection (1) does not apply where the authority has given its consent in writing.",
  "For the purposes of this Part, a notice is served when it is delivered.",
  "The authority must have regard to any guidance issued.",
  'In this section "prescribed" means prescribed by regulations.',
  "A copy of the register is to be open to inspection at all reasonable hours.",
];

/** Laws as they stood in several years: the same sections, with other figures. */
export const lawTexts = (): { documents: LongDocument[]; questions: LongQuestion[] } => {
  const documents: LongDocument[] = [];
  const questions: LongQuestion[] = [];
  for (const law of laws) {
    for (const year of years) {
      const choose = createChooser(`${law.title} ${year}`);
      const file = law.file(year);
      const provisions = provisionsOf(choose, law.subject);
      const sections = provisions.map(
        ({ heading, passage }, index): Section => ({
          heading: `${index + 1}. ${heading}`,
          paragraphs: [
            clausesOf(choose),
            passage,
            ...Array.from({ length: choose.between(3, 8) }, () => clausesOf(choose)),
          ],
        }),
      );
      const laid = layOut(
        [`${law.title} ${year}`, "Arrangement of sections"],
        choose.of([`${law.title} ${year}`, `${year} No. ${choose.between(100, 3000)}`]),
        sections,
      );
      documents.push({ file, pdf: laid.pdf, pages: laid.pages });
      for (const [index, { question, passage }] of choose.some(provisions, 5).entries()) {
        const name = choose.of([
          `the ${year} ${law.title.toLowerCase()}`,
          `the ${law.title} ${year}`,
          `${law.title.replace(/ \(.*\)/, "")} of ${year}`,
        ]);
        questions.push({
          id: `${file}-${index}`,
          kind: "laws",
          text: `${question} under ${name}?`,
          file,
          pages: laid.pagesOf(passage),
        });
      }
    }
  }
  return { documents, questions };
};

const clausesOf = (choose: Chooser): string =>
  `(${choose.between(2, 9)}) ${choose.some(clauses, choose.between(3, 6)).join(" ")}`;

const provisionsOf = (choose: Chooser, subject: string) => {
  const days = (): number => choose.between(5, 90);
  const fine = (): string => amount(choose.between(2, 90) * 500);
  return [
    {
      heading: "Interpretation",
      passage: `In this instrument "${subject}" includes a person acting on behalf of the ${subject} for more than ${days()} days.`,
      question: `Who counts as a ${subject}`,
    },
    {
      heading: "Duty to register",
      passage: `A ${subject} must register with the authority within ${days()} days of commencing activity.`,
      question: `How soon must a ${subject} register`,
    },
    {
      heading: "Keeping of records",
      passage: `Records must be kept for ${choose.between(2, 12)} years and produced within ${days()} days of a request.`,
      question: "How long do records have to be kept",
    },
    {
      heading: "Annual returns",
      passage: `An annual return is due ${days()} days after the end of the year; a late return incurs a charge of £${fine()}.`,
      question: "What does a late annual return cost",
    },
    {
      heading: "Fees",
      passage: `The fee for an application is £${amount(choose.between(20, 900))}, and for a renewal £${amount(choose.between(20, 500))}.`,
      question: "What is the application fee",
    },
    {
      heading: "Powers of entry",
      passage: `An inspector may enter premises at any reasonable hour after giving ${choose.between(12, 96)} hours' notice.`,
      question: "How much notice must an inspector give before entering premises",
    },
    {
      heading: "Improvement notices",
      passage: `The recipient of an improvement notice has ${days()} days to comply with it.`,
      question: "How many days are there to comply with an improvement notice",
    },
    {
      heading: "Appeals",
      passage: `An appeal is to be brought within ${days()} days after the decision, and is heard by ${choose.of(["the county court", "the tribunal", "the sheriff", "a panel of three"])}.`,
      question: "Within what time can one appeal",
    },
    {
      heading: "Offences and penalties",
      passage: `A ${subject} who contravenes section 2 is liable to a fine not exceeding £${fine()} or imprisonment for ${choose.between(2, 24)} months.`,
      question: `What is the maximum fine for a ${subject} who breaks the duty to register`,
    },
    {
      heading: "Exemptions",
      passage: `This Part does not apply to a ${subject} with fewer than ${choose.between(3, 50)} employees.`,
      question: `Which small ${subject}s are exempt`,
    },
    {
      heading: "Transitional provisions",
      passage: `A licence granted before commencement remains valid for ${choose.between(6, 36)} months.`,
      question: "How long do old licences remain valid",
    },
    {
      heading: "Commencement",
      passage: `This instrument comes into force on ${choose.between(1, 28)} ${choose.of(["April", "October", "January"])}, except section ${choose.between(3, 9)}.`,
      question: "On which day did it come into force",
    },
  ];
};
