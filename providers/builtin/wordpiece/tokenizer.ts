import { readFile } from "node:fs/promises";
import { createCharacterTable, ideograph, letter, punctuation, removed, sign, space } from "./characters.ts";
import path from "./vocabulary.txt" with { type: "file" };

/** Wordpieces in the normal form of BERT uncased. */
interface Vocabulary {
  size: number;
  /** Pieces that begin a word. */
  initial: WordTable;
  /** Pieces that continue a word, without their `##`. */
  continuing: WordTable;
  /** UTF-16 units of the longest piece. */
  longest: number;
  unknown: number;
  /** Special tokens by their text, which the original recognizes in any text: `[CLS]`, `[SEP]` and so on. */
  special: ReadonlyMap<string, number>;
}

const specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const hash = 0x23;
const lineFeed = 0x0a;

/**
 * Reads a vocabulary: one piece a line, the line number is the piece's id.
 * @throws Error if a special token is missing
 */
export const readVocabulary = (lines: string): Vocabulary => {
  const units = new Uint16Array(lines.length);
  let size = 1;
  for (let index = 0; index < lines.length; index += 1) {
    const unit = lines.charCodeAt(index);
    units[index] = unit;
    if (unit === lineFeed) size += 1;
  }
  const initial = createWordTable(size, units.length);
  const continuing = createWordTable(size, units.length);
  let longest = 0;
  let id = 0;
  for (let from = 0; from <= units.length; id += 1) {
    let end = units.indexOf(lineFeed, from);
    if (end < 0) end = units.length;
    const continues = end - from > 2 && units[from] === hash && units[from + 1] === hash;
    const start = continues ? from + 2 : from;
    let code = hashStart;
    for (let index = start; index < end; index += 1) code = hashStep(code, units[index] as number);
    (continues ? continuing : initial).add(units, start, end, code, id);
    longest = Math.max(longest, end - start);
    from = end + 1;
  }
  const special = new Map(specials.map((token) => [token, specialId(initial, token)]));
  return { size, initial, continuing, longest, unknown: special.get("[UNK]") as number, special };
};

const specialId = (table: WordTable, token: string): number => {
  const units = Uint16Array.from(token, (character) => character.charCodeAt(0));
  const id = table.find(units, 0, units.length, units.reduce(hashStep, hashStart));
  if (id < 0) throw new Error(`the vocabulary has no ${token}`);
  return id;
};

/**
 * A hash table from words to numbers. Words are looked up as spans of a buffer of UTF-16 units, with a hash that the
 * caller has made while it filled the buffer: no string is made for a lookup.
 */

/** Start value of a word's hash. */
const hashStart = 0x811c9dc5 | 0;

/** FNV-1a (Fowler, Noll, Vo), a UTF-16 unit at a time. */
const hashStep = (hash: number, unit: number): number => {
  return Math.imul(hash ^ unit, 0x01000193);
};

interface WordTable {
  /** The number kept for the word in `buffer[start, end)`, or -1. */
  find(buffer: Uint16Array, start: number, end: number, hash: number): number;
  /** Keeps a word that is not in the table yet. False if there is no room. `value` is 0 or more. */
  add(buffer: Uint16Array, start: number, end: number, hash: number, value: number): boolean;
  clear(): void;
}

/** A table with room for `words` words of `units` UTF-16 units together; it never grows. */
const createWordTable = (words: number, units: number): WordTable => {
  // At most half full, so that a search is short.
  const slotCount = 2 ** Math.ceil(Math.log2(words * 2));
  const slots = new Int32Array(slotCount);
  const hashes = new Int32Array(words);
  const values = new Int32Array(words);
  const ends = new Int32Array(words + 1);
  const text = new Uint16Array(units);
  let size = 0;

  const firstSlot = (hash: number) => (hash ^ (hash >>> 15)) & (slotCount - 1);

  const holds = (index: number, buffer: Uint16Array, start: number, end: number): boolean => {
    const from = ends[index] as number;
    if ((ends[index + 1] as number) - from !== end - start) return false;
    for (let offset = 0; offset < end - start; offset += 1) {
      if (text[from + offset] !== buffer[start + offset]) return false;
    }
    return true;
  };

  const find = (buffer: Uint16Array, start: number, end: number, hash: number): number => {
    for (let slot = firstSlot(hash); ; slot = (slot + 1) & (slotCount - 1)) {
      const index = (slots[slot] as number) - 1;
      if (index < 0) return -1;
      if (hashes[index] === hash && holds(index, buffer, start, end)) return values[index] as number;
    }
  };

  const add = (buffer: Uint16Array, start: number, end: number, hash: number, value: number): boolean => {
    const from = ends[size] as number;
    if (size === words || from + end - start > units) return false;
    for (let offset = 0; offset < end - start; offset += 1) text[from + offset] = buffer[start + offset] as number;
    let slot = firstSlot(hash);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    hashes[size] = hash;
    values[size] = value;
    size += 1;
    slots[slot] = size;
    ends[size] = from + end - start;
    return true;
  };

  const clear = (): void => {
    slots.fill(0);
    size = 0;
  };

  return { find, add, clear };
};

