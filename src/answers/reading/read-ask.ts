import { analyzeQuery } from "../../text/analysis/analyze.ts";
import { endOfSentence } from "../../text/sentences.ts";
import { type Ask, type Wishes, wishNames } from "./ask.ts";
import {
  afterName,
  and,
  beginsAsking,
  endsAsking,
  joinedQuestions,
  toldQuestion,
  withoutReason,
} from "./asking-clause.ts";
import { type CueLanguage, type CueName, cueLanguages, cues, farewell, linesAskedFor, whatIsHere } from "./cues.ts";
import { likelyLanguages, tellingWords } from "./function-words.ts";

const wishesOf = (has: (name: keyof Wishes) => boolean): Wishes =>
  Object.fromEntries(wishNames.map((name) => [name, has(name)])) as Wishes;
const noWishes = wishesOf(() => false);

/** More sentences than this are read as one. */
const maxSentences = 24;
/** Cues stand in clauses of this many characters; what is longer tells something else. */
const maxClauseCharacters = 320;
/** Greetings and pleas that may begin one sentence ("Hello, can you please …"). */
const maxOpenings = 4;
/** What is told around a question within its sentence is read with it from so many characters on. */
const minAround = 12;
/** Words of an inventory's subject or of a document's name, at most. */
const maxSubjectWords = 12;
/** Words that "anything about" may be of: what is longer is a question. */
const maxAnySubjectWords = 4;

