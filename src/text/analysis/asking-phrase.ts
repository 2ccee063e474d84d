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
  // French
  "(?:parle|parlez|dis|dites|explique|expliquez|montre|montrez|décris|décrivez)[- ](?:moi|nous)(?: (?:plus|tout))?(?: (?:sur|de|du|des))?",
  "(?:expliquez?|décris|décrivez)(?= (?:le|la|les|l['’]|comment|pourquoi|ce))",
  "que (?:sais-tu|savez-vous) (?:sur|de|du|des)",
  // Spanish
  "(?:háblame|hablame|cuéntame|cuentame|dime|explícame|explicame|descríbeme|muéstrame)(?: (?:más|algo|todo))?(?: (?:sobre|de|acerca de))?",
  "¿?qué (?:sabes|sabe usted) (?:sobre|de|acerca de)",
  // Italian
  "(?:parlami|dimmi|raccontami|spiegami|mostrami)(?: (?:qualcosa|di più|tutto))?(?: (?:di|del|della|su|sul|sulla))?",
  // Portuguese
  "(?:fale-me|fala-me|diga-me|conte-me|explique-me|me (?:fale|conte|explique))(?: (?:mais|algo|tudo))?(?: (?:sobre|de|do|da))?",
  // Dutch
  "(?:vertel|toon|geef|leg) (?:me|mij|ons)(?: (?:iets|meer|alles))?(?: (?:over|van))?",
  "wat weet je (?:over|van)",
  // Russian
  "(?:расскажи(?:те)?|скажи(?:те)?|объясни(?:те)?|опиши(?:те)?|покажи(?:те)?)(?: (?:мне|нам))?(?: (?:о|об|про))?",
];
const asking = new RegExp(`^[\\s¿¡]*(?:${phrases.join("|")})(?=[\\s:,])`, "iu");

/** The question without such a phrase; unchanged if nothing else would be left. */
export const withoutAskingPhrase = (question: string): string => {
  const rest = question.replace(asking, "");
  return /[\p{L}\p{N}]/u.test(rest) ? rest : question;
};
