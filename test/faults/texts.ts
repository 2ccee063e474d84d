import type { Random } from "./random.ts";

const subjects = [
  "The reading room",
  "The northern hall",
  "Each visitor's card",
  "The old catalogue",
  "A lost umbrella",
];
const verbs = ["is looked after by", "was found beside", "has to be shown to", "is described in the notes of"];
const objects = ["the caretaker", "the second librarian", "the committee for opening hours", "the winter exhibition"];

const sentence = (random: Random): string =>
  `${random.pick(subjects)} ${random.pick(verbs)} ${random.pick(objects)} number ${random.below(1_000)}.`;

/** Paragraphs of a text: mostly one, sometimes enough for several snippets, now and then for a hundred. */
const sizeOf = (random: Random): number => {
  const roll = random.next();
  if (roll < 0.7) return 1;
  return roll < 0.95 ? 12 + random.below(20) : 200 + random.below(200);
};

/** A text of which one sentence holds `word`. */
export const textWith = (random: Random, word: string): string => {
  const paragraphs = sizeOf(random);
  const at = random.below(paragraphs);
  return Array.from({ length: paragraphs }, (_, number) => {
    const sentences = [sentence(random), sentence(random), sentence(random)];
    if (number === at) sentences[1] = `The ${word} was seen there in the winter.`;
    return sentences.join(" ");
  }).join("\n\n");
};
