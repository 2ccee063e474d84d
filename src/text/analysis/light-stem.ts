/**
 * Endings of languages that have no Snowball stemmer, folded. Only the longest that fits is taken off, and the whole
 * word stays a form of its own: a wrong cut finds too much, and never loses a word. Measured on help, books and program
 * catalogs (bench/quality/ranking.md).
 */
const endings = {
  greek:
    "α αι αμε ας ασεις αση ασης ατε ε ει εις εισ εμενα εμενη εμενο εμενοι εμενος εμενου εμενων ες εσ εται ετε εων εως η ημα ηματα ηματος ηματων ης ησ ησει ησεις ησετε ηση ησης ησω ησεων ησουν ι ια ιες ιεσ ικα ικες ικεσ ικη ικης ικησ ικο ικοι ικος ικοσ ικου ικους ικουσ ικων ιο ιου ιων μα ματα ματος ματοσ ματων μενα μενες μενη μενης μενο μενοι μενος μενου μενων ο οι ομαι ομε ον ονται οντας οντασ ος οσ ου ουμε ουν ους ουσ σει σεις σετε σης σησ ση σεων σεως σουμε σουν στε σω τε τες υ ω ων ωση ωσης ωσεις",
  hindi:
    "ा ि ी ु ू े ै ो ौ ां ाँ ें ैं ीं ों िया ियां ियाँ ियों ुओं ुएं ुएँ ाओं ाएं ाएँ ाओ ाए ाई ाइयों ाइयां ता ते ती तीं ना ने नी कर ाना ाने ानी ाता ाते ाती ेगा ेंगे ेगी ूंगा ेंगी ाएगा ाएंगे ाएगी इए िए",
  polish:
    "a ac ach acie aja ajac ajaca ajace ajacego ajacej ajacy ajacych ajacym ajacymi al ala ali alo aly am ami amy ana ane anego anej ani ania aniach aniami anie aniem aniu any anych anym anymi asz cie e ego ej em emu ec ecie ej eja en eni enia eniach eniami enie eniem eniu i ia iac iach iaja iam iami ic icie ie iego iej iem iemu ij il ila ili ilo ily im imi imy isz iu ich iec ek ka kach kami ki kich kie kiego kiej kiem kim kimi ko kom kow ku ke nie nia niach niami niem niu o oga om osc osci oscia ow owac owal owala owali owan owana owane owanego owanej owania owaniach owanie owaniem owaniu owany owanych owanym owe owego owej owi owie owy owych owym owymi u uja ujac ujaca ujace ujacy ujacych uje ujemy ujesz uj y ych yc ycie yl yla yli ylo yly ym ymi ymy ysz",
} as const;

export type LightlyStemmed = keyof typeof endings;

/** Letters of a word that stay, at least. */
const minStem = 3;
const maxEnding = 9;

const endingsOf = new Map(
  Object.entries(endings).map(([language, list]): [string, ReadonlySet<string>] => [
    language,
    new Set(list.split(" ")),
  ]),
);

export const isLightlyStemmed = (language: string): language is LightlyStemmed => language in endings;

/** The word without its longest known ending. @param folded lower-case, folded word */
export const stemLightly = (folded: string, language: LightlyStemmed): string => {
  const known = endingsOf.get(language);
  for (let length = Math.min(maxEnding, folded.length - minStem); length > 0; length--) {
    if (known?.has(folded.slice(-length))) return folded.slice(0, -length);
  }
  return folded;
};