/**
 * Our own WordPiece. @huggingface/tokenizers gives other ids than the original in a quarter of our test texts, and
 * takes ten times the CPU time or more (docs/decisions/text.md).
 */

/** What one `read` found. */
export interface PieceRun {
  /** How many ids of `pieces` belong to this run. */
  count: number;
  /** Where the next read begins, in UTF-16 units; the text's length at its end. */
  next: number;
  /** Letters, numbers and marks seen (those that folding left). */
  wordCharacters: number;
  /** Those of them in words of two characters or more that are one vocabulary entry. */
  knownCharacters: number;
  /** Ideographs that are a vocabulary entry. */
  knownIdeographs: number;
}

export interface Tokenizer {
  /** The ids of the last run; overwritten by the next. */
  readonly pieces: Int32Array;
  /**
   * Reads words of `text` from `from` on until `limit` pieces are there or the text ends, and says so in `run`.
   * A word is never cut between two runs, so a run can hold up to 100 pieces more than `limit`.
   */
  read(text: string, from: number, limit: number, run: PieceRun): void;
}

/** Pieces one run holds at most, without the last word's. */
export const runLimit = 8192;
/** Longer words are [UNK] as a whole, in code points (`max_input_chars_per_word` of the original). */
const maxWordCharacters = 100;
const cachedWords = 32_768;
const cachedUnits = 16 * cachedWords;
const cachedPieces = 4 * cachedWords;

/** A run to hand to `read`. */
export const emptyRun = (): PieceRun => ({
  count: 0,
  next: 0,
  wordCharacters: 0,
  knownCharacters: 0,
  knownIdeographs: 0,
});

/**
 * The tokenizer of BERT uncased as Hugging Face's `tokenizers` does it: clean up, ideographs apart, NFD without
 * non-spacing marks, lower case, split at white space and punctuation, then the longest piece first.
 * Makes no objects while it reads; words once split are kept in a cache of bounded size.
 */
