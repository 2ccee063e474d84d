import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import type { SearchScope, Store } from "../../store/contract.ts";
import { analyzeQuery } from "../../text/analysis/analyze.ts";
import { cueLanguages } from "../reading/cues.ts";
import { clauseOf, matchesCue } from "../reading/read-ask.ts";
import { filterOf } from "./gathering.ts";

/** Kinds of files as people name them, and what their types and names have; one that is a part of another stands before it. */
const kinds: readonly { words: ReadonlySet<string>; is: RegExp }[] = [
  ["excel xlsx xls workbook exceltabelle exceldatei", /spreadsheetml|ms-excel|\.xlsx?$/i],
  ["csv", /text\/csv|\.csv$/i],
  [
    "spreadsheet spreadsheets sheet sheets ods tabelle tabellen tableur feuille hoja planilla foglio planilha rekenblad arkusz таблица таблицу таблице tablo tabloyu",
    /spreadsheet|ms-excel|text\/csv|\.(?:xlsx?|ods|fods|csv|tsv)$/i,
  ],
  [
    "powerpoint presentation presentations slides slide deck slideshow pptx ppt odp präsentation präsentationen folien présentation diaporama diapositives presentación diapositivas presentazione apresentação presentatie prezentacja prezentację slajdy презентация презентацию презентации слайды sunum sunumu slayt",
    /presentation|powerpoint|\.(?:pptx?|odp|key)$/i,
  ],
  ["word docx doc odt worddokument worddatei", /wordprocessing|msword|opendocument\.text|\.(?:docx?|odt)$/i],
  ["pdf pdfs", /application\/pdf|\.pdf$/i],
  [
    "book ebook ebooks epub buch livre libro livro boek książka książkę книга книгу книге kitap kitabı",
    /epub|\.(?:epub|fb2)$/i,
  ],
  ["email mail eml msg mails emails courriel correo", /rfc822|ms-outlook|\.(?:eml|msg|mbox)$/i],
  ["zip archive archives archiv tar", /zip|x-tar|\.(?:zip|tar|gz|tgz)$/i],
  [
    "picture image photo scan screenshot bild foto immagine imagem zdjęcie obraz картинка фото изображение resim fotoğraf",
    /image\/|\.(?:png|jpe?g|tiff?|webp|heic|gif|bmp)$/i,
  ],
].map(([words, is]) => ({ words: new Set(String(words).split(" ")), is: is as RegExp }));

const wordsOfKinds: ReadonlySet<string> = new Set(kinds.flatMap(({ words }) => [...words]));

/** "The allergy document" of "Allergies", "the expenses sheet": a word for documents or a kind of them need not be in a name. */
export const isGeneric = (forms: readonly string[]): boolean =>
  forms.some(
    (form) =>
      wordsOfKinds.has(form) || cueLanguages.some((language) => matchesCue("documents", language, clauseOf(form))),
  );

/** Documents whose kinds are looked at; of more, nothing is told. */
const maxLookedAt = 2_000;

/**
 * The documents of the kind of file that a text names, where it names nothing else: "the excel file", "which PDFs do I have".
 * @returns the newest first; null where it names no kind, or more, or there are too many
 */
export const documentsOfKind = async (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  scope: SearchScope,
  text: string,
): Promise<DocumentRecord[] | null> => {
  const words = analyzeQuery(text.toLowerCase()).words.flatMap(({ written }) => written.match(/[\p{L}\p{N}]+/gu) ?? []);
  const kind = kinds.find((each) => words.some((word) => each.words.has(word)));
  if (kind === undefined) return null;
  if (!words.every((word) => around.test(word) || isGeneric([word]))) return null;
  const page = { limit: maxLookedAt, skip: 0, sortOrder: "desc" } as const;
  const { items, total } = await store.documents.list(tenant, { status: "processed", ...filterOf(scope) }, page);
  return total > maxLookedAt
    ? null
    : items.filter(({ name, mimeType }) => kind.is.test(mimeType ?? "") || kind.is.test(name));
};

/** Words around a name that say nothing of it. */
const around =
  /^(?:many|there|list|show|have|uploaded|stored|written|says?|contents?|summari[sz]e|summary|overview|steht|stehen|inhalt|zusammen|fasse|zusammenfassung|gibt|habe|welche|viele|résume|résumé|contenu|resume|resumen|contenido|riassumi|riassunto|contenuto|resumo|conteúdo|samenvatting|staat|inhoud|streszczenie|zawiera|содержание|содержит|özet|içerik)$/u;