const unspaced: ReadonlySet<CueLanguage> = new Set(["chinese", "japanese"]);
const word = /[\p{L}\p{N}\p{M}]+(?:['’ʼ][\p{L}\p{N}\p{M}]+)*['’ʼ]?/gu;

/** A clause as cues are matched against it. */
export interface Clause {
  text: string;
  /** Lower case, each word between single spaces. */
  spaced: string;
  /** Lower case without white space and punctuation at its ends, for languages without spaces. */
  dense: string;
}

/** A text as cues are matched against it. */
export const clauseOf = (text: string): Clause => {
  const read = text.slice(0, maxClauseCharacters).toLowerCase();
  const words = [...read.matchAll(word)].map(([each]) => withApostrophe(each.replaceAll(/[’ʼ]/g, "'")));
  return {
    text,
    spaced: words.length === 0 ? " " : ` ${words.join(" ")} `,
    dense: words.join("").replaceAll("'", ""),
  };
};

/** As people type: "whats", "dont". */
const withApostrophe = (word: string): string =>
  word
    .replace(/^(what|who|where|when|how|that|there|here)s$/, "$1's")
    .replace(/^(do|does|did|is|are|was|were|has|have|had|ca|could|would|should)nt$/, "$1n't");

/** Whether a cue of a language is found in a clause. */
export const matchesCue = (name: CueName, language: CueLanguage, clause: Clause): boolean =>
  matches(cues[language][name], language, clause);

const matches = (cue: RegExp, language: CueLanguage, { spaced, dense }: Clause): boolean =>
  cue.test(unspaced.has(language) ? dense : spaced);

/** The languages in which a cue is found in a clause, of those that it may be in. */
const languagesWith = (clause: Clause, name: CueName): CueLanguage[] => {
  const found = cueLanguages.filter((language) => matches(cues[language][name], language, clause));
  if (found.length === 0) return found;
  // "Standart ile premium" is Turkish, and "ile" Polish for "how many".
  const counts = tellingWords(clause.spaced);
  const most = Math.max(...counts.values());
  return found.filter((language) => most < 2 || unspaced.has(language) || (counts.get(language) ?? most) * 2 > most);
};

/**
 * Reads what a message wants, by its sentences and by cues in fifteen languages. Pure; takes well under a millisecond.
 * @param context whether there is an answer before it in the conversation
 */
export const readAsk = (message: string, context: { hasAnswer: boolean }): Ask => {
  const sentences = sentencesOf(message);
  const seen = new Set<CueLanguage>();
  const note = (languages: readonly CueLanguage[]): boolean => {
    for (const language of languages) seen.add(language);
    return languages.length > 0;
  };
  let courtesy: Ask["courtesy"] = null;
  const left: string[] = [];
  for (const sentence of sentences) {
    const clause = clauseOf(sentence);
    if (clause.spaced === " ") continue;
    const polite = courtesyOf(clause) ?? courtesyOf(clauseOf(withoutOpening(sentence)));
    if (polite === null) left.push(sentence);
    else {
      note(polite.languages);
      // Help is more than thanks, and thanks more than a greeting.
      if (polite.kind === "help" || (courtesy !== "help" && courtesy !== "thanks")) courtesy = polite.kind;
    }
  }
  const plain = left
    .map(withoutOpening)
    .map(withoutEnding)
    .filter((sentence) => clauseOf(sentence).spaced !== " " && !yesOrNo.test(sentence))
    .map((said) => {
      const told = toldQuestion(said);
      return { said, asked: withoutReason(told ?? said), isMarked: told !== null || endsAsking(said) };
    });
  const marked = plain.filter(({ isMarked }) => isMarked);
  // Many questions are typed without a sign.
  const asking = marked.length > 0 ? marked : plain.filter(({ asked }) => beginsAsking(asked));
  // "What should I do?" after a story asks about the story.
  const isTelling = asking.some(({ asked }) => !analyzeQuery(asked).isOfFunctionWords);
  const chosen = asking.length > 0 && (isTelling || plain.length === asking.length) ? asking : plain;
  const questions = chosen.map(({ asked }) => asked);
  const question = (chosen.length > 0 ? questions : [message.trim()]).join(" ");
  const whole = chosen.length < plain.length ? plain.map(({ said }) => said).join(" ") : null;
  const each = questions.flatMap((asked) => joinedQuestions(asked, maxClauseCharacters));
  const around = chosen.map(({ said }) => said).filter((said) => said.length > question.length + minAround);
  const readings = asking.length > 1 || each.length > 1 ? [question, ...each] : [question, ...around];
  const base: Ask = {
    kind: "question",
    question,
    readings: [...new Set(readings)],
    whole,
    courtesy: null,
    change: null,
    subject: null,
    isSubjectOfName: false,
    lines: null,
    isAboutOrigin: false,
    wishes: noWishes,
    languages: [],
  };
  const finish = (ask: Partial<Ask>): Ask => ({ ...base, ...ask, languages: [...seen] });
  if (plain.length === 0) return courtesy === null ? finish({}) : finish({ kind: "courtesy", courtesy });

  const clauses = questions.map(clauseOf);
  for (const clause of clauses) {
    const change = context.hasAnswer ? changeOf(clause) : null;
    if (change !== null && clauses.length === 1) {
      note(change.languages);
      return finish({ kind: "conversation", change: change.kind });
    }
  }
  for (const clause of clauses) {
    const overview = overviewOf(clause);
    if (overview === null) continue;
    note(overview.languages);
    return finish({ kind: "overview", subject: overview.subject, lines: linesAskedFor(clause) });
  }
  for (const clause of clauses) {
    const inventory = inventoryOf(clause);
    if (inventory === null) continue;
    note(inventory.languages);
    return finish({ kind: "inventory", ...inventory.found });
  }
  const has = (name: CueName): boolean => clauses.some((clause) => languagesWith(clause, name).length > 0);
  return finish({
    isAboutOrigin: has("origin"),
    subject: originSubject(clauses) ?? listSubject(clauses),
    // "Not yet done" has both cues.
    wishes: {
      ...wishesOf(has),
      // "Сколько стоит", "ile kosztuje": the word for how many asks for a price.
      count: has("count") && !asksPrice.test(question),
      sum: has("sum") || has("mean"),
      done: has("done") && !has("open"),
    },
  });
};

const asksPrice = /(?<!\p{L})(?:сколько сто[ия]т|ile kosztuj\p{L}{1,2})(?!\p{L})/iu;

/** "Who orders them? cheers", "I live in flat 7. what is the rent": what follows begins anew, also in small letters. */
const atSmallLetter = (sentence: string): string[] => {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: stop, index } of sentence.matchAll(/[.?？؟!…]\s+(?=\p{Ll})/gu)) {
    const at = index + stop.length;
    if (stop.startsWith(".") && !beginsAsking(sentence.slice(at))) continue;
    parts.push(sentence.slice(from, at));
    from = at;
  }
  return [...parts, sentence.slice(from)];
};

