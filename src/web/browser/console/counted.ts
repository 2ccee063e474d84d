/** A number with its noun or verb: "1 document", "2 documents". */
export const counted = (number: number, one: string, many: string): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`;
