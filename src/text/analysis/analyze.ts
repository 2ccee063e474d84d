import { fold, isUnspaced, isUnspacedLetter } from "../language/fold.ts";
import { denseQuestionWords, isFunctionWord, type LatinLanguage, latinLanguages } from "../language/function-words.ts";
import { isVietnameseFunctionWord, isVietnameseWord, mayBeUnmarked } from "../language/vietnamese.ts";
import {
  documentTerms,
  type ScannedText,
  scanText,
  stemmedLanguage,
  syllablePairs,
  syllablePairWeight,
} from "./document-terms.ts";
import { exactPassages } from "./exact-passages.ts";
import type { StemmedLanguage } from "./stem.ts";
import { denseTerms } from "./term.ts";
import { formsOf, inflectionsOfPiece, type Piece } from "./word-pieces.ts";

/**
 * Phrases that requests begin with ("tell me about"), by language. Hardly any document contains them: as words of the
 * question they would make the gate believe that the documents lack half of it.
 */
const phrases = [
  // English
  "(?:can|could|would|will) you (?:please )?(?:tell|show|give|explain|describe|list|find|summari[sz]e)(?: (?:me|us))?(?: (?:more|something|all|everything|anything))?(?: (?:about|of|to))?",
  "(?:please )?(?:tell|show|give|inform) (?:me|us)(?: (?:more|something|all|everything|anything))?(?: (?:about|of|on))?",
  // Without an article after it, `explain` may be what is asked about.
  "(?:please )?(?:explain|describe|summari[sz]e)(?: (?:to )?(?:me|us))?(?= (?:the|an?|how|what|why|which|our|your|this|these)\\b)",
  "what (?:do you|can you|does it|do they|do the documents|does the document) (?:know|say|tell(?: (?:me|us))?)(?: about)?",
  "(?:i (?:want|would like|need) to know|do you know)(?: (?:more|something|anything))?(?: about)?",
  // German
  "(?:bitte )?(?:erzähl(?:e|en sie)?|sag(?:e|en sie)?|zeig(?:e|en sie)?|nenn(?:e|en sie)?|gib|geben sie|erklär(?:e|en sie)?) (?:mir|uns)(?: (?:etwas|mehr|alles))?(?: (?:über|von|zu))?",
  "(?:bitte )?(?:erkläre?|beschreibe?|erklären sie|beschreiben sie)(?= (?:den|die|das|dem|wie|was|warum|wieso|mir|uns)\\b)",
  "was (?:weißt du|wissen sie|weisst du) (?:über|von|zu)",
  "was (?:bedeutet|bedeuten|heißt|heisst)",
  // French
  "que (?:signifie|signifient|veut dire)",
  "(?:parle|parlez|dis|dites|explique|expliquez|montre|montrez|décris|décrivez)[- ](?:moi|nous)(?: (?:plus|tout))?(?: (?:sur|de|du|des))?",
  "(?:expliquez?|décris|décrivez)(?= (?:le|la|les|l['’]|comment|pourquoi|ce))",
  "que (?:sais-tu|savez-vous) (?:sur|de|du|des)",
  // Spanish
  "(?:háblame|hablame|cuéntame|cuentame|dime|explícame|explicame|descríbeme|muéstrame)(?: (?:más|algo|todo))?(?: (?:sobre|de|acerca de))?",
  "¿?qué (?:significa|significan|quiere decir)",
  "¿?qué (?:sabes|sabe usted) (?:sobre|de|acerca de)",
  // Italian
  "(?:parlami|dimmi|raccontami|spiegami|mostrami)(?: (?:qualcosa|di più|tutto))?(?: (?:di|del|della|su|sul|sulla))?",
  "(?:che )?cosa significa(?:no)?",
  // Portuguese
  "o que (?:significa|significam|quer dizer)",
  "(?:fale-me|fala-me|diga-me|conte-me|explique-me|me (?:fale|conte|explique))(?: (?:mais|algo|tudo))?(?: (?:sobre|de|do|da))?",
  // Dutch
  "(?:vertel|toon|geef|leg) (?:me|mij|ons)(?: (?:iets|meer|alles))?(?: (?:over|van))?",
  "wat (?:betekent|betekenen)",
  "wat weet je (?:over|van)",
  // Polish
  "co (?:oznacza|oznaczają|znaczy)",
  // Russian
  "что (?:значит|означает|означают)",
  "(?:расскажи(?:те)?|скажи(?:те)?|объясни(?:те)?|опиши(?:те)?|покажи(?:те)?)(?: (?:мне|нам))?(?: (?:о|об|про))?",
];
const asking = new RegExp(`^[\\s¿¡]*(?:${phrases.join("|")})(?=[\\s:,])`, "iu");