/** Sentences and lines; what a colon introduces stands by itself if it asks. */
const sentencesOf = (message: string): string[] => {
  const found: string[] = [];
  for (const line of message.split(/[\r\n]+/)) {
    for (let from = 0; from < line.length; ) {
      const end = Math.max(from + 1, endOfSentence(line, from, line.length));
      found.push(...atColon(line.slice(from, end)));
      from = end;
    }
    if (found.length > maxSentences) return [message];
  }
  const trimmed = found
    .flatMap(atSmallLetter)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
  return trimmed.length === 0 ? [message] : trimmed;
};

const atColon = (sentence: string): string[] => {
  const at = sentence.search(/[:：]\s/u);
  const rest = at < 0 ? "" : sentence.slice(at + 1).trim();
  return endsAsking(rest) ? [sentence.slice(0, at), rest] : [sentence];
};

type Courtesy = { kind: NonNullable<Ask["courtesy"]>; languages: CueLanguage[] };

/** Words of a clause that is read as several courtesies, at most. */
const maxCourtesyWords = 12;

/** Of a clause that is one. */
const courtesyOfAll = (clause: Clause): Courtesy | null => {
  for (const kind of ["help", "thanks", "greeting"] as const) {
    const languages = languagesWith(clause, kind);
    if (languages.length === 0) continue;
    return { kind: kind === "greeting" && farewell.test(clause.spaced.trim()) ? "farewell" : kind, languages };
  }
  return null;
};

const courtesyOf = (clause: Clause): Courtesy | null => {
  const whole = courtesyOfAll(clause);
  if (whole !== null) return whole;
  // "Hello, how are you?", "ok cool thx", "who are you and what can you do": each part by itself.
  const words = clause.spaced.trim().split(" ");
  if (words.length < 2 || words.length > maxCourtesyWords) return null;
  for (let at = words.length - 1; at > 0; at--) {
    if (courtesyOfAll(clauseOf(words.slice(0, at).join(" "))) === null) continue;
    const rest = courtesyOf(clauseOf(words.slice(and.test(words[at] ?? "") ? at + 1 : at).join(" ")));
    if (rest !== null) return rest;
  }
  return null;
};

/** The sentence without greetings and pleas at its beginning, which say nothing of what is asked. */
const withoutOpening = (sentence: string): string => {
  // "@bot when does it open?"
  let text = sentence.trim().replace(/^@\S{1,40}\s+(?=\S)/, "");
  for (let round = 0; round < maxOpenings; round++) {
    const clause = clauseOf(text);
    const rest = afterOpening(text, clause);
    if (rest === null || !/[\p{L}\p{N}]/u.test(rest)) return text;
    text = round === 0 ? afterName(rest) : rest;
  }
  return text;
};

