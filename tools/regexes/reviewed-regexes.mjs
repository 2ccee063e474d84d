/**
 * Regular expressions that tools/regexes/check-regexes.mjs cannot call safe, each with why its cost is bounded all the same.
 * `code` is the expression as it stands in the source, or which of the file's calls of `RegExp` it is.
 */
const setting = "read from the configuration, which the operator writes";
const question = "read over a question, which has 8,000 characters at most; each part of the expression has a bound";
const line = "read over the first 240 characters of a line";

/** Files of long lists of words, each over a short text: judging them would take an hour. */
export const reviewedFiles = [
  {
    file: "src/answers/reading/cues.ts",
    reason:
      "read over a clause of 320 characters at most (`clauseOf`); every repetition has a bound but those of single words",
  },
  {
    file: "src/answers/reading/answer-type.ts",
    reason: "read over 600 characters of a question and 1,000 of a passage",
  },
];

export const reviewedRegexes = [
  { file: "config/load.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "config/read.ts", code: String.raw`/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i`, reason: setting },
  {
    file: "config/read.ts",
    code: "RegExp call 1",
    reason: "a pattern of config/schema.ts, over a setting",
  },
  { file: "providers/http/outbound.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "src/commands/client/client.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "src/http/handler.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "src/domain/web-address.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "providers/embedding/prefixes.ts", code: "/e5-mistral|e5.*instruct/i", reason: setting },
  { file: "providers/embedding/prefixes.ts", code: "/snowflake-arctic-embed2|arctic-embed-.*v2/i", reason: setting },
  {
    file: "src/http/path-lookup.ts",
    code: "RegExp call 1",
    reason: "made of the paths of src/program/app.ts: fixed words and `[^/]+`, parted by slashes",
  },
  {
    file: "src/text/tokens/count-tokens.ts",
    code: "RegExp call 1",
    reason: "sticky, over windows of 65,536 characters; each of its alternatives is linear (test/ingest/tokens)",
  },
  {
    file: "src/parse/formats/pdf/running-lines.ts",
    code: String.raw`/^[-–—|·\s]*(?:(?:page|seite|página|pagina|p|pág|pag|s|str|strana|strona|sida|side|sivu|oldal|sayfa|стр|страница|עמוד|صفحة|第)\.?\s*)?(\d{1,5})(?:\s*(?:\/|\||of|von|de|di|sur|из|z|av)\s*(\d{1,5}))?\s*(?:页|頁|ページ|쪽)?[-–—|·.\s]*$/iu`,
    reason: "read over 40 characters at most",
  },
  {
    file: "src/parse/formats/light-markup.ts",
    code: "/:math:`([^`]{1,1000})`/g",
    reason:
      "each repetition has a bound: a place where it may begin costs 1,000 steps at most; read in the parsing process, which has a time limit",
  },
  {
    file: "src/parse/formats/light-markup.ts",
    code: "/`([^`]{1,1000})`:math:/g",
    reason:
      "each repetition has a bound: a place where it may begin costs 1,000 steps at most; read in the parsing process, which has a time limit",
  },
  {
    file: "src/parse/formats/light-markup.ts",
    code: "/:[\\w:+-]{1,60}:`([^`<>]{1,500})<([^<>`]{1,500})>`/g",
    reason:
      "each repetition has a bound: a place where it may begin costs 2,500 steps at most; read in the parsing process, which has a time limit",
  },
  {
    file: "src/text/analysis/analyze.ts",
    code: "RegExp call 1",
    reason: "bound to the begin; the phrases are fixed words without repetition",
  },
  {
    file: "src/text/analysis/fast/english-stem.ts",
    code: "RegExp call 1",
    reason: "fixed endings, over a word of 64 characters at most",
  },
  {
    file: "src/text/language/fold.ts",
    code: "RegExp call 1",
    reason: "one class of characters",
  },
  {
    file: "src/text/analysis/exact-passages.ts",
    code: String.raw`/(?<![a-z\d])(?=[a-z\d_./:#@-]{0,99}\d)(?=[a-z\d_./:#@-]{0,99}[a-z_/:#-])[a-z\d]+(?:[_./:#@-][a-z\d]+){0,20}(?![a-z\d])/giu`,
    reason: question,
  },
  { file: "src/text/chunk/blocks.ts", code: String.raw`/^(#{1,6})[ \t]+(\S.*?)[ \t]*#*$/`, reason: line },
  {
    file: "src/text/chunk/blocks.ts",
    code: String.raw`/^(=(?: ?=){0,5}) +([^=\s][^=]*?) +=(?: ?=){0,5}$/`,
    reason: line,
  },
  {
    file: "src/text/language/fold.ts",
    code: String.raw`/(?<=[\p{Script=Latin}\p{Script=Greek}])\p{Mn}+|(?<=е)\u0308/gu`,
    reason: "looks one character back, then takes the whole run of marks",
  },
  {
    file: "src/answers/wording/no-answer.ts",
    code: String.raw`/(?<!\p{L})(?:documents?|sources?|context|texts?|passages?|information|dokumente?n?|quellen?|unterlagen|informationen|documenti|fonti|informazioni|documentos?|fuentes?|fontes|información|informações|informações|documenten|bronnen|informatie|dokument(?:y|ach|ów|acje)|źródł\p{L}*|informacji|belge\p{L}*|kaynak\p{L}*|bilgi\p{L}*)(?!\p{L})|документ|источник|文[档檔件書书]|资料|資料|来源/iu`,
    reason: "a list of words, read over an answer of 240 characters at most",
  },
  {
    file: "src/answers/wording/no-answer.ts",
    code: String.raw`/(?<!\p{L})(?:no|not|none|cannot|nicht|kein\p{L}*|pas|aucune?|ningun[ao]?|nessun[ao]?|non|não|nenhuma?|niet|geen|nie|brak|yok|değil|bulun(?:mu|ma)\p{L}*|içermi\p{L}*)(?!\p{L})|n['’]t\b|(?<!\p{L})(?:не|нет)(?!\p{L})|没有|沒有|未|ありません|ない|含まれてい/iu`,
    reason: "a list of words, read over an answer of 240 characters at most",
  },
  {
    file: "src/answers/follow-up/refers-back.ts",
    code: "RegExp call 1",
    reason: "made of the lists of words below it, read over a question",
  },
  {
    file: "src/answers/follow-up/refers-back.ts",
    code: "RegExp call 2",
    reason: "made of the lists of words below it, read over a question",
  },
  {
    file: "src/answers/gather/origin.ts",
    code: String.raw`/(?:sincerely|faithfully|regards|wishes|yours|grüße|grüßen|hochachtungsvoll|salutations|cordialement|atentamente|saludos|saluti|cordialmente|cumprimentos|groet(?:en)?|poważaniem|уважением|saygılarımla|敬具|此致)\s*,?\s*$/iu`,
    reason: "read over lines of the last 400 characters of a snippet, without white space at their ends",
  },
  {
    file: "src/answers/quote/readable.ts",
    code: String.raw`/!\[([^\]\n]{0,300})\]\([^)\s]{0,2000}(?: "[^"\n]{0,300}")?\)/g`,
    reason: "read over a passage of 4,000 characters at most; each part of the expression has a bound",
  },
  {
    file: "src/answers/quote/readable.ts",
    code: String.raw`/\[([^\]\n]{1,300})\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}(?: "[^"\n]{0,300}")?\)/g`,
    reason: "read over a passage of 4,000 characters at most; each part of the expression has a bound",
  },
  {
    file: "src/answers/quote/readable.ts",
    code: String.raw`/[ \t]+#{1,6}$/`,
    reason: "read over a passage of 4,000 characters at most",
  },
  {
    file: "src/answers/tables/columns.ts",
    code: String.raw`/(\d+(?:[.,]\d+)?)\s?(d|days?|tage?n?|jours?|h|hr|hrs|hours?|std|stunden?|heures?|horas?|ore|uur|godz|ч|часов|sa|saat|min|mins|minutes?|minuten?|minutos?|minuti|мин|dk|dakika|s|sec|secs|seconds?|sekunden?)(?!\p{L})\.?/giu`,
    reason: "read over a cell of 80 characters at most",
  },
  { file: "config/read.ts", code: "RegExp call 2", reason: "a pattern of config/schema.ts, over a setting" },
];