/** The question without such a phrase; unchanged if nothing else would be left. */
const withoutAskingPhrase = (question: string): string => {
  const rest = question.replace(asking, "");
  return /[\p{L}\p{N}]/u.test(rest) ? rest : question;
};

/**
 * Version of the analysis and the chunker. It is stored with an index; a new version rebuilds the index. Where words get other
 * terms, the tables of word frequencies and of inflections are made anew too (tools/word-frequency, tools/inflections).
 */
export const analysisVersion = 2;

/**
 * Terms of a document's text, heading or name for the full-text index, in order: words lower-cased, folded and stemmed
 * by the detected language, identifiers and codes as a whole and in parts, scripts without spaces as pairs of
 * characters. No term contains white space.
 */
export const analyze = (text: string): string[] => documentTerms(text);

/** A term to search for. */
export interface QueryTerm {
  term: string;
  /** Its score is multiplied by this. */
  weight: number;
  /** Terms of one word of the question share a number: its forms in several languages, with accents and without. */
  word: number;
  /** Another form of the word, which its stemmer does not know as one: found for it, but counts less. */
  isInflection?: true;
}

interface AnalyzedQuery {
  terms: QueryTerm[];
  /** Passages in quotation marks and codes, as written: snippets that contain them word for word are ranked first. */
  exact: string[];
  /** It has no other words ("until when?"), so that `terms` are those. */
  isOfFunctionWords: boolean;
  /** Its words, no codes and numbers, once each. */
  words: WrittenWord[];
}

/** A word of a question, in lower case. */
export interface WrittenWord {
  written: string;
  /** What it is found by: its terms in each language that it may be in. */
  terms: readonly string[];
  /** Itself, folded, and its terms in the likeliest languages of the question, or in English where none is likely. */
  likely(): readonly string[];
}

/** Part of the terms that belong to a script written without spaces, 0 to 1. */
export const denseShare = (terms: readonly QueryTerm[]): number =>
  terms.length === 0 ? 0 : terms.filter(({ term }) => isUnspaced(term)).length / terms.length;

/** The terms of each word of a question, in its order: a word is found by any of them. */
export const formsByWord = (terms: readonly QueryTerm[]): string[][] =>
  [...Map.groupBy(terms, ({ word }) => word).values()].map((forms) => forms.map(({ term }) => term));

/** Further words make a question no clearer, and each costs a look-up. */
const maxWords = 64;
/** The same for scripts without spaces, where a character is a word: 64 cut long Khmer and Japanese sentences. */
const maxPairs = 128;

/**
 * Terms of a question. Function words are left out unless there is nothing else. If the language is unknown, a word
 * gets the forms of every language it may be in, always with English, because documents of unknown language are stemmed
 * as English.
 */
