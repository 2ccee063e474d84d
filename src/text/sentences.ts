/**
 * Finds the ends of sentences by punctuation in one pass: fast enough for every document, and the same for every language
 * whose sentences end in a full stop or a similar mark. No dictionary, no model.
 */

/** Ends a sentence if white space follows, and then no lower-case letter. */
const stops = new Set(".!?…؟۔։።");
/** Ends a sentence whatever follows. */
const denseStops = new Set("。！？｡।॥");
const closers = new Set("\"'”’»)]}」』）】》〉");

/** Words that end in a full stop within a sentence, without it, lower-case. */
const abbreviations = new Set(
  (
    "mr mrs ms dr prof sr jr st mt vs etc e.g i.e cf al fig figs eq no nos vol pp p ed eds inc ltd co corp dept approx " +
    "est gen gov sen rep rev hon capt col lt sgt jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k u.n a.m p.m " +
    "ph.d ca resp z.b d.h u.a bzw usw vgl nr abb tab bd hrsg str tel evtl ggf inkl zzgl o.ä s.o s.u sog mio mrd dipl ing " +
    "hr fr kap art abs sra srta ud uds dra dpto núm pág págs p.ej ej mme mlle mm bibl chap éd env p.ex max min " +
    "т.е т.д т.п г гг в вв им ул руб тыс млн млрд стр рис см напр sig dott ing ecc pag n.b bijv nl d.w.z o.a mw dhr"
  ).split(" "),
);
const maxAbbreviationCharacters = 8;

const isSpace = (unit: number): boolean =>
  unit === 32 ||
  (unit >= 9 && unit <= 13) ||
  unit === 160 ||
  unit === 0x2028 ||
  unit === 0x2029 ||
  unit === 0x3000 ||
  unit === 0x202f;

const lowerCase = /\p{Ll}/u;
const wordUnit = /[\p{L}\p{N}.]/u;

/** True where the full stop at `at` belongs to an abbreviation, an initial or an ordinal number. */
const isAbbreviation = (text: string, at: number, from: number): boolean => {
  let start = at;
  const earliest = Math.max(from, at - maxAbbreviationCharacters - 1);
  while (start > earliest && wordUnit.test(text[start - 1] ?? "")) start--;
  const word = text.slice(start, at);
  if (word === "") return false;
  if (/^\p{Lu}$/u.test(word)) return true;
  if (/^\d{1,2}$/.test(word)) return true;
  return word.length <= maxAbbreviationCharacters && abbreviations.has(word.toLowerCase());
};

/** A lower-case letter begins a sentence only in text without capitals; then the word before is no abbreviation. */
const isLongWord = (text: string, at: number): boolean =>
  /^[\p{L}\p{N}%)\]]{4}$/u.test(text.slice(Math.max(0, at - 4), at));

/** True where the text up to `end` ends in a mark that ends a sentence, whatever quotation marks or brackets close it. */
export const endsWithStop = (text: string, end: number): boolean => {
  let at = end - 1;
  while (at >= 0 && closers.has(text[at] ?? "")) at--;
  const last = text[at] ?? "";
  return stops.has(last) || denseStops.has(last);
};

/**
 * End of the sentence that begins at `from`: after its stop and what closes it, before the white space that follows.
 * @returns `to` where no sentence ends before it
 */
export const endOfSentence = (text: string, from: number, to: number): number => {
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    // ASCII letters and digits, most of most texts, need no look-up.
    if ((unit >= 97 && unit <= 122) || unit === 32 || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57))
      continue;
    const character = text[at] ?? "";
    const dense = denseStops.has(character);
    if (!dense && !stops.has(character)) continue;
    let end = at + 1;
    while (end < to && (stops.has(text[end] ?? "") || denseStops.has(text[end] ?? "") || closers.has(text[end] ?? "")))
      end++;
    if (dense || end === to) return end;
    if (!isSpace(text.charCodeAt(end))) {
      at = end - 1;
      continue;
    }
    let next = end;
    while (next < to && isSpace(text.charCodeAt(next))) next++;
    if (next === to) return end;
    const isLowerCase = lowerCase.test(text[next] ?? "");
    const plainStop = character === "." && end === at + 1;
    const goesOn = plainStop ? isAbbreviation(text, at, from) || (isLowerCase && !isLongWord(text, at)) : isLowerCase;
    if (!goesOn) return end;
    at = end - 1;
  }
  return to;
};
