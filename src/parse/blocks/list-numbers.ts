/** The number of a list's item as it is shown. @param format as Word names it; any other counts in figures */
export const listNumber = (number: number, format: string): string => {
  if (format === "lowerLetter") return letters(number).toLowerCase();
  if (format === "upperLetter") return letters(number);
  if (format === "lowerRoman") return roman(number).toLowerCase();
  if (format === "upperRoman") return roman(number);
  return format === "decimalZero" && number < 10 ? `0${number}` : String(number);
};

/** A … Z, AA, BB … as word processors count. */
const letters = (number: number): string => {
  const index = Math.max(0, number - 1);
  return String.fromCharCode(65 + (index % 26)).repeat(Math.min(Math.floor(index / 26) + 1, 20));
};

const romanSigns = {
  M: 1000,
  CM: 900,
  D: 500,
  CD: 400,
  C: 100,
  XC: 90,
  L: 50,
  XL: 40,
  X: 10,
  IX: 9,
  V: 5,
  IV: 4,
  I: 1,
};

const roman = (number: number): string => {
  let left = Math.min(Math.max(number, 0), 4000);
  let text = "";
  for (const [sign, value] of Object.entries(romanSigns)) for (; left >= value; left -= value) text += sign;
  return text;
};