/** Thanks and pleas at the end of a sentence without a sign before them. */
const ending =
  /(?<=\S)[\s,]+(?:many )?(?:thx|thanks|thank you|ty|cheers|pls|plz|please|asap|have a (?:nice|good|great|lovely) (?:day|one|evening|weekend)|danke(?:schön)?|vielen dank|bitte|lg|mfg|merci(?: beaucoup| d'avance)?|svp|gracias|por favor|grazie(?: mille)?|per favore|obrigad[oa]|bedankt|alvast bedankt|dank je|dzięki|proszę|спасибо|пожалуйста|tack|takk|谢谢|謝謝)(?<end>[\s.!?？]*)$/iu;

/** What is asked of the form of an answer, and of nothing in the documents. */
const yesOrNo =
  /^(?:yes or no|ja oder nein|oui ou non|s[íi] o no|sì o no|sim ou não|ja of nee|tak czy nie|да или нет|ja eller n[eæ][ij]|是或否)[\s?？.!]*$/iu;

/** "…, do you know?" */
const asksBack =
  /,\s*(?:do you (?:happen to )?know|(?:does )?any ?(?:one|body)(?: knows?)?|any idea|right|correct|wei(?:ß|ss)t du das|wissen sie das|wei(?:ß|ss) das jemand|vous savez|tu sais|lo sabes|alguien lo sabe|lo sai|qualcuno lo sa|weet je dat|не знаете)(?<end>[\s.!?？]*)$/iu;

const withoutEnding = (sentence: string): string => {
  const rest = sentence.replace(ending, "$<end>").replace(asksBack, "$<end>");
  return /[\p{L}\p{N}]/u.test(rest) ? rest : sentence;
};

/** Where it is to be looked for, which is nothing that is asked: "according to the documents, …". */
const inDocuments =
  /^(?:according to|based on|from|in|going by|laut|gemäß|nach|in|d'après|selon|dans|según|en|basado en|secondo|in|nei|segundo|de acordo com|nos|volgens|in|według|zgodnie z|w|согласно|по|в|enligt|ifølge|i)(?: (?:the|my|our|these|all|your|uploaded|attached|den|meinen|unseren|hochgeladenen|diesen|les|mes|nos|ces|los|mis|nuestros|estos|i|gli|miei|nostri|questi|os|meus|nossos|estes|de|mijn|onze|deze|moich|naszych|tych|моим|нашим|этим|mina|våra|mine|vores|våre|de)){0,3} (?:documents?|docs|files?|sources?|pdfs?|dokumenten|dateien|unterlagen|quellen|fichiers|documentos|archivos|fuentes|documenti|fonti|ficheiros|fontes|documenten|bestanden|bronnen|dokumentami|dokumentów|dokumentach|plików|документам|документах|файлам|dokumenten|dokumenterne|dokumentene|filerna)(?: (?:i|we) (?:gave|uploaded)(?: you)?)?[,:]\s+|^根据(?:这些|上传的)?(?:文件|文档|资料)[，,]?/iu;

const afterOpening = (text: string, clause: Clause): string | null => {
  const [where = ""] = inDocuments.exec(text) ?? [];
  if (where !== "") return text.slice(where.length);
  // "Thanks, and when is the party?"
  const comma = text.slice(0, maxClauseCharacters).search(/[,，、!！]\s*/u);
  if (comma > 0 && courtesyOf(clauseOf(text.slice(0, comma))) !== null) return text.slice(comma + 1).trimStart();
  let longest = "";
  for (const language of likelyLanguages(clause)) {
    if (unspaced.has(language)) {
      const [found = ""] = cues[language].opening.exec(text) ?? [];
      if (found.length > 0) return text.slice(found.length).replace(/^[\s,，、。:：!！]+/u, "");
      continue;
    }
    const [found = ""] = cues[language].opening.exec(clause.spaced) ?? [];
    if (found.length > longest.length) longest = found;
  }
  const taken = longest
    .trim()
    .split(" ")
    .filter((part) => part !== "").length;
  if (taken === 0) return null;
  const next = [...text.slice(0, maxClauseCharacters).matchAll(word)][taken];
  return next === undefined ? null : text.slice(next.index);
};

/** The last answer in another form, or what was asked before; only where the clause asks for nothing else. */
const changeOf = (clause: Clause): { kind: NonNullable<Ask["change"]>; languages: CueLanguage[] } | null => {
  const kinds = {
    recall: "recall",
    translate: "translate",
    shorten: "shorten",
    asList: "list",
    rephrase: "rephrase",
  } as const;
  for (const [name, kind] of Object.entries(kinds) as [keyof typeof kinds, NonNullable<Ask["change"]>][]) {
    const languages = languagesWith(clause, name).filter((language) => saysNothingElse(clause, language, [name]));
    if (languages.length > 0) return { kind, languages };
  }
  return null;
};

/** Whether a clause has no words of content besides cues of a language. */
const saysNothingElse = (clause: Clause, language: CueLanguage, names: readonly CueName[]): boolean =>
  contentOf(restOf(clause, language, [...names, "translate", "shorten", "asList", "rephrase"]), language).length === 0;

/** What is left of a clause without its cues. */
const restOf = (clause: Clause, language: CueLanguage, names: readonly CueName[]): string => {
  let rest = unspaced.has(language) ? clause.dense : clause.spaced;
  for (const name of names)
    for (let left = maxSameCues; left > 0 && cues[language][name].test(rest); left--)
      rest = rest.replace(cues[language][name], " ");
  return rest;
};

/** "How many files **have I uploaded**": cues of one name in a clause that are taken off. */
const maxSameCues = 3;

const genericWords: ReadonlySet<string> = new Set(
  // Pleas.
  (
    "please say tell put sag sage sagen dis dites dilo dime diga diz dimmi dillo zeg powiedz powiedzieć скажи скажите söyle säg sig si bitte s'il te vous plaît por favor per favore alsjeblieft alstublieft proszę пожалуйста lütfen " +
    "answer reply response text message sentence sentences last previous above again please make give write put show more your the that this it now instead version way form words language " +
    "antwort satz sätze sätzen letzte letzten vorige vorigen bitte mach mache gib schreib das dies es jetzt nun noch mal version form sprache deine " +
    "réponse phrase phrases dernière précédente mets fais donne cela ça maintenant version forme langue ta votre " +
    "respuesta frase frases última anterior pon haz dame eso esto ahora versión forma idioma tu su " +
    "risposta frase frasi ultima precedente metti fai dammi questo quello ora versione forma lingua tua sua " +
    "resposta frase frases última anterior põe faz dá isso isto agora versão forma língua tua sua " +
    "antwoord zin zinnen laatste vorige maak geef dat dit het nu versie vorm taal je " +
    "odpowiedź zdanie zdania ostatnia poprzednia zrób daj to teraz wersja forma język twoja " +
    "ответ ответа предложение последний предыдущий сделай дай это теперь версия форма язык свой твой " +
    "svar svaret mening meningar sætning setning setninger sista sidste siste förra tack tak takk snälla gör gør gjør skriv ge giv gi det den detta dette nu nå version form språk sprog " +
    "cevap cevabı cevabını yanıt yanıtı yanıtını cümle son önceki yap ver bunu şunu onu şimdi dil senin"
  ).split(" "),
);

/** Words of a text that say something of its subject. */
const contentOf = (text: string, language: CueLanguage): string[] => {
  if (unspaced.has(language))
    return text.replace(
      /[你您我请請把将將它这這那个個的了吧吗呢一下给用上面刚才回答それこれをはがにでとものしてくださいお願い今回答答えさっき前]|\s/gu,
      "",
    ) === ""
      ? []
      : [text];
  const { words, isOfFunctionWords } = analyzeQuery(text.trim());
  if (isOfFunctionWords) return [];
  return words.map(({ written }) => written).filter((written) => !genericWords.has(written));
};

const overviewOf = (clause: Clause): { subject: string | null; languages: CueLanguage[] } | null => {
  const languages = languagesWith(clause, "overview");
  for (const language of languages) {
    const { anyText, overview } = cues[language];
    if (unspaced.has(language)) {
      if (anyText.test(clause.dense)) return { subject: null, languages };
      continue;
    }
    const [cue = ""] = overview.exec(clause.spaced) ?? [];
    const rest = ` ${clause.spaced.replace(cue, " ").trim()} `.replace(/^ {2}$/, " ");
    // A cue of many words is a frame with a name in it: "what is the handbook about".
    const hasName = cue.trim().split(" ").length > 3 && !anyText.test(cue);
    if (!hasName && anyText.test(rest)) return { subject: null, languages };
  }
  const [language] = languages;
  if (language === undefined) return null;
  return { subject: subjectOf(clause, language), languages };
};

/**
 * Words without those of a cue. A frame such as "fasse … zusammen" has the name in it: only its own words go, which are those
 * without which it would be none.
 */
const withoutCue = (spaced: string, cue: RegExp): string => {
  const found = cue.exec(spaced)?.[0] ?? "";
  const words = found.trim().split(" ");
  const others = words.filter((_, at) => words.length > 3 && cue.test(` ${words.toSpliced(at, 1).join(" ")} `));
  return spaced.replace(found, ` ${others.join(" ")} `);
};

/** What a question of who wrote it or when is about: its words without the cue; null where it asks no such thing. */
const originSubject = (clauses: readonly Clause[]): string | null => {
  for (const clause of clauses)
    for (const language of languagesWith(clause, "origin")) {
      if (unspaced.has(language)) continue;
      const rest = contentOf(withoutCue(clause.spaced, cues[language].origin), language);
      return rest.length === 0 ? null : rest.join(" ");
    }
  return null;
};

/** What is to be listed or counted: its words without the cue; null where nothing is. */
const listSubject = (clauses: readonly Clause[]): string | null => {
  for (const clause of clauses) {
    // "Liste" is French and German: what is left is told by the cues of both.
    const languages = [...languagesWith(clause, "count"), ...languagesWith(clause, "all")].filter(
      (language) => !unspaced.has(language),
    );
    const [language] = languages;
    if (language === undefined) continue;
    const spaced = languages.reduce(
      (left, each) => restOf({ ...clause, spaced: left }, each, ["count", "all", "presence"]),
      clause.spaced,
    );
    const rest = contentOf(spaced, language).filter((each) => each.length > 1);
    if (rest.length > 0) return rest.join(" ");
  }
  return null;
};

/** The words of an overview that may name what it is of: "the stove manual" of "can you sum up the stove manual for me". */
const subjectOf = (clause: Clause, language: CueLanguage): string => {
  if (unspaced.has(language)) return clause.dense.replace(cues[language].overview, "");
  const { anyText, overview } = cues[language];
  const telling = (spaced: string): string =>
    spaced
      .split(" ")
      .filter((each) => each !== "" && !anyText.test(` ${each} `))
      .join(" ");
  // "What does the memo say?" is a cue as a whole.
  return telling(withoutCue(clause.spaced, overview)) || telling(clause.spaced) || clause.text;
};

const generic =
  / (?:documents?|docs?|files?|pdfs?|sources?|texts?|uploads?|papers?|dokumente?n?|datei(?:en)?|unterlagen|texte?n?|quellen?|fichiers?|textes?|documentos?|archivos?|ficheros?|textos?|fuentes?|documenti|documento|file|testi|fonti|arquivos?|ficheiros?|fontes?|documenten|bestanden|bestand|teksten|bronnen|stukken|dokumenty|dokumentów|pliki|plików|teksty|źródła|dokumenter\S*|filer\S*|texter(?:na)?|tekster(?:ne|ene)?|källor(?:na)?|kilder(?:ne)?|документы|документов|документ|документах|файлы|файлов|тексты|источники|belgeler\S*|belge|dokümanlar\S*|dosyalar\S*|dosya|metinler\S*|kaynaklar\S*) /;

/** Where the documents are. */
const here =
  / (?:here|in here|there|in there|hier|da|drin|darin|ici|là|aquí|ahí|allí|qui|lì|aqui|ali|er|tutaj|tu|tam|здесь|тут|burada|orada|här|där|her|der) /;

const inventoryOf = (
  clause: Clause,
): { found: Pick<Ask, "subject" | "isSubjectOfName" | "wishes">; languages: CueLanguage[] } | null => {
  const languages = languagesWith(clause, "documents").filter((language) =>
    matches(cues[language].presence, language, clause),
  );
  if (whatIsHere.test(clause.spaced) || whatIsHere.test(clause.dense))
    return { found: { subject: null, isSubjectOfName: false, wishes: { ...noWishes, all: true } }, languages: [] };
  const asksForAny = anyAbout(clause);
  if (languages.length === 0 && asksForAny !== null) return asksForAny;
  for (const language of languages) {
    const wishes: Wishes = { ...noWishes, all: true, count: matches(cues[language].count, language, clause) };
    if (unspaced.has(language)) {
      const found = denseSubject(clause.dense, language);
      if (found !== undefined) return { found: { subject: found, isSubjectOfName: false, wishes }, languages };
      continue;
    }
    const { spaced } = clause;
    const at = spaced.search(cues[language].documents);
    const before = spaced
      .slice(0, at + 1)
      .trim()
      .split(" ")
      .filter((each) => each !== "").length;
    // "Which documents …": they are what is asked for, not a thing among others.
    if (before > 5) continue;
    const [named = ""] = cues[language].documents.exec(spaced) ?? [];
    const after = spaced.slice(at + named.length - 1);
    const isGeneric = generic.test(named);
    const about = cues[language].about.exec(after);
    const subject = about === null ? null : ` ${after.slice(about.index + about[0].length - 1).trim()} `;
    const told =
      subject === null ? [] : contentOf(subject.replace(cues[language].presence, " ").replace(here, " "), language);
    if (told.length > 0 && told.length <= maxSubjectWords && subject !== null) {
      const cleaned = ` ${subject.trim()} `.replace(cues[language].presence, " ").replace(here, " ").trim();
      const whole = cleaned.length < subject.trim().length ? cleaned : originalWords(clause.text, subject.trim());
      return { found: { subject: whole, isSubjectOfName: false, wishes }, languages };
    }
    const rest = restOf({ ...clause, spaced: `${spaced.slice(0, at + 1)} ${after}`.replace(here, " ") }, language, [
      "presence",
      "count",
      "all",
      "about",
    ]);
    const adjectives = contentOf(rest, language);
    // Adjectives stand beside the word; what is farther away says something else of it ("must be handed in").
    if (adjectives.length > 3) continue;
    if (adjectives.length === 0 && isGeneric)
      return { found: { subject: null, isSubjectOfName: false, wishes }, languages };
    const subjectOfName = [...adjectives, ...(isGeneric ? [] : [named.trim()])].join(" ");
    if (hasVerbOfNeed(spaced)) continue;
    return { found: { subject: subjectOfName, isSubjectOfName: true, wishes }, languages };
  }
  return null;
};

/** "Is there anything about bees?": the documents that say something of it. */
const anyAbout = (
  clause: Clause,
): { found: Pick<Ask, "subject" | "isSubjectOfName" | "wishes">; languages: CueLanguage[] } | null => {
  const found = asksForAny.exec(clause.spaced);
  if (found === null) return null;
  const subject = clause.spaced.slice(found.index + found[0].length).trim();
  const words = subject.split(" ").length;
  if (subject === "" || words > maxAnySubjectWords) return null;
  return {
    found: {
      subject: originalWords(clause.text, subject),
      isSubjectOfName: false,
      wishes: { ...noWishes, all: true },
    },
    languages: [],
  };
};

const asksForAny =
  /^ (?:(?:is|are) there|do (?:you|i|we) have|have (?:you|we)(?: got)?|gibt es|hast du|habe ich|haben (?:wir|sie)|y a t il|il y a|as tu|avez vous|hay|tienes|tiene|tengo|c'è|ci sono|hai|ho|há|tem|tenho|is er|heb je|heb ik|czy jest|есть ли|var mı|finns det|finnes det|er der|har du) (?:anything|something|some|etwas|was|quelque chose|algo|qualcosa|alguma coisa|iets|coś|что|bir şey|något|någonting|noget|noe) (?:about|on|regarding|über|zu|zum thema|sur|à propos de|sobre|su|di|acerca de|over|o|na temat|о|об|про|hakkında|om) /;

/** "Which documents do I need" asks for something that a text says, not for what is stored. */
const hasVerbOfNeed = (spaced: string): boolean =>
  / (?:need|needed|require[ds]?|submit|submitted|bring|must|should|brauche|brauchen|benötige?n?|einreichen|vorlegen|muss|müssen|faut|besoin|nécessaires?|fournir|necesito|necesarios?|presentar|hay que|servono|presentare|devo|preciso|necessários?|nodig|indienen|moet|potrzebn\S+|potrzebuję|muszę|нужны|нужно|требуются|gerekli|gerekiyor|lazım) /.test(
    spaced,
  );

/** @returns null for all documents, undefined where the clause asks for something else */
const denseSubject = (dense: string, language: CueLanguage): string | null | undefined => {
  const stripped = dense
    .replace(
      language === "chinese"
        ? /关于|關於|提到|提及|谈到|涉及|有关|包含/gu
        : /について|に関する|に関して|言及して(?:いる)?|触れて(?:いる)?|載って(?:いる)?|出てくる|を?含む/gu,
      "\u0000",
    )
    .replace(
      language === "chinese"
        ? /哪些|什么|多少|几个|几份|有|我|你|您|的|了|吗|这里|这儿|里|里面|中|所有|全部|列出|显示|一共|总共|上传|保存|都|请|是|个|份|库|系统|知识/gu
        : /どの|どんな|いくつ|何件|何個|あります|ありますか|ある|ますか|保存され|登録され|アップロードされ|ている|ています|して|一覧|リスト|全部で|すべて|見せて|教えて|ください|ここ|には|の|を|が|は|に|で|か|も|です|表示/gu,
      "",
    )
    .replace(cues[language].documents, "");
  const subject = stripped.replaceAll("\u0000", "").trim();
  if (subject === "") return null;
  return stripped.includes("\u0000") ? subject : undefined;
};

/** The part of a sentence as it is written that these lower-case words are. */
const originalWords = (text: string, lower: string): string => {
  const written = [...text.matchAll(word)];
  const wanted = lower.split(" ").length;
  const from = written.at(-wanted);
  const last = written.at(-1);
  return from === undefined || last === undefined ? lower : text.slice(from.index, last.index + last[0].length);
};