const createTokenizer = (vocabulary: Vocabulary): Tokenizer => {
  const { initial, continuing, unknown } = vocabulary;
  const characters = createCharacterTable();
  const ascii = asciiTable(characters.classOf);
  const pieces = new Int32Array(runLimit + maxWordCharacters);
  // The word being read. Two units a code point, and what one more character may fold to.
  const word = new Uint16Array(2 * maxWordCharacters + 32);
  const hashes = new Int32Array(vocabulary.longest + 1);
  const singleFolds = new Uint16Array(0x10000);
  const folds = new Map<number, string>();
  const specials = [...vocabulary.special];

  const cache = createWordTable(cachedWords, cachedUnits);
  const kept = new Int32Array(cachedPieces + maxWordCharacters);
  let keptCount = 0;

  const foldOf = (codePoint: number): string => {
    const known = folds.get(codePoint);
    if (known !== undefined) return known;
    const folded = characters.fold(codePoint);
    // The characters beyond the first plane are too many to keep, and rare.
    if (codePoint < 0x10000) {
      if (folded.length === 1) singleFolds[codePoint] = folded.charCodeAt(0);
      else folds.set(codePoint, folded);
    }
    return folded;
  };

  /** Longest piece first, into `pieces` from `at` on; the new count. A word that does not come out even is [UNK]. */
  const split = (length: number, at: number): number => {
    let count = at;
    for (let start = 0; start < length; ) {
      const table = start === 0 ? initial : continuing;
      const reach = Math.min(length - start, vocabulary.longest);
      hashes[0] = hashStart;
      for (let offset = 0; offset < reach; offset += 1) {
        hashes[offset + 1] = hashStep(hashes[offset] as number, word[start + offset] as number);
      }
      let taken = reach;
      let id = -1;
      for (; taken > 0; taken -= 1) {
        id = table.find(word, start, start + taken, hashes[taken] as number);
        if (id >= 0) break;
      }
      if (id < 0) {
        pieces[at] = unknown;
        return at + 1;
      }
      pieces[count] = id;
      count += 1;
      start += taken;
    }
    return count;
  };

  /** Pieces of a word that is not itself a vocabulary entry. In `kept`, a word's pieces follow their number. */
  const splitCached = (length: number, hash: number, at: number): number => {
    const known = cache.find(word, 0, length, hash);
    if (known >= 0) {
      const count = kept[known] as number;
      for (let index = 0; index < count; index += 1) pieces[at + index] = kept[known + 1 + index] as number;
      return at + count;
    }
    const end = split(length, at);
    if (keptCount + 1 + end - at > kept.length || !cache.add(word, 0, length, hash, keptCount)) {
      cache.clear();
      keptCount = 0;
      cache.add(word, 0, length, hash, 0);
    }
    kept[keptCount] = end - at;
    kept.set(pieces.subarray(at, end), keptCount + 1);
    keptCount += 1 + end - at;
    return end;
  };

  const read = (text: string, from: number, limit: number, run: PieceRun): void => {
    const stop = Math.min(limit, runLimit);
    let count = 0;
    let wordCharacters = 0;
    let knownCharacters = 0;
    let knownIdeographs = 0;
    // State of the word being read: units and hash, code points, word characters.
    let length = 0;
    let hash = hashStart;
    let points = 0;
    let letters = 0;

    /** Whether the word that ends is a vocabulary entry. */
    const endWord = (): boolean => {
      const id = points > maxWordCharacters ? unknown : initial.find(word, 0, length, hash);
      if (id >= 0) {
        pieces[count] = id;
        count += 1;
        if (points > 1 && id !== unknown) knownCharacters += letters;
      } else {
        count = splitCached(length, hash, count);
      }
      wordCharacters += letters;
      length = 0;
      hash = hashStart;
      points = 0;
      letters = 0;
      return id >= 0 && id !== unknown;
    };

    const push = (unit: number): void => {
      hash = hashStep(hash, unit);
      // Further units are never read: the word is too long.
      if (length < word.length) word[length] = unit;
      length += 1;
    };

    const pushFolded = (codePoint: number): void => {
      const single = codePoint < 0x10000 ? (singleFolds[codePoint] as number) : 0;
      if (single !== 0) {
        push(single);
        points += 1;
        return;
      }
      const folded = foldOf(codePoint);
      for (let index = 0; index < folded.length; index += 1) {
        const unit = folded.charCodeAt(index);
        push(unit);
        if (unit < 0xdc00 || unit > 0xdfff) points += 1;
      }
    };

    let at = from;
    while (at < text.length && (length > 0 || count < stop)) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) {
        const folded = ascii[unit] as number;
        at += 1;
        if (folded > sign) {
          push(folded);
          points += 1;
          letters += 1;
        } else if (folded !== removed) {
          if (length > 0) endWord();
          if (folded === punctuation) {
            const special = unit === 0x5b ? specials.find(([token]) => text.startsWith(token, at - 1)) : undefined;
            if (special) {
              pieces[count] = special[1];
              count += 1;
              at += special[0].length - 1;
            } else {
              push(unit);
              points = 1;
              endWord();
            }
          }
        }
        continue;
      }
      const codePoint = text.codePointAt(at) as number;
      at += codePoint > 0xffff ? 2 : 1;
      const kind = characters.classOf(codePoint);
      if (kind === removed) continue;
      if (kind === letter || kind === sign) {
        pushFolded(codePoint);
        if (kind === letter) letters += 1;
        continue;
      }
      if (length > 0) endWord();
      if (kind === space) continue;
      pushFolded(codePoint);
      if (kind === ideograph) letters = 1;
      if (endWord() && kind === ideograph) knownIdeographs += 1;
    }
    if (length > 0) endWord();
    run.count = count;
    run.next = at;
    run.wordCharacters = wordCharacters;
    run.knownCharacters = knownCharacters;
    run.knownIdeographs = knownIdeographs;
  };

  return { pieces, read };
};

/** For each ASCII character its lower-case code if it is a letter or digit (all above the classes), else its class. */
const asciiTable = (classOf: (codePoint: number) => number): Uint8Array => {
  return Uint8Array.from({ length: 0x80 }, (_, unit) => {
    const kind = classOf(unit);
    return kind === letter ? String.fromCharCode(unit).toLowerCase().charCodeAt(0) : kind;
  });
};

/** A tokenizer over a built-in vocabulary: all-MiniLM-L6-v2's, if no other file is named. */
export const loadTokenizer = async (vocabulary: string = path): Promise<Tokenizer> => {
  return createTokenizer(readVocabulary(await readFile(vocabulary, "utf8")));
};
