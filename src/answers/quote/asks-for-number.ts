/** Questions that are answered by a number: how many, how much, when, in which year. */
const numberQuestions = [
  /\bhow (?:many|much|old|long|far|often|tall|high|large|big|fast)\b|\bwhen\b|\bwh(?:at|ich) (?:year|date|day|percentage|number|amount|price)\b/,
  /\bwie ?(?:viele?|lange|alt|hoch|oft|weit|gro(?:ß|ss))\b|\bwann\b|\bwelche[mns]? (?:jahr|datum|prozentsatz|anzahl|betrag|preis)\b/,
  /\bcu[aá]nt[oa]s?\b|\bcu[aá]ndo\b|\bqu[eé] (?:año|fecha|porcentaje|cantidad|precio|número)\b/,
  /\bcombien\b|\bquand\b|\bquelle? (?:année|date|pourcentage|quantité|prix|nombre)\b/,
  /\bquant[oaie]\b|\bquando\b|\bche anno\b|\bquant[oa]s\b|\bque ano\b/,
  /\bhoeveel\b|\bwanneer\b|\bwelk jaar\b|\bhur (?:många|mycket)\b|\bhvor (?:mange|meget|mye)\b|\bnår\b|\bnär\b|\bile\b|\bkiedy\b/,
  /сколько|когда|в каком году|какой процент|какого числа|скільки|коли/,
  /多少|几|幾|哪一?年|何时|何年|什么时候|いつ|いくつ|いくら|何人|몇|언제|얼마/,
  /كم|متى|कितन|कब|กี่|เท่าไร|เท่าไหร่|เมื่อไร|เมื่อไหร่/,
] as const;

/** True where the question asks for a number or a date, in one of the common languages. */
export const asksForNumber = (question: string): boolean => {
  const lowerCase = question.toLowerCase();
  return numberQuestions.some((pattern) => pattern.test(lowerCase));
};
