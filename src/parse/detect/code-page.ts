import iconv from "iconv-lite";

/** Windows code pages that are known by another name than their number. */
const named = new Map([
  [1200, "utf-16le"],
  [1201, "utf-16be"],
  [10000, "macintosh"],
  [20127, "windows-1252"],
  [51932, "euc-jp"],
  [51936, "gb2312"],
  [51949, "euc-kr"],
  [54936, "gb18030"],
  [65001, "utf-8"],
]);

/** The charset of a Windows code page; null for one that is not known. */
export const charsetOfCodePage = (number: number): string | null => {
  const charset = named.get(number) ?? `cp${number}`;
  return iconv.encodingExists(charset) ? charset : null;
};