export const analyzeQuery = (text: string): AnalyzedQuery => {
  const whole = scanText(text);
  const { languages } = whole;
  const asked = withoutAskingPhrase(text);
  const { items } = asked === text ? whole : scanText(asked);
  // Latin words in a script without spaces are names and terms, which documents in that script hold as English.
  const hasDense = whole.items.some((item) => typeof item === "string");
  const likely = languages.length > 0 ? languages : hasDense ? [] : latinLanguages;
  const stopped: readonly LatinLanguage[] = languages.length === 0 ? ["english"] : languages;
  const stems: ReadonlySet<StemmedLanguage> = whole.isVietnamese
    ? new Set(["vietnamese"])
    : new Set<StemmedLanguage>(likely.map(stemmedLanguage)).add("english");
  const isUnmarked = !whole.isVietnamese && mayBeUnmarked(wordsOf(whole));
  const isLeftOut = (word: string): boolean =>
    whole.isVietnamese && isVietnameseWord(word) ? isVietnameseFunctionWord(word) : isFunctionWord(fold(word), stopped);
  const inflected = languages.map(stemmedLanguage);
  const words = new Map<string, QueryWordForms>();
  const likeliest = new Set(stopped.map(stemmedLanguage));
  const written = new Map<string, WrittenWord>();
  const addPiece = (piece: Piece): void => {
    const forms = formsOf(piece, stems, isUnmarked);
    const key = forms.join(" ");
    if (key !== "" && !piece.isExact)
      written.set(piece.text, {
        written: piece.text,
        terms: forms,
        likely: () => [...new Set([fold(piece.text), ...formsOf(piece, likeliest, false)])],
      });
    if (key !== "") words.set(key, { forms, inflections: inflectionsOfPiece(piece, inflected), weight: 1 });
  };
  const addPair = (pair: string): void => {
    // Pairs of letters, not of syllables or ideographs, are hardly words: one that is asked twice is a part of two words,
    // and counts twice. Worth .7 points of nDCG in Khmer and .1 in Thai; pairs of ideographs lost half a point by it.
    const times = isUnspacedLetter(pair) ? (words.get(pair)?.weight ?? 0) + 1 : 1;
    words.set(pair, { forms: [pair], inflections: [], weight: times });
  };
  const isFull = (): boolean => words.size >= (hasDense ? maxPairs : maxWords);
  /** Adds parts until there are enough words, and does not analyze the rest. */
  const addAll = <Part>(parts: readonly Part[], addPart: (part: Part) => void): void => {
    for (const part of parts) {
      if (isFull()) return;
      addPart(part);
    }
  };
  for (const item of items) {
    if (isFull()) break;
    if (typeof item === "string") addAll(questionTerms(item), addPair);
    else
      addAll(item.pieces, (piece) => {
        if (piece.isExact || !isLeftOut(piece.text)) addPiece(piece);
      });
  }
  const isOfFunctionWords = words.size === 0;
  if (isOfFunctionWords) {
    for (const item of items) {
      if (isFull()) break;
      if (typeof item === "string") addAll(denseTerms(item, { singles: false }), addPair);
      else addAll(item.pieces, addPiece);
    }
  }
  if (whole.isVietnamese)
    addAll(syllablePairs(items), (pair) => {
      words.set(pair, { forms: [pair], inflections: [], weight: syllablePairWeight });
    });
  return {
    terms: termsOf([...words.values()]),
    exact: exactPassages(text),
    isOfFunctionWords,
    words: [...written.values()],
  };
};

/** A word of the question: the terms it is found by, and those of its other forms. */
interface QueryWordForms {
  forms: readonly string[];
  inflections: readonly string[];
  weight: number;
}

/** A term that is one of a word's own is not another word's inflection too. */
const termsOf = (words: readonly QueryWordForms[]): QueryTerm[] => {
  const taken = new Set(words.flatMap(({ forms }) => forms));
  return words.flatMap(({ forms, inflections, weight }, word) => {
    const terms: QueryTerm[] = forms.map((term) => ({ term, weight, word }));
    for (const term of inflections)
      if (!taken.has(term)) {
        taken.add(term);
        terms.push({ term, weight, word, isInflection: true });
      }
    return terms;
  });
};

/** Terms of a run of a script without spaces, without its question words. */
const questionTerms = (dense: string): string[] =>
  dense
    .replace(denseQuestionWords, " ")
    .split(" ")
    .filter((part) => part !== "")
    .flatMap((part) => denseTerms(part, { singles: false }));

const wordsOf = ({ items }: ScannedText): string[] =>
  items.flatMap((item) => (typeof item === "string" ? [item] : item.pieces.map(({ text }) => text)));
