/**
 * The words by which an ask tells what it wants, in the languages that most people write in: the one place for them. A cue is
 * matched against the words of a clause in lower case, each between single spaces (`spacedWords`); in Chinese and Japanese,
 * which have no spaces, against the text itself. What no cue fits is a question.
 */

export const cueLanguages = [
  "english",
  "german",
  "french",
  "spanish",
  "italian",
  "portuguese",
  "dutch",
  "polish",
  "russian",
  "turkish",
  "swedish",
  "danish",
  "norwegian",
  "chinese",
  "japanese",
] as const;

export type CueLanguage = (typeof cueLanguages)[number];

/** Of a clause that only greets: it says good-bye. */
export const farewell =
  /^(?:(?:good)?bye|see you|good night|take care|have a |tschüss?|auf wiedersehen|bis |gute nacht|schönen |au revoir|à (?:bientôt|demain|plus)|bonne |adiós|hasta |que tenga|arrivederci|a (?:presto|domani|dopo)|buona (?:notte|giornata)|adeus|até |tchau|tot |doei|fijne |dobranoc|do (?:widzenia|zobaczenia)|na razie|miłego |пока|до (?:свидания|завтра|встречи)|доброй ночи|хорошего |hej då|adjö|farvel|ha det|vi (?:ses|sees|snakkes)|(?:ha|hav) en |hoşça kal|güle güle|görüşürüz|iyi geceler|再[见見]|拜拜|晚安|さようなら|おやすみ|またね)/u;

type Cues = Readonly<Record<keyof typeof english, RegExp>>;
export type CueName = keyof Cues;

const english = {
  /** A clause that only greets, wishes well or says good-bye. */
  greeting:
    /^ (?:hi|hello|hey|hiya|howdy|greetings|(?:good )?(?:morning|afternoon|evening)|good (?:day|night)|bye(?: bye)?(?: for now)?|goodbye|see (?:you|ya)|cheers mate)(?: (?:there|all|everyone|everybody|carrel|again|team|folks|you|bot|friend|later|soon|tomorrow|to|everyone)){0,3} $|^ (?:how are you|how are you doing|how is it going|how's it going|what's up|nice to meet you|(?:i )?hope (?:you|this|all)(?: \S+){1,6}|have a (?:nice|good|great) \S+|take care|(?:are you|(?:is )?any(?:one|body)) (?:there|home)|test(?:ing)?)(?: today| doing)? $/,
  /** A clause that only thanks or agrees. */
  thanks:
    /^ (?:(?:thanks|thank you) (?:a ton|guys|mate|buddy)|thank u(?: so much| very much| a lot)?|(?:that's |this is |that is |it's )?(?:very|so|super|really|extremely) (?:helpful|useful|kind)|forget (?:it|that|about it)|good bot|(?:talk|speak) to you (?:later|soon)|wow(?: that was (?:fast|quick))?|ha(?:ha)*|lol|you(?:'ve| have)? (?:just )?(?:saved|made) (?:me|my (?:day|life|evening|week))|you're (?:a|an|the) (?:star|lifesaver|legend|angel|best|gem)|(?:much|really) appreciated|(?:i )?(?:really )?appreciate (?:it|that|your help)|what a relief|(?:many |ok |okay |great |cool |perfect |brilliant |lovely |no )?(?:thanks|thank you|thx|ty|cheers|ta)(?: (?:a lot|a million|a bunch|kindly|so much|very much|in advance|again|for (?:your|the|that|this|all)(?: \S+){0,3}|everyone|you|that helps|that's all)){0,2}|ok|okay|great|perfect|cool|nice|got it|i see|alright|understood|that helps|that's (?:all|it)|(?:that|this|it) (?:was|is) (?:quick|fast|all|it)|that will be all|well done|(?:good|great|nice) (?:job|work)|awesome|sounds good|never mind|ok great|ok thanks|okay great|great thanks|much appreciated|i appreciate it|(?:that|this|it|you)(?:'ve| has| have|'s| is| was| were)?(?: really| very| so)? (?:helped|helpful|useful|great|perfect|what i needed|exactly what i needed)(?: me)?(?: a lot| so much| very much)?|very helpful|(?:you|this|that|it)(?:'ve| have|'re| are| were| was)?(?: been)?(?: (?:a|an|of|so|such|very|really|the|my|great|big|huge|real|much|good|massive|true|absolute|star|legend|lifesaver|best|amazing|awesome|brilliant|wonderful|fantastic|excellent|kind|help|helper)){1,6}|good to know|(?:that )?makes sense|nice one|lol|haha(?:ha)?|sorry|my bad|no (?:worries|problem)|fair enough|(?:i have )?no (?:more|further) questions) $/,
  /** Asks what this program is or does, or for help. */
  help: /^ (?:i (?:have|'ve got|got) (?:a|another|one|one more|some) (?:quick |small |short )?questions?|(?:can|could) you help me with something|(?:can|may|could) i ask (?:you )?(?:a question|something|another question)|are you there|(?:please )?(?:i need )?help(?: me)?(?: please)?|(?:can|could) you help(?: me)?(?: please)?|(?:so )?who am i (?:talking|speaking|writing|chatting) (?:to|with)|(?:so )?what are you (?:able to do|capable of)(?: for me)?|are you (?:chatgpt|gpt|human|real|ai|claude|gemini|alexa)|what is this (?:app|site|page|program|bot|tool)|who are you|what are you|what is this|what's this|what is carrel|(?:so )?what can (?:you|i) (?:do|ask|help)(?: (?:for me|you|with|me with|here|me))?|how (?:can|do) (?:you|i) (?:help|work|use (?:this|you))(?: me)?|how does this work|what do you do|are you (?:a|an)(?: \S+){1,3}|what's your name|what is your name|what (?:(?:kind of )?questions |things |else )?can i ask(?: you)?(?: about)?(?: here)?|who (?:made|built|created|developed) you|introduce yourself|tell me about yourself|what should i ask) $/,
  /** Begins a sentence with a greeting or a plea, and says nothing of what is asked: taken off. */
  opening:
    /^ (?:(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|dear \S+|please|kindly|ok|okay|so|well|now|just|yo|sorry (?:\S+ ){1,8}but|u[hm]+m*|hm+|oh|sorry|wait|no wait|quick question|another question|one more question|a question)(?: there| all| everyone| team)? |(?:can|could|would|will|may) (?:you|i|we) (?:please |kindly |maybe |just )?(?:tell|show|give|explain to|ask|help|inform|remind|let)(?: me| us)?(?: know)?(?: out)?(?: please)?(?: the following| about)? |(?:please )?(?:tell|remind) me (?:please |about )?|(?:i|we) (?:would|'d) (?:really )?like to (?:know|ask|find out) |(?:i|we) (?:want|need|wanted|have) to (?:know|ask|find out) |(?:i am|i'm|im|i was) (?:just )?(?:wondering|curious)(?: about)? |(?:do|would) you (?:happen to )?know |any idea |(?:i'm|i am) looking for |explain(?: to me)? like (?:a|an|i'm|i am) \S+ )/,
  /** Asks what a text holds in all. */
  overview:
    / what(?:'s| is)(?: written)? (?:in|on)(?: \S+){1,4} (?:letters?|reports?|contract|minutes|newsletter|document|file|notes?|invoice|manual|article|e mail|email|mail|memo|book|paper|policy|handbook|agreement|lease|will|leaflet|brochure|flyer|statement|certificate|warranty|directory|timetable|spreadsheet|sheet|excel|workbook|xlsx|csv|powerpoint|pptx|presentation|slides|deck|pdf|docx|ebook|epub|scan|zip|archive)(?: (?:about|on|from|of|to)(?: \S+){1,8})? $| what(?:'s| is)(?: all)? (?:in (?:here|there|this|it)|inside) $| (?:summari[sz]e|summari[sz]ing|summary|summari[sz]ation|sum up|tldr|tl dr|overview|key points|main points|main topics|key takeaways|takeaways|key facts|highlights|the gist|in a nutshell|outline|abstract|synopsis|recap|briefing) | what (?:is|are|was|does) (?:this|that|these|it|everything|all this)(?: \S+){0,3} (?:about|cover|contain|say|deal with) | what(?:'s| is) (?:this|it|that)(?: \S+){0,2} about | what(?:'s| is| are)(?: \S+){1,7} about $| what (?:does|do)(?: \S+){1,5} (?:cover|contain|deal with) $| give me the essentials | what (?:does|do) (?:the|my|our|this|that)(?: \S+){0,3} (?:letters?|e mail|email|mail|notes?|contract|agreement|minutes|article|notice|memo)(?: \S+){0,3} say $| explain (?:this|the|that) (?:document|file|text|letter|contract|article|pdf) | what (?:should|do) i (?:need to )?know about (?:this|it)(?: document| file)? $| what (?:was|were|got) (?:discussed|decided|agreed|talked about) (?:in|at|during)(?: \S+){1,6} $/,
  /** Names the thing that an overview is of without naming a subject: "this document", "everything". */
  anyText:
    /^(?: (?:this|that|these|those|it|the|my|our|all|of|everything|whole|entire|document|documents|file|files|text|texts|article|paper|pdf|page|pages|content|contents|here|uploaded|above|please|me|us|for|in|a|an|to|one|two|three|few|five|short|brief|quick|bullet|points|sentence|sentences|words|lines|paragraph|simple|main|most|important|from|and|what|is|are|give|can|could|you|i|write|make|stuff|collection|library|knowledge|base|partition|folder|do|does|say|says|provide|create|need|want|get|show|tell|just|really|briefly|shortly|quickly|there|about|cover|covers|contain|contains|deal|deals|with|what's|everything|everyone|inside))* $/,
  /** Names documents, files or sources in general. */
  documents:
    / (?:documents?|docs?|files?|pdfs?|papers?|sources?|texts?|uploads?|records|spreadsheets?|manuals?|notes?|reports?|letters?|contracts?|minutes|guides?|invoices?|e mails?|emails?|mails?|cvs?|resumes?) /,
  /** Asks what is there, or what mentions something. */
  presence:
    / (?:which of (?:my|our|the|these|those)|do (?:you|i|we) have|have (?:you|i|we)(?: got)?|you have|i have|we have|are (?:there|here|in here|available|stored|uploaded|loaded|indexed)|is (?:there|here|in here|available)|exist|in here|in (?:the|this|my|our|your) (?:store|library|collection|knowledge base|system|database|folder|partition)|did (?:i|we) upload|uploaded|available|stored|indexed|mentions?|mentioning|talks? about|deals? with|refers? to|contains?|containing|names|know about|do you know|can you (?:see|read|access)|have access to|list|show|in total|altogether|overall|(?:has|have|says?) (?:something|anything)|say something|speaks? of|speaks? about|cover|covers|are about|is about|appears?|occurs?|comes? up|found|tagged|tags?|written by|by|show me) /,
  /** Before the subject that documents are about. */
  about:
    / (?:about|appears?|tagged(?: with)?|(?:has|have|with|carry|carries) the tags?|written by|by|does|do|mentions?|mentioning|talks? about|deals? with|dealing with|refers? to|contains?|containing|regarding|concerning|on|of|names|with|speaks? of|speaks? about|covers?|covering|related to|say something about) /,
  /** Asks for the last answer in another form. */
  translate:
    / (?:translate|translation|translated) | (?:in|into|to) (?:german|french|spanish|italian|english|dutch|polish|russian|turkish|chinese|japanese|portuguese)(?: please)? $/,
  shorten:
    / (?:shorter|shorten|briefer|more briefly|more concise|condense|in short|in one sentence|in a sentence|cut it down|too long|in fewer words|less detail|make (?:it|that|this) (?:short|brief|concise)) /,
  asList:
    / (?:bullet points?|bullets|bullet list|bulleted|as (?:a )?(?:bullet |numbered )?list|as (?:a )?table|in (?:a )?(?:list|table)|into a table|numbered list|list form|into a list) /,
  rephrase:
    / (?:rephrase|reword|simpler|simplify|in other words|in (?:simple|plain|easy) (?:words|terms|english|language)|say (?:it|that) (?:again|differently)|repeat(?: (?:that|it|please|your|the))?|once more|explain (?:that|it|this)(?: (?:again|better|more|simply))?|elaborate|more detail|more details|tell me more|go on|more formal(?:ly)?|like i'm five|what do you mean|are you sure|is that (?:right|correct|true)|where (?:does|did) (?:it|that|this) (?:say|come)(?: \S+){0,3}|where is that from|which (?:source|page|document) (?:is|was) that(?: from)?|i (?:do not|don't|didn't|still don't) (?:really )?(?:understand|get|follow)(?: (?:it|that|this|you))?|i'm (?:lost|confused)|(?:that|this|it) (?:makes no sense|doesn't make sense|is (?:wrong|incorrect|unclear|not (?:right|correct|true|clear)))|that's (?:wrong|incorrect|unclear|not (?:right|correct|true|clear))) |^ (?:what|huh|more|really|wrong|explain|pardon|come again|how so|sorry what) $/,
  /** Asks what was asked or said before. */
  recall:
    / (?:what (?:did|was|have) (?:i|my|we)(?: just)?(?: \S+){0,2} (?:ask|asked|asking|question|say|said|talk about|discuss)|my (?:last|first|previous|earlier) (?:question|message)|what (?:did|have) you (?:just )?(?:say|said|answer|answered|tell|told)(?: \S+){0,2}|your (?:last|previous|first) (?:answer|reply)|what were we talking about|what have we (?:talked|discussed|spoken)(?: about)?|our conversation|this (?:conversation|chat)|summari[sz]e (?:our|this|the) (?:conversation|chat|discussion)) /,
  /** Asks who wrote a document, when, or what kind of text it is. */
  origin:
    / (?:who (?:wrote|authored|created|made|signed|sent|published|issued|compiled|took|kept|edited|drafted|prepared|is the (?:author|writer|sender|publisher)|are the authors?)|(?:author|authors|writer|sender|publisher)(?: of| name)?|who (?:is|was) it (?:from|by)|when (?:was|were) (?:this|these|it|that|the|they)(?: \S+){0,6} (?:written|started|begun|created|made|published|issued|signed|sent|uploaded|added|dated|updated|changed|revised|edited|printed)|how (?:old|recent|current|up to date) (?:is|are) (?:this|these|the|it)(?: \S+){0,3}|(?:what|which) (?:kind|type|sort) of (?:document|text|file|paper|letter)|what is this document|date of (?:this|the) (?:document|letter|text|file)|from when (?:is|are)|when (?:is|are) (?:this|these|it|that|the|they)(?: \S+){0,4} from|what date (?:is|does)|how long is (?:this|the) (?:document|text|file)|what language|how many (?:pages|words)) /,
  all: / (?:(?<! (?:waiting|mailing|price|guest|wait|contact) )list|all|every|each|enumerate|name the|name all|name every|show me the|show all|complete list|full list|what are the|which (?:\S+ ){0,5}(?:are|were|have|do|does|can|cost|is|has|was|uses?|lasts?|takes?|needs?|belongs?|starts?|comes?|runs?|were|open|close)|who are|who is on|everyone|everybody) /,
  count: / (?:how many|how often (?:did|was|were|have|has|had)|number of|count|total number|in total|quantity of) /,
  /** Asks what numbers are on average. */
  mean: / (?:average|averages|averaged|on average|mean (?:value|price|cost|age)|the mean) /,
  smallest:
    / (?:cheapest|lowest|least|smallest|minimum|minimal|min|fewest|shortest|lightest|youngest|earliest|slowest|thinnest|narrowest|coldest|nearest|weakest|quietest|first|worst|oldest|least expensive) /,
  largest:
    / (?:most expensive|dearest|priciest|highest|largest|biggest|maximum|maximal|max|longest|heaviest|greatest|latest|newest|most recent|fastest|thickest|widest|tallest|hottest|strongest|loudest|last|best|costliest|most|top|hardest|furthest|farthest) /,
  none: / (?:out of stock|sold out|none left|not available|unavailable|zero|no stock|nothing left|none|empty|ran out|run out|not in stock|without any|has no|have no|free of charge|for free) /,
  more: / (?:more than|over|above|greater than|higher than|longer than|heavier than|larger than|at least|exceeds?|exceeding|after|later than|from|older than|bigger than|costlier than|no less than) (?=\S)/,
  less: / (?:less than|under|below|fewer than|cheaper than|lower than|shorter than|lighter than|smaller than|at most|up to|before|earlier than|until|younger than|no more than|within) (?=\S)/,
  /** Asks for what holds now, of several versions. */
  recent:
    / (?:latest|newest|most recent|current|currently|now|nowadays|at present|at the moment|up to date|these days|still valid) /,
  /** Asks for what two documents or things have in common or not. */
  compare:
    / (?:compare|compared|comparison|differ|differs|differences?|difference between|versus|vs|changed?|changes|between(?: \S+){1,6} and|unlike|same as|in common|contrast) /,
  /** Asks for the tasks that are still to be done, or that are done. */
  open: / (?:still (?:to (?:be done|do|buy|get)|open|missing|outstanding|left|needed|need|needs|has to|have to|must)|left (?:to (?:do|buy|get)|over|open)|to be (?:done|bought)|(?:not|n't|isn't|aren't|hasn't|haven't)(?: \S+){0,2} (?:done|finished|bought|ticked(?: off)?|checked(?: off)?|completed)|undone|unfinished|unticked|unchecked|outstanding|pending|(?:open|remaining) (?:tasks?|items?|points?|things?|to ?dos?)) /,
  done: / (?:(?:already|been) (?:done|finished|bought|completed)|(?:is|are|was|were|have we|did we) (?:done|finished|bought|completed)|(?:done|finished|bought|completed|ticked off|checked off) (?:already|so far|yet)|ticked(?: off)?|checked off) /,
  /** Asks for numbers added up, or how much was spent or earned. */
  sum: / (?:in total|total|together|altogether|in all|sum|overall|combined|add(?:s|ed)? up|how much(?: \S+){0,8} (?:spend|spent|pay|paid|earn|earned|cost|owe|owed)) /,
};

const german: Cues = {
  greeting:
    /^ (?:hallo|hi|hey|moin|servus|grüezi|grüß (?:gott|dich|euch)|gruess gott|guten (?:morgen|tag|abend)|gute nacht|tschüss|tschüs|auf wiedersehen|bis (?:bald|später|morgen|dann)|ciao)(?: (?:zusammen|liebes|team|allerseits|carrel|nochmal|du|alle|ihr)){0,3} $|^ (?:wie geht(?:'s| es)(?: (?:dir|ihnen|euch))?|alles (?:klar|gut) bei (?:dir|ihnen|euch)|(?:ich )?hoffe(?: \S+){1,7}|schönen (?:tag|abend|gruß|feierabend|nachmittag|sonntag)(?: noch)?|(?:viele|liebe|beste|freundliche) grüße|mit freundlichen grüßen) $/,
  thanks:
    /^ (?:(?:du|sie) (?:hast|haben) mir (?:den tag|das leben|sehr|echt|wirklich)(?: \S+)? ?(?:gerettet|geholfen)|vergiss es|(?:sehr|super|echt) (?:hilfreich|nett|lieb)(?: von (?:dir|ihnen))?|(?:ok |okay |super |prima |vielen |vielen lieben |herzlichen |besten |tausend |lieben )?(?:danke|dank|dankeschön|merci)(?: (?:schön|sehr|dir|ihnen|euch|nochmals?|im voraus|vielmals|für(?: \S+){1,4}|das hilft|das war's(?: schon)?|das wars(?: schon)?)){0,3}|ok|okay|super|prima|alles klar|verstanden|perfekt|toll|gut|passt|klasse|das war's(?: schon)?|das wars(?: schon)?|schon gut|sehr gut|(?:das|du|sie|es)(?: hast| hat| haben| ist| war)?(?: mir| uns)?(?: sehr| wirklich)? (?:geholfen|hilfreich)|hat (?:mir )?(?:sehr )?geholfen|(?:du|sie|das|es)(?: bist| sind| warst| waren| war| ist)?(?: mir)?(?: wirklich)?(?: (?:eine?|sehr|echt|große|grosse|riesige|tolle|super|gute|hilfe|lieb|nett|freundlich|der|die|beste)){1,4}|das hilft(?: mir)?(?: sehr)?(?: weiter)?|sehr hilfreich|gut zu wissen|keine weiteren fragen) $/,
  help: /^ (?:ich (?:hab|habe|hätte) (?:da )?(?:mal )?(?:noch )?(?:ne|eine) (?:kurze )?frage|(?:kann|darf) ich (?:dich |sie )?(?:mal )?(?:was|etwas) fragen|bist du (?:da|noch da)|(?:bitte )?hilfe(?: bitte)?|hilf mir(?: bitte)?|(?:bitte )?helfen sie mir|wer bist du|wer sind sie|was bist du|was ist das(?: hier)?|was ist carrel|was (?:kannst du|können sie)(?: \S+){0,3}|was kann ich(?: dich| sie| hier| alles){0,2} (?:fragen|tun|machen)|wie funktioniert (?:das|dies|du|es)(?: hier)?|wie (?:kannst du|können sie) mir helfen|bist du (?:(?:ein|eine)(?: \S+){1,3}|chatgpt|echt)|mit wem (?:rede|spreche|schreibe|chatte) ich(?: hier| da)?|wie (?:benutze|bediene|nutze) ich (?:das|dich|dies)(?: hier)?|wie heißt du|wie heißen sie|stell dich vor|was machst du|wer hat dich(?: \S+)? (?:gemacht|gebaut|entwickelt|erschaffen)) $/,
  opening:
    /^ (?:(?:hallo|hi|hey|moin|guten (?:morgen|tag|abend)|bitte|also|so|nun|kurze frage|eine frage|noch eine frage|sag mal|sagen sie)(?: zusammen| team| mal| bitte)? |(?:kannst du|können sie|könntest du|könnten sie|würdest du|würden sie|kann ich|darf ich) (?:mir |uns )?(?:bitte |mal |kurz |vielleicht )*(?:sagen|erklären|zeigen|mitteilen|verraten|fragen)? ?|(?:bitte )?(?:sag|sage|erkläre?|erklären sie|sagen sie|verrate) (?:mir|uns) (?:bitte |mal )?|ich (?:würde|möchte|wollte) (?:gern |gerne |nur |bitte )*(?:wissen|fragen|erfahren)? ?|mich (?:würde )?interessiert |(?:weißt du|wissen sie) |ich (?:suche|brauche) )/,
  overview:
    / (?:zusammenfassung|zusammenfassen|zusammengefasst|fasse?(?: \S+){0,8} zusammen|fassen sie(?: \S+){0,8} zusammen|überblick|übersicht|kernpunkte|hauptpunkte|wichtigsten? (?:punkte|aussagen|themen|inhalte)|kernaussagen|kurzfassung|tldr|tl dr|worum geht(?:'s| es)(?: \S+){0,6}|worum ging(?:'s| es)(?: \S+){0,6}|worum es(?: \S+){1,6} geht|was (?:wurde|haben wir) (?:in|im|bei|beim|auf|am)(?: \S+){1,6} (?:besprochen|beschlossen|entschieden)|wovon handelt(?: \S+){1,5}|was steht (?:im|in (?:meinem|unserem|meiner|unserer))(?: \S+){1,3}|was steht in (?:diesem|dem|dieser|der|diesen|den)(?: \S+){1,3}|inhalt (?:dieses|des|der)|was ist der inhalt) /,
  anyText:
    /^(?: (?:dieses|diesem|diesen|dieser|diese|das|dem|den|der|die|des|es|hier|alles|allem|alle|ganze|ganzen|gesamte|dokument|dokuments|dokumente|dokumenten|datei|dateien|text|texte|texts|artikel|pdf|seite|seiten|inhalt|bitte|mir|uns|in|im|ein|eine|einen|einem|kurz|kurze|kurzen|knapp|zwei|drei|fünf|satz|sätzen|stichpunkten|stichworten|wichtigsten|wichtige|und|was|ist|sind|steht|gib|geben|sie|du|kannst|könnt|von|vom|zu|mach|erstelle|sammlung|ordner|darin|drin|eigentlich|denn|mal|einmal|überhaupt|geht|es|worum|wovon|handelt|machen|schreib))* $/,
  documents:
    / (?:dokumente?n?|datei(?:en)?|unterlagen|texte?n?|quellen?|pdfs?|papiere|schriftstücke|aufzeichnungen|protokolle?|berichte?|briefe?|e mails?|mails?|verträge|rechnungen|anleitungen?|notizen) /,
  presence:
    / (?:welche (?:meiner|unserer|der)|steht|habe ich|hab ich|haben wir|hast du|haben sie|gibt(?: es|'s)|sind (?:da|hier|vorhanden|gespeichert|hochgeladen|drin|verfügbar|das)|ist (?:da|hier|vorhanden)|vorhanden|hochgeladen|gespeichert|(?:liegen|liegt)(?: \S+)? vor|erwähn(?:en|t)|nenn(?:en|t)|handeln von|sprechen (?:von|über)|enthalten|kommt(?: \S+){1,4} vor|kennst du|kennen sie|liste|zeige?|insgesamt|steht etwas|geht es um|reden (?:von|über)|befassen sich|geschrieben|verfasst) /,
  about:
    / (?:über|zu|zum|zur|von|vom|um|hat|haben|erwähn(?:en|t)|nenn(?:en|t)|enthalten|handeln von|sprechen von|mit|betreffend|bezüglich|zum thema|in denen|wo) /,
  translate:
    / (?:übersetze?|übersetzen|übersetzung|übersetzt) | (?:auf|ins) (?:deutsche?|englische?|französische?|spanische?|italienische?|niederländische?|polnische?|russische?|türkische?|chinesische?|japanische?|portugiesische?)(?: bitte)? $/,
  shorten: / (?:kürzer|kürze|kürzen|knapper|in einem satz|in kurzform|zu lang|fasse? dich kurz|weniger ausführlich) /,
  asList:
    / (?:stichpunkte?n?|stichworte?n?|aufzählung|als (?:\S+ )?liste|als tabelle|in listenform|aufgelistet|aufzählungspunkte) /,
  rephrase:
    / (?:einfacher|anders (?:gesagt|ausdrücken|formulieren)|mit anderen worten|in einfachen worten|umformulieren|formuliere?(?: \S+){0,3} (?:um|anders)|wiederhole?(?: \S+)?|noch ?mal|nochmals|ausführlicher|genauer|erkläre? das|mehr details|mehr dazu|was meinst du|bist du sicher|stimmt das|wo steht das|woher (?:weißt du|stammt|kommt) das|(?:das )?versteh(?:e)? ich nicht|ich versteh(?:e)?(?: das| es| dich)? nicht|das (?:stimmt|ist|war) (?:nicht|falsch|unklar)|das ergibt keinen sinn|erklär(?:e)?(?: mir)? das) |^ (?:was|hä|mehr|wirklich|falsch|wie bitte|bitte was|wie meinst du das) $/,
  recall:
    / (?:was (?:habe|hab|hatte) ich(?: \S+){0,4} (?:gefragt|gesagt|geschrieben)|was war meine (?:\S+ )?frage|meine (?:letzte|erste|vorige|vorherige) (?:frage|nachricht)|was hast du(?: \S+){0,3} (?:gesagt|geantwortet)|deine (?:letzte|vorige|erste) antwort|worüber haben wir(?: \S+){0,3}|unser gespräch) /,
  origin:
    / (?:wer (?:hat|ist)(?: \S+){0,9} (?:geschrieben|verfasst|erstellt|unterschrieben|verschickt|autor|verfasser|absender)|wer ist der (?:autor|verfasser|absender)|autor|verfasser|absender|von wem (?:ist|stammt)|wann wurde(?: \S+){0,5} (?:geschrieben|verfasst|erstellt|veröffentlicht|hochgeladen|unterschrieben|verschickt)|von wann (?:ist|sind|stammt|stammen)|wie (?:alt|aktuell) (?:ist|sind) (?:dieses?|das|der|dieser|die)|was für ein (?:dokument|text|schreiben|brief)|welche art (?:von )?(?:dokument|text)|um was für ein|wie viele seiten|datum (?:des|dieses)) /,
  all: / (?:alle|alles|sämtliche|liste|auflisten|zähle?|nenne|nennen sie|welche|welcher|welches|jede|jeder|jedes|wer (?:sind|alles)|vollständige liste|was sind die|zeige?) /,
  count: / (?:wie ?viele?|wie oft (?:war|waren|wurde|wurden|habe|haben|hat|hatte|bin)|anzahl|zahl der) /,
  mean: / (?:durchschnitt\S*|im schnitt|mittelwert|im mittel) /,
  smallest:
    / (?:billigste[nrs]?|günstigste[nrs]?|preiswerteste[nrs]?|niedrigste[nrs]?|geringste[nrs]?|kleinste[nrs]?|wenigsten?|kürzeste[nrs]?|leichteste[nrs]?|jüngste[nrs]?|früheste[nrs]?|langsamste[nrs]?|mindesten|minimum|minimal|älteste[nrs]?|erste[nrs]?|am (?:billigsten|günstigsten|wenigsten|kürzesten|leichtesten|niedrigsten|kleinsten|frühesten|ältesten)) /,
  largest:
    / (?:teuerste[nrs]?|höchste[nrs]?|größte[nrs]?|grösste[nrs]?|meisten?|längste[nrs]?|schwerste[nrs]?|neueste[nrs]?|neuste[nrs]?|späteste[nrs]?|letzte[nrs]?|schnellste[nrs]?|maximum|maximal|aktuellste[nrs]?|beste[nrs]?|am (?:teuersten|meisten|längsten|schwersten|höchsten|größten|neuesten|schnellsten)) /,
  none: / (?:ausverkauft|nicht (?:mehr )?(?:vorrätig|verfügbar|lieferbar|auf lager)|vergriffen|kein(?:e|en)? (?:bestand|vorrat)|null|leer|nichts mehr|keine mehr|ohne) /,
  more: / (?:mehr als|über|größer als|höher als|länger als|schwerer als|mindestens|ab|nach|teurer als|älter als|später als) (?=\S)/,
  less: / (?:weniger als|unter|kleiner als|niedriger als|kürzer als|leichter als|höchstens|bis zu|bis|vor|billiger als|günstiger als|jünger als|früher als|maximal) (?=\S)/,
  recent:
    / (?:neueste[nrs]?|neuste[nrs]?|aktuelle?[nrs]?|aktuellste[nrs]?|derzeit|zurzeit|momentan|jetzt|jetzige[nrs]?|heute|gegenwärtig|letzte[nrs]?|inzwischen) /,
  compare:
    / (?:vergleiche?|vergleich|verglichen|unterschied|unterschiede|unterscheide[nt]|unterscheidet|geändert|änderungen?|gegenüber|versus|vs|zwischen(?: \S+){1,6} und|gemeinsam) /,
  open: / (?:(?:noch|alles noch) (?:\S+ ){0,4}?(?:zu tun|tun|erledigen|erledigt werden|machen|gemacht werden|offen|fehlt|fehlen|kaufen|besorgen|ansteht|aussteht)|(?:noch )?nicht (?:erledigt|gemacht|fertig|abgehakt|gekauft)|unerledigt\S*|offene\S* (?:aufgaben|punkte|todos|posten|dinge)|offen|ausstehend\S*) /,
  done: / (?:(?:schon|bereits) (?:\S+ ){0,3}?(?:erledigt|gemacht|fertig|abgehakt|gekauft)|erledigt|abgehakt) /,
  sum: / (?:insgesamt|gesamt\S*|zusammen|summe|in summe|alles in allem|wie ?viel(?: \S+){0,8} (?:ausgegeben|gezahlt|bezahlt|verdient|gekostet)) /,
};

const french: Cues = {
  greeting:
    /^ (?:bonjour|bonsoir|salut|coucou|bonne (?:journée|soirée|nuit)|au revoir|à (?:bientôt|demain|plus)|allô)(?: (?:à tous|tout le monde|carrel|monsieur|madame|toi|vous|tous)){0,2} $|^ (?:(?:comment )?(?:ça va|vas tu|allez vous)(?: bien)?|j'espère(?: \S+){1,7}|enchantée?) $/,
  thanks:
    /^ (?:(?:c'est |bien )noté|(?:tu|vous) me (?:sauvez|sauves)(?: la vie| la mise)?|(?:très|super) utile|laisse(?:z)? tomber|(?:ok |super |parfait |un grand )?(?:merci|mercis)(?: (?:beaucoup|bien|d'avance|infiniment|à vous|à toi|pour(?: \S+){1,4}|encore|mille fois|c'est (?:parfait|tout|bon))){0,2}|ok|d'accord|c'est parfait|super|parfait|très bien|compris|génial|c'est bon|c'est tout|(?:ça|cela|tu|vous) (?:m'aide|(?:m'a|m'as|m'avez)(?: été)?(?: beaucoup| bien| d'une grande| d'un grand)* (?:aidée?|aide|secours))(?: beaucoup)?|(?:c'est|tu es|vous êtes)(?: très)? (?:gentil(?:le)?|aimable|sympa|formidable)|(?:c'est )?très utile|bon à savoir) $/,
  help: /^ (?:j'ai une (?:petite )?question|j'aurais une (?:petite )?question|(?:je peux|puis je) (?:te |vous )?poser une question|(?:de l')?aide(?: moi)?|à l'aide|aidez moi|(?:qui|qu')(?: )?(?:es tu|êtes vous)|tu es qui|vous êtes qui|c'est quoi(?: ça| carrel)?|qu'est ce que c'est|que (?:peux tu|pouvez vous)(?: \S+){0,3}|que puis je (?:te |vous )?(?:demander|faire)(?: ici)?|comment (?:ça marche|cela fonctionne|ça fonctionne)|comment (?:peux tu|pouvez vous) m'aider|quel est ton nom|comment t'appelles tu|(?:es tu|tu es|vous êtes|êtes vous) (?:(?:un|une)(?: \S+){1,3}|chatgpt)|(?:à|avec) qui (?:je parle|est ce que je parle|ai je affaire)|que (?:sais tu|savez vous)(?: faire)?|qu'est ce que tu (?:sais|peux) faire|présente toi) $/,
  opening:
    /^ (?:(?:bonjour|bonsoir|salut|s'il (?:te|vous) plaît|svp|alors|bon|donc|petite question|une question|autre question)(?: à tous| madame| monsieur)? |(?:peux tu|pouvez vous|pourrais tu|pourriez vous|est ce que (?:tu peux|vous pouvez|je peux)|puis je) (?:s'il (?:te|vous) plaît )?(?:me |m'|nous )?(?:dire|expliquer|montrer|indiquer|aider|donner|rappeler)? ?|(?:dis|dites|explique|expliquez|indiquez) moi (?:s'il (?:te|vous) plaît )?|(?:je|j') ?(?:voudrais|aimerais|veux|souhaite|souhaiterais|cherche à|dois) (?:bien )?(?:savoir|demander|connaître)? ?|(?:sais tu|savez vous) (?:si )?)/,
  overview:
    / (?:résume[rz]?|résumé|résumés|synthèse|synthétise[rz]?|vue d'ensemble|points (?:clés|principaux|essentiels|importants)|idées principales|l'essentiel|tldr|tl dr|aperçu|en bref|en gros|de quoi (?:parle|parlent|s'agit il|traite|il s'agit|est il question)(?: \S+){0,5}|de quoi (?:a t on|ont ils|avons nous) (?:parlé|discuté)|que (?:dit|contient)(?: \S+){1,4}|quel est le (?:sujet|contenu|thème)(?: \S+){0,4}) /,
  anyText:
    /^(?: (?:ce|cet|cette|ces|le|la|les|l'|du|de|des|d'|tout|tous|toute|toutes|document|documents|fichier|fichiers|texte|textes|article|pdf|page|pages|contenu|ici|moi|me|nous|en|un|une|deux|trois|cinq|quelques|phrase|phrases|mots|lignes|points|court|courte|bref|brève|principaux|essentiels|clés|importants|s'il|te|vous|plaît|svp|et|qu'est|que|qui|est|sont|fais|faites|donne|donnez|peux|tu|pouvez|pour|ça|cela|il|dans|ensemble|collection|dossier|quoi|parle|parlent|traite|s'agit|sujet|dont|à|propos))* $/,
  documents:
    / (?:documents?|fichiers?|textes?|sources?|pdfs?|pièces|papiers|dossiers?|rapports?|lettres?|contrats?|factures?|notes?|manuels?|comptes rendus) /,
  presence:
    / (?:parle t on|est il question|il est question|figurent?|ai je|avons nous|j'ai|nous avons|as tu|avez vous|tu as|vous avez|y a t il|il y a|existe|existent|(?:sont|est) (?:là|ici|disponibles?|présents?|stockés?|enregistrés?)|disponibles?|téléchargés?|importés?|mentionnent?|parlent? de|parlent?|traitent?|contiennent?|évoquent?|citent?|connais tu|connaissez vous|listes?|liste[rz]?|montre[rz]?|au total|en tout) /,
  about:
    / (?:sur|de|du|des|d'|à propos|concernant|mentionnent?|parlent? de|parlent?|traitent? de|contiennent?|évoquent?|citent?|avec) /,
  translate:
    / (?:tradui[strez]+|traduire|traduction|traduis) | en (?:allemand|anglais|français|espagnol|italien|néerlandais|polonais|russe|turc|chinois|japonais|portugais)(?: s'il (?:te|vous) plaît| svp)? $/,
  shorten:
    / (?:plus court|plus courte|plus bref|plus brièvement|raccourci[srtez]*|abrège[rz]?|en une (?:seule )?phrase|trop long|moins long) /,
  asList: / (?:en liste|sous forme de (?:liste|tableau|puces)|liste à puces|à puces|en points|une liste|en tableau) /,
  rephrase:
    / (?:reformule[rz]?|autrement dit|plus simple|plus simplement|en termes simples|avec d'autres mots|répète[rz]?|explique[rz]? (?:ça|cela|mieux)|plus de détails|plus en détail|développe[rz]?|continue[rz]?|tu es sûr|es tu sûr|êtes vous sûr|c'est vrai|où est ce écrit|d'où vient|(?:je )?(?:ne |n')?(?:comprends|comprend|ai) pas(?: compris)?|c'est (?:faux|pas (?:clair|vrai|correct))|ce n'est pas (?:clair|vrai|correct)|explique[rz]? moi) |^ (?:quoi|hein|plus|vraiment|faux|comment|pardon|comment ça|explique[rz]?) $/,
  recall:
    / (?:qu'(?:ai je|est ce que j'ai)(?: \S+){0,3}|ma (?:dernière|première|précédente) question|ma question précédente|qu'as tu (?:dit|répondu)|ta (?:dernière|première) réponse|de quoi avons nous parlé|notre conversation) /,
  origin:
    / (?:qui (?:a|est|en est)(?: \S+){0,8} (?:écrit|rédigé|créé|signé|envoyé|auteur|auteure|expéditeur)|qui est l'auteur|l'auteur|auteure?|quand (?:a|est ce que)(?: \S+){0,5} (?:écrit|rédigé|créé|publié|envoyé|signé)|de quand (?:date|datent|est|sont)|quelle est la date|quel (?:type|genre|sorte) de (?:document|texte)|quelle sorte de|combien de pages|à quelle date) /,
  all: / (?:tous|toutes|tout|chaque|liste[rz]?|énumère[rz]?|cite[rz]?|quels|quelles|quel|quelle|nomme[rz]?|qui sont|liste complète) /,
  count: / (?:combien|nombre de|nombre d') /,
  mean: / (?:moyenne|moyen|en moyenne) /,
  smallest:
    / (?:(?:le|la|les) moins (?:cher|chère|chers|élevée?|grande?|longue?|lourde?)|moins cher|moins chère|(?:le|la) plus (?:petite?|bas|basse|courte?|légère?|faible|ancienne?|jeune|tôt)|minimum|minimale?|plus tôt|le moins|premier|première|plus ancienne?|moindre) /,
  largest:
    / (?:(?:le|la|les) plus (?:cher|chère|chers|chères|grande?|élevée?|haute?|longue?|lourde?|récente?|tard|rapide|grands|important|importante)|plus chère?|maximum|maximale?|plus récente?|dernier|dernière|le plus|la plus|meilleure?) /,
  none: / (?:en rupture(?: de stock)?|épuisée?s?|indisponibles?|plus en stock|pas en stock|zéro|aucune?|vide|sans) /,
  more: / (?:plus de|plus d'|au dessus de|supérieure?s? à|au moins|dépasse(?:nt)?|à partir de|après) (?=\S)/,
  less: / (?:moins de|moins d'|en dessous de|inférieure?s? à|au plus|jusqu'à|avant|au maximum) (?=\S)/,
  recent:
    / (?:dernière?s?|plus récente?s?|actuelle?s?|actuel|actuels|actuellement|maintenant|en ce moment|à jour|aujourd'hui) /,
  compare:
    / (?:compare[rz]?|comparaison|différences?|diffère(?:nt)?|changé|changements?|contre|versus|vs|entre(?: \S+){1,6} et|par rapport) /,
  open: / (?:(?:encore|reste(?:-t-il)?(?: encore)?) (?:à|a) (?:faire|acheter|régler|terminer)|reste(?:nt)?|pas encore (?:\S+ )?(?:faite?s?|terminée?s?|achetée?s?|cochée?s?)|pas (?:faite?s?|terminée?s?)|en attente|inachevée?s?|tâches? (?:ouverte|restante|à faire)s?) /,
  done: / (?:déjà (?:\S+ ){0,2}?(?:faite?s?|terminée?s?|achetée?s?|cochée?s?)|(?:est|sont) (?:faite?s?|terminée?s?)|cochée?s?) /,
  sum: / (?:au total|en tout|total|totale|somme|ensemble|combien(?: \S+){0,8} (?:dépensé|dépense|payé|gagné|coûté)) /,
};

const spanish: Cues = {
  greeting:
    /^ (?:hola|buenos días|buenas(?: (?:tardes|noches|días))?|buen día|saludos|adiós|hasta (?:luego|pronto|mañana))(?: (?:a todos|carrel|amigos|de nuevo|todos)){0,2} $|^ (?:(?:cómo|qué) (?:estás|está|tal|están)(?: hoy)?|espero que(?: \S+){1,7}|que tengas? (?:un )?(?:buen|buena) \S+|mucho gusto) $/,
  thanks:
    /^ (?:me (?:has|ha|habéis) (?:salvado|ayudado)(?: la vida| mucho| el día)?|(?:muy|súper) útil|olvídalo|(?:ok |vale |perfecto |much(?:ísim)?as |mil )?gracias(?: (?:de antemano|por(?: \S+){1,4}|a ti|a usted|de nuevo|amigo)){0,2}|ok|vale|perfecto|genial|entendido|de acuerdo|muy bien|muy amable|eso es todo|(?:eso |esto |ya )?me (?:ayuda|ayudó|ayudaste|ha ayudado|sirve|sirvió|ha servido)(?: mucho)?|(?:me )?(?:has|ha|eres|es|fuiste|fue)(?: sido)?(?: de)? (?:muy|mucha|gran|una gran) (?:útil|ayuda|amable)|(?:es )?muy útil|bueno saberlo) $/,
  help: /^ (?:tengo una (?:duda|pregunta)|(?:puedo|te puedo|le puedo) (?:hacer(?:te|le)? una pregunta|preguntar(?:te|le)? algo)|(?:por favor )?ayuda(?: por favor)?|ayúdame|ayúdeme|quién eres|quién es usted|qué eres|qué es esto|qué es carrel|qué (?:puedes|puede)(?: \S+){0,3}|qué puedo (?:preguntar(?:te|le)?|hacer)(?: aquí)?|cómo (?:funciona|funcionas)(?: esto)?|cómo (?:puedes|puede) ayudarme|cómo te llamas|eres (?:(?:un|una)(?: \S+){1,3}|chatgpt|real)|con quién (?:hablo|estoy hablando)|qué (?:sabes|sabe) (?:hacer)?|qué sabes|preséntate|qué haces) $/,
  opening:
    /^ (?:(?:hola|buenos días|buenas(?: tardes| noches)?|por favor|bueno|entonces|una pregunta|otra pregunta|pregunta rápida|oye)(?: a todos)? |(?:puedes|puede|podrías|podría|me puedes|me puede|me podrías|me podría|puedo) (?:por favor )?(?:decirme|decir|explicarme|explicar|mostrarme|indicarme|ayudarme con|preguntar|dar|darme)? ?(?:por favor )?|(?:dime|dígame|explícame|explíqueme|cuéntame|indícame) (?:por favor )?|(?:me gustaría|quisiera|quiero|necesito|quería) (?:saber|preguntar|conocer)? ?|(?:sabes|sabe) (?:si )?)/,
  overview:
    / (?:resume|resúmeme|resumir|resumen|resúmenes|resuma|síntesis|sintetiza|puntos (?:clave|principales|importantes)|ideas principales|visión general|panorama|en pocas palabras|en resumen|lo esencial|lo más importante|tldr|tl dr|de qué (?:trata|tratan|va|habla|se trata|hablan)(?: \S+){0,5}|qué se (?:habló|discutió|decidió|trató|acordó) (?:en|durante)|qué (?:dice|contiene)(?: \S+){1,4}|cuál es el (?:tema|contenido)(?: \S+){0,4}) /,
  anyText:
    /^(?: (?:este|esta|estos|estas|ese|esa|el|la|los|las|lo|un|una|unos|del|de|todo|todos|toda|todas|documento|documentos|archivo|archivos|fichero|ficheros|texto|textos|artículo|pdf|página|páginas|contenido|aquí|me|nos|en|dos|tres|cinco|pocas|frases|frase|palabras|líneas|puntos|breve|breves|corto|principales|clave|importantes|importante|más|por|favor|y|qué|que|es|son|haz|haga|dame|deme|puedes|puede|hacer|para|esto|eso|colección|carpeta|trata|tratan|va|habla|hablan|se|cuál|tema))* $/,
  documents:
    / (?:documentos?|archivos?|ficheros?|textos?|fuentes?|pdfs?|papeles|informes?|cartas?|contratos?|facturas?|notas?|manual(?:es)?|actas?) /,
  presence:
    / (?:aparecen?|habla|tengo|tenemos|tienes|tiene|hay|existen|existe|están (?:aquí|disponibles|guardados)|disponibles?|subidos?|guardados?|cargados?|mencionan?|hablan? de|hablan?|tratan? de|tratan?|contienen?|citan?|conoces|conoce|lista|listar|muestra|muéstrame|en total) /,
  about:
    / (?:sobre|acerca de|de|del|mencionan?|hablan? de|tratan? de|contienen?|citan?|con|respecto a|relacionados? con) /,
  translate:
    / (?:traduce|traducir|traducción|traduzca|tradúce(?:lo|la|melo)) | (?:al|en) (?:alemán|inglés|francés|español|italiano|neerlandés|polaco|ruso|turco|chino|japonés|portugués)(?: por favor)? $/,
  shorten:
    / (?:más corto|más corta|más breve|más brevemente|acorta|acórta(?:lo|la)|en una (?:sola )?frase|demasiado largo|abrevia) /,
  asList:
    / (?:en (?:forma de )?lista|como (?:una )?(?:lista|tabla)|lista de puntos|en viñetas|con viñetas|viñetas|en puntos|en (?:una )?tabla) /,
  rephrase:
    / (?:reformula|en otras palabras|más simple|más sencillo|más fácil|con palabras (?:simples|sencillas)|repite|repítelo|explica(?:lo|melo)?(?: mejor)?|más detalles?|dime más|continúa|estás seguro|está seguro|es verdad|es cierto|dónde (?:dice|pone) eso|de dónde (?:sale|viene)|no (?:lo |te )?(?:entiendo|entendí|comprendo)|(?:eso |esto )?(?:no es|está) (?:cierto|correcto|verdad|mal|claro)|eso es falso) |^ (?:qué|cómo|más|de verdad|falso|perdón|explica) $/,
  recall:
    / (?:qué (?:te )?(?:he preguntado|pregunté|dije|había preguntado)|mi (?:última|primera|anterior) pregunta|qué (?:has dicho|dijiste|respondiste)|tu (?:última|primera) respuesta|de qué hemos hablado|nuestra conversación) /,
  origin:
    / (?:quién (?:lo |la )?(?:escribió|redactó|creó|firmó|envió|hizo|ha escrito|es el autor|es la autora|es el remitente)|el autor|la autora|autora?|cuándo (?:se|fue|lo|la)(?: \S+){0,5}(?: escrito| escribió| creado| creó| publicado| firmado| enviado)|de cuándo (?:es|son)|de qué fecha|qué fecha (?:tiene|lleva)|qué (?:tipo|clase) de (?:documento|texto|archivo)|cuántas páginas) /,
  all: / (?:todos|todas|todo|cada|lista|listar|enumera|nombra|cuáles|qué|cuál|quiénes|muestra|lista completa) /,
  count: / (?:cuántos|cuántas|cuantos|cuantas|número de|cantidad de) /,
  mean: / (?:promedio|en promedio|de media) /,
  smallest:
    / (?:más (?:barat[oa]s?|bajo|baja|pequeñ[oa]|cort[oa]|liger[oa]|económic[oa]|antigu[oa]|viej[oa]|joven|temprano|lent[oa])|menor|mínim[oa]|menos|primer|primera|primero) /,
  largest:
    / (?:más (?:car[oa]s?|alt[oa]|grande|larg[oa]|pesad[oa]|reciente|nuev[oa]|rápid[oa]|costos[oa]|tarde)|mayor|máxim[oa]|últim[oa]|mejor|el más|la más) /,
  none: / (?:agotad[oa]s?|sin existencias|sin stock|no disponibles?|no (?:hay|queda|quedan)|cero|ningun[oa]?|ningún|vací[oa]s?) /,
  more: / (?:más de|superior(?:es)? a|mayor(?:es)? (?:que|de|a)|por encima de|al menos|a partir de|después de) (?=\S)/,
  less: / (?:menos de|inferior(?:es)? a|menor(?:es)? (?:que|de|a)|por debajo de|como máximo|hasta|antes de) (?=\S)/,
  recent: / (?:últim[oa]s?|más recientes?|actual(?:es)?|actualmente|ahora|hoy|en este momento|vigente) /,
  compare:
    / (?:compara|comparar|comparación|diferencias?|difieren?|cambió|cambios?|cambiado|frente a|versus|vs|entre(?: \S+){1,6} y) /,
  open: / (?:(?:queda|quedan|falta|faltan)(?: \S+){0,2}? (?:por|para|de) \S+|(?:queda|quedan|falta|faltan)|pendientes?|por hacer|(?:todavía|aún) (?:no|hay que)|sin (?:hacer|terminar)|no (?:está|están) (?:hech[oa]s?|terminad[oa]s?)) /,
  done: / (?:ya (?:\S+ ){0,2}?(?:hech[oa]s?|terminad[oa]s?|comprad[oa]s?|listo)|(?:está|están) (?:hech[oa]s?|terminad[oa]s?)) /,
  sum: / (?:en total|total|suma|en conjunto|cuánto(?: \S+){0,8} (?:gastado|gastó|gastamos|pagado|pagó|ganado)) /,
};

const italian: Cues = {
  greeting:
    /^ (?:ciao|salve|buongiorno|buonasera|buona (?:sera|giornata|notte)|buon (?:giorno|pomeriggio)|arrivederci|a (?:presto|domani|dopo))(?: (?:a tutti|carrel|tutti|ancora)){0,2} $|^ (?:come (?:stai|sta|va)(?: oggi)?|spero(?: \S+){1,7}|piacere) $/,
  thanks:
    /^ (?:mi (?:hai|ha) (?:salvato|aiutato|salvata)(?: la vita| la giornata| molto)?|(?:molto|davvero) utile|lascia (?:stare|perdere)|(?:ok |va bene |perfetto |molte |mille |tante )?grazie(?: (?:mille|molte|tante|in anticipo|per(?: \S+){1,4}|a te|a lei|ancora)){0,2}|ok|va bene|perfetto|ottimo|capito|d'accordo|benissimo|è tutto|ti ringrazio|la ringrazio|molto gentile|(?:questo )?mi (?:ha|hai) aiutat[oa](?: molto)?|(?:sei|è)(?: stat[oa])?(?: di)? (?:molto|grande|un grande) (?:util[ei]|aiuto|gentile)|(?:è )?molto utile|buono a sapersi) $/,
  help: /^ (?:(?:ho|avrei) una (?:domanda|curiosità)|posso (?:far(?:ti|le) una domanda|chieder(?:ti|le) una cosa)|(?:per favore )?aiuto|aiutami|mi aiuti|chi sei|chi è lei|cosa sei|cos'è questo|che cos'è(?: questo| carrel)?|cosa (?:puoi|può)(?: \S+){0,3}|(?:che )?cosa (?:sai|sa) fare|con chi (?:parlo|sto parlando)|cosa posso (?:chieder(?:ti|le|e)|fare)(?: qui)?|come (?:funziona|funzioni)(?: questo)?|come (?:puoi|può) aiutarmi|come ti chiami|sei (?:(?:un|una|uno)(?: \S+){1,3}|chatgpt)|presentati|cosa fai) $/,
  opening:
    /^ (?:(?:ciao|salve|buongiorno|buonasera|per favore|per piacere|allora|quindi|una domanda|un'altra domanda|domanda (?:veloce|rapida)|scusa|scusi)(?: a tutti)? |(?:puoi|può|potresti|potrebbe|mi puoi|mi può|mi potresti|mi potrebbe|posso) (?:per favore )?(?:dirmi|dire|spiegarmi|spiegare|mostrarmi|indicarmi|chiedere|aiutarmi con)? ?(?:per favore )?|(?:dimmi|mi dica|spiegami|mi spieghi|indicami) (?:per favore )?|(?:vorrei|voglio|volevo|mi piacerebbe|ho bisogno di|devo) (?:sapere|chiedere|conoscere)? ?|(?:sai|sa) (?:se )?)/,
  overview:
    / (?:riassumi|riassumere|riassunto|riassuma|riassumimi|sintesi|sintetizza|punti (?:chiave|principali|salienti|importanti)|idee principali|panoramica|in breve|in sintesi|in poche parole|l'essenziale|tldr|tl dr|di (?:che )?cosa (?:parla|parlano|tratta|trattano|si tratta)(?: \S+){0,5}|di che (?:parla|tratta|si tratta)(?: \S+){0,5}|cosa si è (?:parlato|discusso|deciso) (?:in|nel\S*|all\S+|durante)|cosa (?:dice|contiene)(?: \S+){1,4}|qual è (?:il contenuto|l'argomento)(?: \S+){0,4}) /,
  anyText:
    /^(?: (?:questo|questa|questi|queste|il|lo|la|i|gli|le|l'|un|una|del|della|dei|delle|dello|di|tutto|tutti|tutta|tutte|documento|documenti|file|testo|testi|articolo|pdf|pagina|pagine|contenuto|qui|mi|ci|in|due|tre|cinque|poche|frasi|frase|parole|righe|punti|breve|brevi|corto|principali|chiave|importanti|per|favore|e|che|cosa|cos'|è|sono|fai|fammi|dammi|puoi|può|fare|raccolta|cartella|parla|parlano|tratta|trattano|si|qual|argomento))* $/,
  documents:
    / (?:documenti|documento|file|testi|testo|fonti|fonte|pdf|carte|relazioni|relazione|rapporti|lettere|lettera|contratti|fatture|note|manuali|verbali) /,
  presence:
    / (?:ho|abbiamo|hai|avete|ha|ci sono|c'è|esistono|esiste|sono (?:qui|disponibili|presenti|caricati)|disponibili|caricati|salvati|menzionano|menziona|parlano di|parlano|parla di|trattano|tratta|contengono|contiene|citano|conosci|elenca|elencami|mostra|mostrami|in totale|in tutto) /,
  about:
    / (?:su|sul|sulla|sui|sulle|di|del|della|menzionano|menziona|parlano di|parla di|trattano|contengono|citano|con|riguardo a|riguardanti) /,
  translate:
    / (?:traduci|tradurre|traduzione|traduca|traducilo) | in (?:tedesco|inglese|francese|spagnolo|italiano|olandese|polacco|russo|turco|cinese|giapponese|portoghese)(?: per favore)? $/,
  shorten:
    / (?:più corto|più corta|più breve|più brevemente|accorcia|accorcialo|abbrevia|in una (?:sola )?frase|troppo lungo) /,
  asList:
    / (?:in (?:un )?elenco|come (?:un )?(?:elenco|lista|tabella)|elenco puntato|in forma di (?:elenco|lista)|una lista|in punti|(?:come|in una) tabella) /,
  rephrase:
    / (?:riformula|in altre parole|più semplice|più semplicemente|con parole semplici|ripeti|ripetilo|spiega(?:lo|melo)?(?: meglio)?|più dettagli|dimmi di più|continua|sei sicuro|è sicuro|è vero|dove (?:c'è scritto|sta scritto|lo dice)|non (?:ho capito|capisco|è (?:vero|giusto|chiaro|corretto))|(?:questo )?è sbagliato) |^ (?:cosa|eh|di più|davvero|sbagliato|come|prego|spiega) $/,
  recall:
    / (?:cosa (?:ti )?ho (?:chiesto|detto)|(?:la )?mia (?:ultima|prima|precedente) domanda|cosa hai (?:detto|risposto)|(?:la )?tua (?:ultima|prima) risposta|di cosa abbiamo parlato|nostra conversazione) /,
  origin:
    / (?:chi (?:l'ha|lo ha|ha)(?: \S+){0,2} (?:scritto|redatto|creato|firmato|inviato|mandato)(?: \S+){0,3}|chi è (?:l'autore|l'autrice|il mittente)|l'autore|autore|autrice|quando (?:è|fu)(?: \S+){0,4} (?:scritto|scritta|creato|pubblicato|firmato|inviato|redatto)|di quando (?:è|sono)|che data (?:ha|porta)|che (?:tipo|genere) di (?:documento|testo)|quante pagine) /,
  all: / (?:tutti|tutte|tutto|ogni|elenca|elenco|elencami|nomina|quali|quale|chi sono|mostra|lista completa|elenco completo) /,
  count: / (?:quanti|quante|numero di|quantità di) /,
  mean: / (?:in media|mediamente|medio|media) /,
  smallest:
    / (?:(?:meno|più) (?:economic[oa]|cost[oa]s[oa]|bass[oa]|piccol[oa]|cort[oa]|legger[oa]|vecchi[oa]|antic[oa]|giovane|presto|lent[oa])|meno car[oa]|minore|minim[oa]|meno|prim[oa]) /,
  largest:
    / (?:più (?:car[oa]|costos[oa]|alt[oa]|grande|lung[oa]|pesante|recente|nuov[oa]|veloce|tardi)|maggiore|massim[oa]|ultim[oa]|migliore|il più|la più) /,
  none: / (?:esaurit[oaie]|non disponibil[ei]|sold out|terminat[oaie]|zero|nessun[oa]?|vuot[oaie]|senza) /,
  more: / (?:più di|superior[ei] a|maggior[ei] di|oltre|sopra|almeno|a partire da|dopo) (?=\S)/,
  less: / (?:meno di|inferior[ei] a|minor[ei] di|sotto|al massimo|fino a|prima) (?=\S)/,
  recent: / (?:ultim[oaie]|più recent[ei]|attual[ei]|attualmente|adesso|ora|oggi|al momento|vigente) /,
  compare:
    / (?:confronta|confronto|confrontare|differenz[ae]|differiscono|cambiato|cambiata|cambiamenti|rispetto|contro|versus|vs|tra(?: \S+){1,6} e) /,
  open: / (?:(?:ancora|resta|restano|rimane|rimangono|manca|mancano)(?: \S+){0,2}? da (?:fare|comprare|finire)|da fare|in sospeso|non (?:ancora )?(?:fatt[oaie]|finit[oaie]|comprat[oaie])|mancano|manca|(?:attività|compiti|punti|cose) (?:aperti|aperte|aperto)) /,
  done: / (?:già (?:\S+ ){0,2}?(?:fatt[oaie]|finit[oaie]|comprat[oaie])|(?:è|sono) (?:stat[oaie] )?(?:fatt[oaie]|finit[oaie])) /,
  sum: / (?:in totale|totale|complessivamente|in tutto|somma|quanto(?: \S+){0,8} (?:speso|spesi|pagato|guadagnato)) /,
};

const portuguese: Cues = {
  greeting:
    /^ (?:olá|oi|bom dia|boa (?:tarde|noite)|saudações|adeus|até (?:logo|amanhã|já)|tchau)(?: (?:a todos|carrel|pessoal|todos)){0,2} $|^ (?:(?:como (?:está|estás|vai|você está)|tudo bem)(?: hoje)?|espero que(?: \S+){1,7}|prazer) $/,
  thanks:
    /^ (?:(?:você )?(?:me )?(?:salvou|salvaste|ajudou|ajudaste)(?: me)?(?: a vida| o dia| muito)?|(?:muito|super) útil|esquece|(?:ok |está bem |perfeito |muito |muit[oa]s )?(?:obrigad[oa]|obrigad[oa]s|valeu|grat[oa]|agradeço)(?: (?:mesmo|desde já|por(?: \S+){1,4}|pela ajuda|pelo(?: \S+){1,3}|a você)){0,2}|ok|está bem|perfeito|ótimo|entendi|certo|muito bem|é tudo|beleza|(?:isso |isto )?(?:me )?(?:ajudou|ajudaste)(?: me)?(?: muito)?|(?:você |tu )?(?:foi|foste|é|és)(?: de)?(?: uma)? (?:muito|muita|grande) (?:útil|ajuda|gentil)|(?:é )?muito útil|bom saber) $/,
  help: /^ (?:tenho uma (?:dúvida|pergunta)|posso (?:te |lhe )?(?:fazer uma pergunta|perguntar uma coisa)|(?:por favor )?ajuda|ajude me|me ajude|quem (?:é você|és tu|és)|o que (?:é você|és|é isto|é isso|é o carrel)|o que (?:você |tu )?(?:pode|podes)(?: \S+){0,3}|o que (?:você |tu )?(?:sabe|sabes) fazer|com quem (?:falo|estou falando|estou a falar)|o que (?:eu )?posso (?:perguntar|fazer)(?: aqui)?|como (?:isto|isso) funciona|como funciona|como (?:você )?pode (?:me ajudar|ajudar)|qual é o seu nome|você é (?:um|uma)(?: \S+){1,3}|apresente se) $/,
  opening:
    /^ (?:(?:olá|oi|bom dia|boa tarde|boa noite|por favor|bem|então|uma pergunta|outra pergunta|pergunta rápida)(?: a todos| pessoal)? |(?:pode|podes|poderia|podia|você pode|você poderia|posso) (?:por favor )?(?:me )?(?:dizer|dizer me|explicar|mostrar|informar|perguntar|ajudar com)? ?(?:me )?(?:por favor )?|(?:diga me|me diga|diz me|explique me|me explique) (?:por favor )?|(?:gostaria de|queria|quero|preciso|gostava de) (?:de )?(?:saber|perguntar|conhecer)? ?|(?:sabe|sabes|você sabe) (?:se )?)/,
  overview:
    / (?:resum[aoe]|resumir|resumo|resumos|síntese|sintetize|pontos (?:chave|principais|importantes)|ideias principais|visão geral|em poucas palavras|em resumo|o essencial|tldr|tl dr|(?:sobre o que|do que|de que) (?:é|fala|trata|se trata|falam|tratam)(?: \S+){0,5}|que se (?:falou|discutiu|decidiu|tratou) (?:em|na|no|nas|nos|durante)|o que (?:diz|contém)(?: \S+){1,4}|qual é o (?:assunto|conteúdo|tema)(?: \S+){0,4}) /,
  anyText:
    /^(?: (?:este|esta|estes|estas|esse|essa|isto|isso|o|a|os|as|um|uma|do|da|dos|das|de|tudo|todo|todos|toda|todas|documento|documentos|arquivo|arquivos|ficheiro|ficheiros|texto|textos|artigo|pdf|página|páginas|conteúdo|aqui|me|nos|em|dois|duas|três|cinco|poucas|frases|frase|palavras|linhas|pontos|breve|breves|curto|principais|chave|importantes|por|favor|e|que|sobre|é|são|faça|faz|dê|pode|fazer|coleção|pasta|fala|falam|trata|tratam|se|qual|assunto))* $/,
  documents:
    / (?:documentos?|arquivos?|ficheiros?|textos?|fontes?|pdfs?|papéis|relatórios?|cartas?|contratos?|faturas?|notas?|manua(?:l|is)|atas?) /,
  presence:
    / (?:tenho|temos|tens|tem|têm|há|existem|existe|estão (?:aqui|disponíveis|guardados)|disponíveis|enviados|guardados|carregados|mencionam|menciona|falam (?:de|sobre)|falam|fala de|tratam|trata|contêm|contém|citam|conhece|conheces|liste|lista|listar|mostre|mostra|no total|ao todo) /,
  about:
    / (?:sobre|acerca de|de|do|da|mencionam|menciona|falam de|falam sobre|tratam de|contêm|citam|com|a respeito de|relacionados? com) /,
  translate:
    / (?:traduz|traduza|traduzir|tradução) | (?:para|em) (?:o )?(?:alemão|inglês|francês|espanhol|italiano|holandês|polonês|polaco|russo|turco|chinês|japonês|português)(?: por favor)? $/,
  shorten:
    / (?:mais curto|mais curta|mais breve|encurte|encurta|abrevie|em uma (?:só )?frase|numa (?:só )?frase|longo demais|muito longo) /,
  asList:
    / (?:em (?:forma de )?lista|como (?:uma )?(?:lista|tabela)|lista de pontos|em tópicos|em pontos|numa (?:lista|tabela)|em (?:uma )?tabela) /,
  rephrase:
    / (?:reformule|reformula|em outras palavras|por outras palavras|mais simples|com palavras simples|repita|repete|explique (?:isso|melhor)|explica (?:isso|melhor)|mais detalhes|diga me mais|continue|tem certeza|tens a certeza|é verdade|onde (?:diz|está escrito) isso|não (?:entendi|entendo|percebi|percebo|compreendo)|(?:isso |isto )?(?:está (?:errado|mal)|não (?:é|está) (?:verdade|certo|claro))) |^ (?:o quê|como|mais|sério|errado|explica|explique) $/,
  recall:
    / (?:o que (?:eu )?(?:te |lhe )?(?:perguntei|disse)|(?:a )?minha (?:última|primeira|anterior) pergunta|o que (?:você |tu )?(?:disse|disseste|respondeu)|(?:a )?(?:sua|tua) (?:última|primeira) resposta|do que falamos|nossa conversa) /,
  origin:
    / (?:quem (?:o |a )?(?:escreveu|redigiu|criou|assinou|enviou|fez|é o autor|é a autora|é o remetente)|o autor|a autora|autora?|quando (?:foi|o|a)(?: \S+){0,5} (?:escrito|escrita|criado|publicado|assinado|enviado)|de quando (?:é|são)|qual é a data|que data (?:tem|traz)|que (?:tipo|género|gênero) de (?:documento|texto)|quantas páginas) /,
  all: / (?:todos|todas|tudo|cada|liste|lista|listar|enumere|nomeie|quais|qual|quem são|mostre|lista completa) /,
  count: / (?:quantos|quantas|número de|quantidade de) /,
  mean: / (?:em média|média|médio) /,
  smallest:
    / (?:mais (?:barat[oa]s?|baix[oa]|pequen[oa]|curt[oa]|leve|antig[oa]|velh[oa]|nov[oa] de idade|cedo|lent[oa]|económic[oa])|menor|mínim[oa]|menos|primeir[oa]) /,
  largest:
    / (?:mais (?:car[oa]s?|alt[oa]|longo|longa|comprid[oa]|pesad[oa]|recente|nov[oa]|rápid[oa]|tarde)|maior|máxim[oa]|últim[oa]|melhor|o mais|a mais) /,
  none: / (?:esgotad[oa]s?|sem stock|sem estoque|fora de estoque|indisponíve(?:l|is)|zero|nenhum|nenhuma|vazi[oa]s?) /,
  more: / (?:mais de|mais do que|superior(?:es)? a|maior(?:es)? (?:que|do que)|acima de|pelo menos|a partir de|depois de) (?=\S)/,
  less: / (?:menos de|menos do que|inferior(?:es)? a|menor(?:es)? (?:que|do que)|abaixo de|no máximo|até|antes de) (?=\S)/,
  recent: / (?:últim[oa]s?|mais recentes?|atual|atuais|atualmente|agora|hoje|no momento|vigente) /,
  compare:
    / (?:compare|comparar|comparação|diferenças?|diferem|mudou|mudanças?|alterou|frente a|versus|vs|entre(?: \S+){1,6} e) /,
  open: / (?:(?:falta|faltam|resta|restam)|(?:ainda|está|estão) por (?:fazer|comprar)|por fazer|pendentes?|ainda não|não (?:está|estão|foi|foram) (?:feit[oa]s?|concluíd[oa]s?)|em aberto) /,
  done: / (?:já (?:\S+ ){0,2}?(?:feit[oa]s?|concluíd[oa]s?|comprad[oa]s?)|(?:está|estão|foi|foram) (?:feit[oa]s?|concluíd[oa]s?)) /,
  sum: / (?:no total|ao todo|total|soma|quanto(?: \S+){0,8} (?:gastou|gastamos|gasto|pagou|pago|ganhou)) /,
};

const dutch: Cues = {
  greeting:
    /^ (?:hallo|hoi|hey|hé|dag|goede(?:morgen|middag|avond|nacht)|goeden?(?:dag|morgen|middag|avond)|tot (?:ziens|straks|morgen|later)|doei)(?: (?:allemaal|iedereen|carrel|daar)){0,2} $|^ (?:hoe gaat het(?: (?:met (?:je|jou|u)|ermee))?|ik hoop(?: \S+){1,7}|fijne (?:dag|avond)(?: nog)?|met vriendelijke groet(?:en)?) $/,
  thanks:
    /^ (?:(?:je|u) (?:hebt|heeft) (?:me|mij) (?:gered|geholpen|enorm geholpen)|(?:heel|super) (?:handig|fijn|behulpzaam)|laat maar|(?:ok |oké |super |top |heel erg |hartelijk |veel )?(?:bedankt|dank je|dank u|dankjewel|dankuwel|dank|merci)(?: (?:wel|alvast|hoor|bij voorbaat|voor(?: \S+){1,4}|nogmaals)){0,2}|ok|oké|prima|top|begrepen|duidelijk|perfect|mooi|fijn|dat is alles|dat was het|(?:dat|dit) (?:helpt|hielp)(?: (?:me|mij))?(?: (?:enorm|erg|verder))?|(?:dat|je|u) (?:heeft|hebt) (?:me|mij) (?:enorm |erg |goed )?geholpen|(?:je|u|dat) (?:bent|was|is)(?: een)?(?: (?:grote|goede|enorme|geweldige|erg|heel|hulp|behulpzaam|aardig|vriendelijk)){1,3}|(?:erg|heel) nuttig|goed om te weten) $/,
  help: /^ (?:ik heb een (?:vraag|vraagje)|mag ik (?:je |u )?(?:iets|wat) vragen|(?:alsjeblieft )?help(?: me| mij)?|hulp|wie ben (?:je|jij)|wie bent u|wat ben (?:je|jij)|wat is (?:dit|carrel)|wat (?:kun|kan|kunt) (?:je|jij|u)(?: \S+){0,3}|wat kan ik(?: je| u| jou| hier){0,2} (?:vragen|doen)|hoe werkt (?:dit|het)|hoe (?:kun|kunt|kan) (?:je|u) (?:me |mij )?helpen|hoe heet (?:je|jij|u)|ben je (?:een)(?: \S+){1,2}|stel jezelf voor|wat doe je) $/,
  opening:
    /^ (?:(?:hallo|hoi|hey|goedemorgen|goedemiddag|goedenavond|goedendag|dag|alsjeblieft|alstublieft|dus|nou|korte vraag|een vraag|nog een vraag)(?: allemaal)? |(?:kun|kunt|kan|zou|wil|mag) (?:je|jij|u|ik) (?:me |mij |ons )?(?:alsjeblieft |alstublieft |misschien |even )*(?:vertellen|zeggen|uitleggen|laten zien|vragen|helpen met)? ?|(?:vertel|zeg|leg)(?: me| mij| eens)+ |ik (?:wil|zou|wilde) (?:graag |even )*(?:weten|vragen)? ?|(?:weet je|weet u) (?:of )?|ik vraag me af )/,
  overview:
    / (?:samenvatten|samenvatting|samengevat|vat(?: \S+){0,8} samen|overzicht|kernpunten|hoofdpunten|belangrijkste (?:punten|zaken|onderwerpen)|in het kort|kort gezegd|tldr|tl dr|waar (?:gaat|gaan|handelt|gaat het)(?: \S+){0,5} over|waar ging(?: \S+){1,6} over|wat (?:is|werd) er (?:op|in|tijdens|bij)(?: \S+){1,6} (?:besproken|besloten|afgesproken)|waarover (?:gaat|gaan)(?: \S+){1,4}|wat staat er in (?:dit|deze|het|de)(?: \S+){1,3}|inhoud van) /,
  anyText:
    /^(?: (?:dit|deze|die|dat|het|de|een|van|alles|alle|hele|gehele|document|documenten|bestand|bestanden|tekst|teksten|artikel|pdf|pagina|inhoud|hier|mij|me|ons|in|twee|drie|vijf|paar|zinnen|zin|woorden|regels|punten|kort|korte|belangrijkste|alsjeblieft|alstublieft|en|wat|er|is|zijn|geef|maak|kun|kunt|je|u|voor|waar|gaat|gaan|over|handelt|collectie|map|staat|eens))* $/,
  documents:
    / (?:documenten|document|bestanden|bestand|teksten|bronnen|bron|pdf's|pdfs?|papieren|stukken|rapporten|brieven|brief|contracten|facturen|notities|handleidingen|notulen|verslagen) /,
  presence:
    / (?:staat|heb ik|hebben we|hebben wij|heb je|heb jij|heeft u|zijn er|is er|bestaan|staan (?:hier|er)|zijn (?:hier|beschikbaar|aanwezig|opgeslagen)|beschikbaar|geüpload|opgeslagen|vermelden|vermeldt|noemen|noemt|gaan over|gaat over|spreken over|bevatten|bevat|ken je|lijst|toon|laat(?: \S+){0,3} zien|in totaal) /,
  about: / (?:over|van|met|vermelden|vermeldt|noemen|noemt|bevatten|bevat|betreffende|omtrent|waarin|rond) /,
  translate:
    / (?:vertaal|vertalen|vertaling|vertaald) | (?:in het|naar het|in|naar) (?:duits|engels|frans|spaans|italiaans|nederlands|pools|russisch|turks|chinees|japans|portugees)(?: alsjeblieft)? $/,
  shorten: / (?:korter|inkorten|kort in|beknopter|in één zin|in een zin|te lang|minder uitgebreid) /,
  asList:
    / (?:opsomming|als (?:een )?(?:lijst|lijstje|tabel)|in (?:een )?(?:lijst|tabel)|puntsgewijs|bulletpoints|in punten|opsommingstekens) /,
  rephrase:
    / (?:anders (?:gezegd|geformuleerd)|herformuleer|in andere woorden|met andere woorden|eenvoudiger|simpeler|in eenvoudige woorden|herhaal|nog een keer|nogmaals|leg (?:dat|het) (?:beter )?uit|meer details|vertel meer|ga door|weet je het zeker|klopt dat|is dat waar|waar staat dat|ik (?:begrijp|snap)(?: het| dat| dit)? niet|(?:dat )?(?:begrijp|snap) ik niet|dat klopt niet|dat is (?:fout|niet (?:waar|duidelijk))) |^ (?:wat|hè|meer|echt|fout|pardon|leg uit) $/,
  recall:
    / (?:wat (?:heb|had) ik(?: \S+){0,3} (?:gevraagd|gezegd)|wat vroeg ik|mijn (?:laatste|vorige|eerste) vraag|wat (?:heb|had) je(?: \S+){0,3} (?:gezegd|geantwoord)|wat zei je|je (?:laatste|vorige|eerste) antwoord|waar hebben we het over gehad|ons gesprek) /,
  origin:
    / (?:wie (?:heeft|is)(?: \S+){0,9} (?:geschreven|opgesteld|gemaakt|ondertekend|verstuurd|auteur|schrijver|afzender)|wie schreef|wie is de (?:auteur|schrijver|afzender)|de auteur|auteur|schrijver|afzender|wanneer (?:is|werd)(?: \S+){0,5} (?:geschreven|opgesteld|gemaakt|gepubliceerd|verstuurd|ondertekend)|van wanneer (?:is|zijn)|hoe (?:oud|recent) (?:is|zijn) (?:dit|deze|het|de)(?: \S+){1,2}|welke datum|wat voor (?:soort )?(?:document|tekst|brief)|hoeveel pagina's) /,
  all: / (?:alle|alles|elke|elk|lijst|som(?: \S+){0,5} op|noem|welke|welk|wie zijn|toon|volledige lijst) /,
  count: / (?:hoeveel|hoe vaak (?:was|waren|werd|heb|ben|is)|aantal) /,
  mean: / (?:gemiddeld\S*) /,
  smallest:
    / (?:goedkoopste?|laagste?|kleinste?|minste?|kortste?|lichtste?|jongste?|vroegste?|langzaamste?|minimum|minimaal|oudste?|eerste) /,
  largest:
    / (?:duurste?|hoogste?|grootste?|meeste?|langste?|zwaarste?|nieuwste?|recentste?|laatste?|snelste?|maximum|maximaal|beste?) /,
  none: / (?:uitverkocht|niet (?:meer )?(?:op voorraad|leverbaar|beschikbaar|voorradig)|nul|geen(?: \S+)? (?:meer|voorraad)|leeg|op|zonder) /,
  more: / (?:meer dan|boven|hoger dan|groter dan|langer dan|zwaarder dan|minstens|ten minste|vanaf|na|duurder dan|ouder dan) (?=\S)/,
  less: / (?:minder dan|onder|lager dan|kleiner dan|korter dan|lichter dan|hoogstens|ten hoogste|tot|voor|goedkoper dan|jonger dan|maximaal) (?=\S)/,
  recent: / (?:nieuwste|laatste|recentste|huidige|actuele|nu|momenteel|tegenwoordig|vandaag|thans) /,
  compare:
    / (?:vergelijk|vergelijking|verschil|verschillen|verschilt|veranderd|veranderingen?|gewijzigd|tegenover|versus|vs|tussen(?: \S+){1,6} en) /,
  open: / (?:nog (?:\S+ ){0,3}?(?:te doen|doen|gedaan worden|gebeuren|open|kopen|gekocht worden)|(?:nog )?niet (?:gedaan|klaar|af|afgevinkt|gekocht)|openstaand\S*|staa[nt] (?:er )?(?:nog )?open|te doen) /,
  done: / (?:(?:al|reeds) (?:\S+ ){0,2}?(?:gedaan|klaar|af|afgevinkt|gekocht)|(?:is|zijn) (?:gedaan|klaar|af|afgevinkt)|afgevinkt) /,
  sum: / (?:in totaal|totaal|totale|samen|som|bij elkaar|hoeveel(?: \S+){0,8} (?:uitgegeven|betaald|verdiend|gekost)) /,
};

/** Swedish, Danish and Norwegian, whose cues are alike: which of them it is, the words around tell. */
const scandinavian: Cues = {
  greeting:
    /^ (?:hej|hejsan|hallå|hallo|hei|tjena|goddag|god (?:dag|morgon|morgen|kväll|aften|kveld|natt|nat|eftermiddag|ettermiddag)|godmorgen|godaften|hej (?:då|hej)|adjö|farvel|ha det(?: bra)?|vi (?:ses|sees|snakkes))(?: (?:på dig|alla|alle|igen|carrel|du|dere|der|sammen|allihopa)){0,2} $|^ (?:(?:hur|hvordan) (?:mår du|är läget|går det|har du det)(?: i ?dag)?|(?:jag|jeg) (?:hoppas|håber|håper)(?: \S+){1,7}|(?:ha|hav|ha en) (?:en |ei )?(?:bra|god|fin|trevlig|dejlig|hyggelig) \S+|(?:med )?vänliga hälsningar|med venlig hilsen|med vennlig hilsen) $/,
  thanks:
    /^ (?:(?:mycket|veldig|meget) (?:hjälpsamt|nyttig|nyttigt|hjelpsomt)|(?:du) (?:räddade|reddede|reddet) (?:min dag|dagen)|glem det|glöm det|(?:ok |okej |super |perfekt |tusen |tusind |mange |många |stort |hjertelig )?(?:tack|tak|takk)(?: (?:så (?:jätte|väldigt |hemskt )?mycket|så meget|så mye|skal (?:du|i|dere) ha(?:ve)?|ska du ha|på förhand|på forhånd|för(?: \S+){1,4}|for(?: \S+){1,4}|igen|igjen)){0,2}|ok|okej|okay|super|perfekt|bra|fint|flott|toppen|jag förstår|jeg forstår|det var allt|det var alt|(?:det|du)(?: har| var| är| er)?(?: mig| meg)?(?: mycket| meget| veldig| en| til)*(?: stor)? (?:hjälpte|hjalp|hjulpet|hjälp|hjælp|hjelp|hjälpsam|hjælpsom|hjelpsom|snäll|bra att veta)) $/,
  help: /^ (?:(?:jag|jeg) har (?:en fråga|et spørgsmål|et spørsmål)|(?:får|må|kan) (?:jag|jeg) (?:fråga|spørge|spørre)(?: dig| deg)? (?:om )?(?:något|noget|noe)|(?:snälla )?(?:hjälp|hjælp|hjelp)(?: mig| meg)?|(?:vem|hvem) (?:är|er) du|(?:vad|hvad|hva) (?:är|er) (?:du|det här|det her|dette|carrel)|(?:vad|hvad|hva) (?:kan du|kan jag|kan jeg)(?: \S+){0,4}|(?:hur|hvordan) (?:fungerar|fungerer|virker) (?:det|du|det här|dette)|(?:hur|hvordan) kan du (?:hjälpa|hjælpe|hjelpe)(?: mig| meg)|(?:vad|hvad|hva) heter du|hvad hedder du|(?:är|er) du (?:(?:en|ett|et)(?: \S+){1,3}|chatgpt)|(?:vem|hvem) (?:pratar|snakker|taler) (?:jag|jeg) med|(?:vad|hvad|hva) kan (?:man|jag|jeg) (?:fråga|spørge|spørre)(?: \S+){0,3}|(?:vad|hvad|hva) (?:gör|gør|gjør) du) $/,
  opening:
    /^ (?:(?:hej|hejsan|hei|hallå|hallo|goddag|god dag|god morgon|godmorgen|ursäkta|undskyld|unnskyld|förlåt|snälla|en fråga|et spørgsmål|et spørsmål)(?: alla| alle)? |(?:kan|skulle|kunde|kunne|vill|vil|gider) du (?:(?:snälla|kunna|kunne|være sød at|vara snäll och|vennligst|venligst|möjligen|måske|kanskje) )*(?:(?:säga|berätta|förklara|visa|fortælle|sige|forklare|vise|fortelle|si|hjälpa|hjælpe|hjelpe)(?: för| til)?(?: mig| oss| meg| os)?(?: med)?)? ?(?:snälla )?|(?:säg|berätta|förklara|visa|fortæl|sig|forklar|vis|fortell|si)(?: för)? (?:mig|oss|meg|os) |(?:jag|jeg) (?:undrar|skulle vilja|vill|vil gerne|vil gjerne|ville gerne|lurer på|undrer mig over)(?: gärna)?(?: (?:veta|fråga|vide|spørge|vite|spørre))?(?: om)? |(?:vet|ved) du )/,
  overview:
    / (?:sammanfatta|sammanfattning|sammanfattningen|op?psumm[eé]r(?:e|ing)?|sammenfatt?e?|sammenfatning|sammendrag|resumé|resumer|referer|översikt|overblik|oversikt|huvudpunkterna|hovedpunkter\S*|viktigaste (?:punkterna|sakerna)|vigtigste punkter|viktigste (?:punktene|punkter)|kort sagt|i korthet|tldr|tl dr|(?:vad|hvad|hva) (?:handlar|handler)(?: \S+){1,6} om|(?:vad|hvad|hva) (?:är|er) (?:det|dette)(?: \S+){0,3} om|(?:vad|hvad|hva) står (?:det|der) i (?:det|den|detta|denna|dette|denne)(?: \S+){1,3}|innehållet i|indholdet af|innholdet i) /,
  anyText:
    /^(?: (?:det|den|de|detta|denna|dessa|dette|denne|disse|här|her|hela|hele|alla|alle|allt|alt|en|ett|et|dokumentet|dokumentets|dokument|dokumenter|dokumenten|dokumenterne|dokumentene|filen|fil|filer|filerna|filene|texten|teksten|artikeln|artiklen|artikkelen|pdf|sidan|siden|innehållet|indholdet|innholdet|mig|meg|oss|os|i|av|af|om|på|två|to|tre|fem|några|nogle|noen|meningar|sætninger|setninger|punkter|ord|rader|kort|korta|korte|viktigaste|vigtigste|viktigste|tack|tak|takk|och|og|vad|hvad|hva|är|er|ge|gör|giv|gi|lav|lag|skriv|kan|du|för|for|handlar|handler|står|der))* $/,
  documents:
    / (?:dokument(?:er|en|erne|ene|et)?|fil(?:er|erna|erne|ene|en)?|text(?:er|erna|en)|tekst(?:er|erne|ene|en)|källor(?:na)?|kilder(?:ne)?|pdf(?:er|erna)?|rapport(?:er|erna|erne|ene)|brev(?:e|ene|en)?|avtal(?:en)?|aftaler|avtaler|fakturor|fakturaer|anteckningar|notater|manualer|protokoll|referater) /,
  presence:
    / (?:finns|finnes|findes|har (?:jag|jeg|vi|du)|(?:är|er) (?:det|der|här|her)|ligger|uppladdade|sparade|gemt|lagret|nämner|nævner|nevner|omtalar|omtaler|handlar om|handler om|innehåller|indeholder|inneholder|känner du till|kender du|kjenner du|lista|list|visa|vis|totalt|i alt|står) /,
  about: / (?:om|nämner|nævner|nevner|omtalar|omtaler|innehåller|indeholder|inneholder|med|av|af|från|fra) /,
  translate:
    / (?:översätt(?:a|ning)?|oversæt(?:te|telse)?|oversett(?:e|else)?) | (?:till|til|på) (?:tyska|engelska|franska|spanska|svenska|danska|norska|tysk|engelsk|fransk|spansk|svensk|dansk|norsk)(?: tack| tak| takk)? $/,
  shorten:
    / (?:kortare|kortere|förkorta|forkort|i en mening|i én sætning|i en sætning|i en setning|för långt|for langt) /,
  asList:
    / (?:punktlista|punktliste|i punkt(?:form|er)|som (?:en )?(?:lista|liste|tabell|tabel)|i (?:en )?(?:lista|liste|tabell|tabel)) /,
  rephrase:
    / (?:omformuler[ae]?|med andra ord|med andre ord|enklare|enklere|upprepa|gentag|gjenta|en gång till|en gang til|igen tack|förklara (?:det|bättre)|forklar (?:det|bedre)|mer detaljer|flere detaljer|berätta mer|fortæl mere|fortell mer|fortsätt|fortsæt|fortsett|är du säker|er du sikker|stämmer det|passer det|stemmer det|var står det|hvor står det|(?:jag|jeg) (?:förstår|forstår)(?: det)? (?:inte|ikke)|(?:det|detta) (?:förstår|forstår) (?:jag|jeg) (?:inte|ikke)|det (?:stämmer inte|passer ikke|stemmer ikke|är fel|er (?:forkert|feil))) |^ (?:vad|hva|hvad|mer|mere|verkligen|virkelig|fel|forkert|feil) $/,
  recall:
    / (?:(?:vad|hvad|hva) (?:frågade|spurgte|spurte|sade|sa|sagde) (?:jag|jeg|du)(?: \S+){0,3}|min (?:senaste|sista|första|förra|sidste|første|siste|forrige) (?:fråga|spørgsmål|spørsmål)|(?:mit|mitt) (?:sidste|første|siste|forrige) (?:spørgsmål|spørsmål)|(?:ditt|dit) (?:senaste|förra|sidste|siste|forrige) (?:svar)|vårt samtal|vores samtale|samtalen vår) /,
  origin:
    / (?:(?:vem|hvem) (?:skrev|har (?:skrivit|skrevet|underskrevet|undertecknat|sendt|skickat)|skickade|sendte|undertecknade|underskrev|är författare|er forfatter)(?: \S+){0,3}|författaren|författare|forfatter(?:en)?|avsändaren?|afsenderen?|avsenderen?|(?:när|hvornår|når) (?:skrevs|blev|ble|är|er)(?: \S+){0,5} (?:skrivet|skriven|skrevet|publicerat|udgivet|publisert|daterat|dateret|datert)|från när (?:är|är det)|hvornår er(?: \S+){1,3} fra|(?:vad|hvad|hva) (?:är det )?(?:för|slags|for)(?: en| et| ett| slags| sorts| typ){0,3} (?:dokument|text|tekst|brev)|hur många sidor|hvor mange sider) /,
  all: / (?:alla|alle|allt|alt|varje|hver|hvert|lista|list|räkna upp|nævn|nevn|vilka|vilken|vilket|hvilke|hvilken|hvilket|vem är|hvem er|visa|vis) /,
  count: / (?:hur många|hvor mange|antal|antalet|antallet|hur ofta (?:var|har)|hvor ofte (?:var|har)) /,
  mean: / (?:i genomsnitt|genomsnittlig\S*|i gennemsnit|gennemsnitlig\S*|i gjennomsnitt|gjennomsnittlig\S*|i snitt|medelvärde\S*) /,
  smallest:
    / (?:billigaste?|billigste?|lägsta?|laveste?|minsta?|mindste?|minste?|kortaste?|korteste?|lättaste?|letteste?|yngsta?|yngste?|tidigaste?|tidligste?|äldsta?|ældste?|eldste?|första|første|minimum|færrest\S*) /,
  largest:
    / (?:dyraste?|dyreste?|högsta?|højeste?|høyeste?|största?|største?|flest|mest|längsta?|længste?|lengste?|tyngsta?|tungeste?|nyaste?|nyeste?|senaste?|seneste?|sista|sidste|siste|snabbaste?|hurtigste?|raskeste?|bästa?|bedste?|beste?|maximum|maksimum) /,
  none: / (?:slutsåld[at]?|udsolgt|utsolgt|slut|inte (?:i lager|tillgänglig\S*)|ikke (?:på lager|tilgængelig\S*|tilgjengelig\S*)|noll|nul|null|ingen|inget|inga|intet|tom|tomme|utan|uden|uten) /,
  more: / (?:mer än|mere end|mer enn|fler än|flere end|flere enn|över|over|större än|større end|større enn|minst|mindst|från och med|fra og med|efter|etter|dyrare än|dyrere end|äldre än) (?=\S)/,
  less: / (?:mindre än|mindre end|mindre enn|färre än|færre end|færre enn|under|högst|højst|høyst|upp till|op til|opp til|före|før|billigare än|billigere end|yngre än) (?=\S)/,
  recent:
    / (?:nyaste|nyeste|senaste|seneste|siste|sista|sidste|aktuella?|aktuelle?|nuvarande|nuværende|nåværende|nu|nå|i ?dag|för närvarande|for tiden) /,
  compare:
    / (?:jämför|jämförelse|sammenlign|sammenligning|skillnad(?:en|er)?|forskel(?:len|le)?|forskjell(?:en|er)?|skiljer|ändrats|ändrat|ændret|endret|versus|vs|mellan(?: \S+){1,6} och|mellem(?: \S+){1,6} og|mellom(?: \S+){1,6} og) /,
  open: / (?:kvar att (?:göra|köpa)|återstår|mangler|gjenstår|ännu inte|endnu ikke|ennå ikke|ikke (?:gjort|færdig\S*|ferdig\S*)|inte (?:gjort|gjorda|klara?|köpt)|at gøre|att göra|å gjøre) /,
  done: / (?:redan (?:\S+ ){0,2}?(?:gjort|gjorda|klara?|köpt)|allerede (?:\S+ ){0,2}?(?:gjort|færdig\S*|ferdig\S*|købt|kjøpt)|avklarade?) /,
  sum: / (?:totalt|total|i alt|sammanlagt|tillsammans|tilsammen|sammenlagt|summan?|(?:hur mycket|hvor meget|hvor mye)(?: \S+){0,8} (?:spenderat|betalat|betalt|brugt|brukt|tjent|tjänat)) /,
};

const polish: Cues = {
  greeting:
    /^ (?:cześć|hej|witam|witaj|siema|dzień dobry|dobry wieczór|dobranoc|do widzenia|do zobaczenia|na razie|pozdrawiam)(?: (?:wszystkim|carrel|ponownie|wszyscy)){0,2} $|^ (?:(?:jak się (?:masz|pan ma|pani ma)|co (?:słychać|tam))(?: dzisiaj)?|mam nadzieję(?: \S+){1,7}|miłego dnia) $/,
  thanks:
    /^ (?:(?:uratowałeś|uratowałaś|uratował pan|uratowała pani) mi (?:życie|dzień)|bardzo pomocne|nieważne|(?:ok |super |bardzo |wielkie |serdecznie )?(?:dziękuję|dzięki|dziekuje|dzieki|dziękujemy)(?: (?:bardzo|z góry|wielkie|za(?: \S+){1,4}|jeszcze raz|ci|panu|pani)){0,2}|ok|dobrze|super|świetnie|rozumiem|jasne|w porządku|to wszystko|(?:to )?(?:bardzo )?(?:mi )?(?:pomogło|pomogłeś|pomogłaś|pomocne|przydatne)(?: mi)?(?: bardzo)?|(?:jesteś|byłeś|byłaś)(?: bardzo)? (?:pomocn[ya]|mił[ya]|wielką pomocą)|dobrze wiedzieć) $/,
  help: /^ (?:mam (?:jedno )?pytanie|(?:czy )?mogę o coś (?:za|s)pytać|(?:proszę o )?pomoc(?: proszę)?|pomocy|pomóż mi|kim (?:jesteś|pan jest)|czym jesteś|co to jest|co to|co (?:potrafisz|umiesz|możesz)(?: \S+){0,3}|(?:o )?co mogę(?: tu| tutaj| cię){0,2} (?:zapytać|spytać|pytać|zrobić|robić)|jak (?:to działa|działasz)|jak możesz mi pomóc|jak masz na imię|jak się nazywasz|czy jesteś(?: \S+){1,3}|przedstaw się) $/,
  opening:
    /^ (?:(?:cześć|hej|witam|dzień dobry|dobry wieczór|proszę|więc|no|mam pytanie|jeszcze jedno pytanie|krótkie pytanie)(?: wszystkim)? |(?:czy )?(?:możesz|może pan|może pani|mógłbyś|mogłabyś|mógłby pan|mogłaby pani|czy mogę) (?:mi |nam )?(?:proszę )?(?:powiedzieć|wyjaśnić|pokazać|podać|zapytać|pomóc)? ?(?:mi )?|(?:powiedz|wyjaśnij|podaj|pokaż) (?:mi |nam )?(?:proszę )?|(?:chciałbym|chciałabym|chcę|muszę) (?:się )?(?:wiedzieć|dowiedzieć|zapytać)? ?(?:się )?|(?:czy )?(?:wiesz|wie pan|wie pani) |szukam )/,
  overview:
    / (?:podsumuj|podsumować|podsumowanie|podsumujcie|streść|streszczenie|streścić|przegląd|najważniejsze (?:punkty|informacje|rzeczy)|główne (?:punkty|tematy|myśli)|kluczowe (?:punkty|informacje)|w skrócie|krótko mówiąc|tldr|tl dr|o czym (?:jest|mówi|traktuje|są|mowa)(?: \S+){0,5}|o czym (?:mówiono|rozmawiano)|co (?:omówiono|ustalono) (?:na|podczas)|co (?:zawiera|jest w)(?: \S+){1,4}|jaka jest treść) /,
  anyText:
    /^(?: (?:ten|tego|tym|ta|tej|tę|te|tych|to|wszystko|wszystkie|wszystkich|cały|całego|całość|dokument|dokumentu|dokumencie|dokumenty|dokumentów|plik|pliku|pliki|plików|tekst|tekstu|teksty|artykuł|artykułu|pdf|strona|strony|treść|treści|tutaj|tu|mi|nam|w|z|dwóch|trzech|pięciu|kilku|zdaniach|zdaniu|słowach|punktach|krótko|krótkie|najważniejsze|główne|proszę|i|co|jest|są|zrób|daj|możesz|dla|o|czym|mówi|kolekcja|folder|jaka|temat))* $/,
  documents:
    / (?:dokumenty|dokumentów|dokument|dokumencie|dokumentach|pliki|plików|plik|teksty|tekstów|źródła|źródeł|pdfy?|papiery|raporty|raportów|listy|umowy|faktury|notatki|instrukcje|protokoły) /,
  presence:
    / (?:jest mowa|mówi się|znajduje się|mam|mamy|masz|macie|ma pan|są (?:tu|tutaj|dostępne|zapisane|wgrane|w)|jest (?:tu|tutaj|dostępnych)|istnieją|dostępne|dostępnych|wgrane|zapisane|wspominają|wspomina|wymieniają|mówią o|mówi o|dotyczą|dotyczy|zawierają|zawiera|znasz|wymień|wylistuj|lista|pokaż|łącznie|w sumie|razem) /,
  about:
    / (?:o|na temat|wspominają|wspomina|wymieniają|mówią o|dotyczące|dotyczą|zawierają|zawiera|z|dotyczących|odnośnie) /,
  translate:
    / (?:przetłumacz|tłumaczenie|przetłumaczyć|przetłumaczcie) | (?:na|po) (?:niemiecki|niemiecku|angielski|angielsku|francuski|francusku|hiszpański|hiszpańsku|włoski|włosku|polski|polsku|rosyjski|rosyjsku|turecki|chiński|japoński|portugalski)(?: proszę)? $/,
  shorten: / (?:krócej|skróć|krótsze|krótszy|zwięźlej|w jednym zdaniu|za długie|bardziej zwięźle) /,
  asList:
    / (?:w punktach|jako (?:lista|listę|tabela|tabelę)|w formie (?:listy|tabeli|punktów)|listę punktów|lista punktowana|wypunktuj|od myślników) /,
  rephrase:
    / (?:inaczej|innymi słowami|prościej|prostszymi słowami|prostymi słowami|przeformułuj|powtórz|jeszcze raz|wyjaśnij (?:to|lepiej)|więcej szczegółów|powiedz więcej|kontynuuj|jesteś pewien|czy to prawda|gdzie to jest napisane|skąd to wiesz|nie rozumiem(?: tego)?|to (?:nieprawda|błąd|niejasne|źle)) |^ (?:co|jak to|więcej|naprawdę|źle|wyjaśnij) $/,
  recall:
    / (?:o co (?:pytałem|pytałam|zapytałem|zapytałam)|co (?:powiedziałem|powiedziałam)|moje (?:ostatnie|poprzednie|pierwsze) pytanie|co (?:powiedziałeś|odpowiedziałeś)|twoja (?:ostatnia|poprzednia) odpowiedź|o czym rozmawialiśmy|nasza rozmowa) /,
  origin:
    / (?:kto (?:to |go |ją |jest )?(?:napisał|sporządził|stworzył|podpisał|wysłał|autorem|nadawcą)|autor|autorem|nadawca|kiedy (?:został|zostało|została|to|go)(?: \S+){0,5}(?: napisany| napisane| napisano| sporządzono| utworzony| opublikowany| podpisany| wysłany)|z kiedy (?:jest|są)|z jakiego dnia|jaka (?:jest )?data|jaki (?:to )?(?:rodzaj|typ)|co to za (?:dokument|tekst|list)|ile stron) /,
  all: / (?:wszystkie|wszystkich|wszyscy|wszystko|każdy|każda|lista|listę|wymień|wypisz|które|który|która|jakie|jaki|jaka|kto|pokaż|pełna lista) /,
  count: / (?:ile|ilu|liczba) /,
  mean: / (?:średni\S*|przeciętni\S*) /,
  smallest:
    / (?:najtańsz[yaei]|najtańsze|najniższ[yaei]|najniższe|najmniejsz[yaei]|najmniejsze|najmniej|najkrótsz[yaei]|najkrótsze|najlżejsz[yaei]|najlżejsze|najmłodsz[yaei]|najwcześniejsz[yaei]|minimum|minimaln[yae]|najstarsz[yaei]|pierwsz[yae]) /,
  largest:
    / (?:najdroższ[yaei]|najdroższe|najwyższ[yaei]|najwyższe|największ[yaei]|największe|najwięcej|najdłuższ[yaei]|najdłuższe|najcięższ[yaei]|najcięższe|najnowsz[yaei]|najnowsze|najpóźniejsz[yaei]|maksimum|maksymaln[yae]|ostatni[ae]?|najlepsz[yae]|najszybsz[yae]) /,
  none: / (?:wyprzedan[yae]|niedostępn[yae]|brak(?:uje)?(?: na stanie| w magazynie)?|zero|nie ma|żaden|żadn[aey]|pust[yae]|bez) /,
  more: / (?:więcej niż|ponad|powyżej|wyższ[yae] niż|większ[yae] niż|dłuższ[yae] niż|co najmniej|przynajmniej|od|po|droższ[yae] niż|starsz[yae] niż) (?=\S)/,
  less: / (?:mniej niż|poniżej|niższ[yae] niż|mniejsz[yae] niż|krótsz[yae] niż|co najwyżej|najwyżej|do|przed|tańsz[yae] niż|młodsz[yae] niż) (?=\S)/,
  recent: / (?:najnowsz[yae]|ostatni[ae]?|aktualn[yaeie]+|obecn[yaie]+|obecnie|teraz|dzisiaj|aktualnie) /,
  compare:
    / (?:porównaj|porównanie|różnic[ae]|różnią|różni|zmieniło|zmiany|zmienił[ao]?|versus|vs|między(?: \S+){1,6} a|wobec) /,
  open: / (?:(?:jeszcze|zostało|pozostało)(?: \S+){0,2}? (?:do zrobienia|zrobić|kupić|do kupienia)|do zrobienia|(?:nie )?(?:jest|są) jeszcze nie\S+|niezrobion\S+|nieukończon\S+|niedokończon\S+|otwart\S+ (?:zadania|zadań|punkty|sprawy)) /,
  done: / (?:już (?:\S+ ){0,2}?(?:zrobion\S+|gotowe|kupion\S+|ukończon\S+)|(?:jest|są|zostało|zostały) (?:zrobion\S+|ukończon\S+)) /,
  sum: / (?:w sumie|razem|łącznie|suma|ogółem|ile(?: \S+){0,8} (?:wydał\S*|zapłacił\S*|zarobił\S*)) /,
};

const russian: Cues = {
  greeting:
    /^ (?:привет|приветик|приветствую|здравствуй|здравствуйте|добрый (?:день|вечер)|доброе утро|доброй ночи|хай|пока|до свидания|до (?:завтра|встречи))(?: (?:всем|carrel|друзья|ещё раз|еще раз)){0,2} $|^ (?:(?:как (?:дела|ты|вы|поживаешь|поживаете))(?: сегодня)?|надеюсь(?: \S+){1,7}|хорошего дня|приятно познакомиться) $/,
  thanks:
    /^ (?:(?:ты|вы) (?:меня )?(?:очень )?(?:выручилp{L}?|спасp{L}{0,2}|помогли|помогp{L}?)(?: меня| мне)?|очень (?:полезно|помогло)|забудь(?:те)?|(?:ок |хорошо |отлично |большое |огромное )?(?:спасибо|благодарю|спс)(?: (?:большое|огромное|заранее|за(?: \S+){1,4}|вам|тебе|ещё раз|еще раз)){0,2}|ок|окей|хорошо|отлично|понятно|понял|поняла|ясно|супер|класс|это всё|это все|(?:это )?(?:очень )?(?:мне )?(?:помогло|помогли|полезно)(?: мне)?|(?:ты|вы) (?:мне )?(?:очень )?(?:помог|помогла|помогли)|(?:вы )?очень (?:любезно|помогли|выручили)|буду знать) $/,
  help: /^ (?:у меня (?:есть )?(?:один )?вопрос|можно (?:задать )?вопрос|помощь|помоги(?:те)?(?: мне)?(?: пожалуйста)?|(?:а )?кто (?:ты|вы)(?: такой| такая| такие)?|что (?:ты|это)(?: такое)?|что (?:ты )?(?:умеешь|можешь|умеете|можете)(?: \S+){0,3}|что (?:я )?могу (?:спросить|делать)(?: \S+){0,2}|как (?:это работает|ты работаешь|вы работаете)|как (?:ты можешь|вы можете) (?:мне )?помочь|как тебя зовут|ты (?:бот|робот|человек)|представься) $/,
  opening:
    /^ (?:(?:привет|здравствуйте|здравствуй|добрый день|добрый вечер|доброе утро|пожалуйста|итак|так|ну|вопрос|ещё вопрос|еще вопрос|быстрый вопрос)(?: всем)? |(?:можешь|можете|могли бы вы|мог бы ты|не могли бы вы|могу ли я|можно) (?:пожалуйста )?(?:мне |нам )?(?:сказать|объяснить|показать|подсказать|спросить|помочь)? ?(?:мне )?(?:пожалуйста )?|(?:скажи|скажите|подскажи|подскажите|объясни|объясните|расскажи|расскажите) (?:мне |нам )?(?:пожалуйста )?|(?:я )?(?:хотел бы|хотела бы|хочу|хотелось бы|мне нужно|мне надо) (?:бы )?(?:знать|узнать|спросить)? ?|мне интересно |(?:ты )?(?:не )?(?:знаешь|знаете)(?: ли вы| ли ты)? |интересует )/,
  overview:
    / (?:резюмируй(?:те)?|резюме|кратко(?:е|й)? (?:изложи|изложение|содержание|перескажи|опиши)|изложи(?:те)? кратко|краткий (?:обзор|пересказ)|перескажи(?:те)?|пересказ|подведи(?:те)? итог|подытожь|суммируй|обзор|основные (?:пункты|тезисы|мысли|моменты|темы)|главн(?:ое|ые мысли|ые пункты|ая мысль)|ключевые (?:моменты|пункты)|вкратце|в двух словах|tldr|tl dr|о чём|о чем|что (?:говорится|содержится|написано) в(?: \S+){1,3}|какое содержание|саммари|выжимка) /,
  anyText:
    /^(?: (?:этот|этого|этом|эта|этой|эту|эти|этих|это|этому|весь|всего|всё|все|всех|документ|документа|документе|документу|документы|документов|документах|файл|файла|файле|файлы|файлов|текст|текста|тексте|тексты|статья|статьи|статье|статью|pdf|страница|содержание|содержания|здесь|тут|мне|нам|в|из|двух|трёх|трех|пяти|нескольких|предложениях|предложении|словах|пунктах|кратко|краткое|основные|главное|главные|пожалуйста|и|что|есть|сделай|дай|можешь|для|о|чём|чем|идёт|идет|речь|коллекция|папка|говорится))* $/,
  documents:
    / (?:документы|документов|документ|документе|документах|файлы|файлов|файл|тексты|текстов|источники|источников|pdf|бумаги|отчёты|отчеты|отчётов|письма|писем|договоры|договоров|счета|заметки|инструкции|протоколы) /,
  presence:
    / (?:у меня(?: есть)?|у нас(?: есть)?|у тебя(?: есть)?|у вас(?: есть)?|имеется|имеются|есть|существуют|(?:тут|здесь)|доступны|доступно|загружены|загружено|сохранены|хранится|хранятся|упоминают(?:ся)?|упоминает(?:ся)?|говорят о|говорят об|говорит о|говорится о|касаются|содержат|содержит|знаешь|перечисли(?:те)?|список|покажи(?:те)?|всего) /,
  about: / (?:о|об|про|упоминают|упоминает|упоминается|говорят о|касаются|содержат|с|по|насчёт|относительно|где) /,
  translate:
    / (?:переведи(?:те)?|перевод|перевести) | (?:на|по) ?(?:немецкий|немецки|английский|английски|французский|испанский|итальянский|нидерландский|польский|русский|русски|турецкий|китайский|японский|португальский)(?: пожалуйста)? $/,
  shorten: / (?:короче|сократи(?:те)?|покороче|лаконичнее|одним предложением|в одном предложении|слишком длинно) /,
  asList: / (?:списком|в виде (?:списка|таблицы)|по пунктам|пунктами|как список|маркированным списком|таблицей) /,
  rephrase:
    / (?:перефразируй(?:те)?|другими словами|иначе говоря|проще|простыми словами|повтори(?:те)?|ещё раз|еще раз|объясни(?:те)? (?:это|лучше|подробнее)|подробнее|расскажи(?:те)? больше|продолжай(?:те)?|ты уверен|вы уверены|это правда|где это (?:написано|сказано)|откуда это|(?:я )?не (?:понимаю|понял\S*)|(?:это )?(?:неверно|неправда|не так|непонятно)) |^ (?:что|как|больше|ещё|правда|неверно|объясни(?:те)?) $/,
  recall:
    / (?:что я (?:спросил|спросила|спрашивал|спрашивала|сказал|сказала|говорил)(?: \S+){0,2}|мой (?:последний|первый|предыдущий) вопрос|какой был мой вопрос|что ты (?:сказал|ответил)(?: \S+){0,2}|твой (?:последний|предыдущий) ответ|о чём мы говорили|о чем мы говорили|наш разговор|нашу беседу) /,
  origin:
    / (?:кто (?:его |её |ее |это |этот |является )?(?:\S+ )?(?:написал|составил|создал|подписал|отправил|автором|автор|отправитель)|автор|автора|отправитель|когда (?:был|была|было|были)(?: \S+){0,5} (?:написан|написана|написано|составлен|составлено|создан|опубликован|подписан|отправлено|отправлен)|от какого (?:числа|года)|какая дата|какого числа (?:написан|составлен)|что это за (?:документ|текст|письмо)|какого (?:рода|типа)|сколько страниц) /,
  all: / (?:все|всех|всё|каждый|каждая|список|перечисли(?:те)?|назови(?:те)?|какие|какой|какая|какое|кто|покажи(?:те)?|полный список) /,
  count: / (?:(?<! во )сколько|количество|число) /,
  mean: / (?:в среднем|средн\S+) /,
  smallest:
    / (?:сам(?:ый|ая|ое|ые|ую) (?:дешёв|дешев|низк|маленьк|коротк|лёгк|легк|молод|ранн|стар|медленн)\S*|(?:дешевле|меньше|реже|раньше|короче|легче) всего|наименьш\S+|минимальн\S+|минимум|перв(?:ый|ая|ое)) /,
  largest:
    / (?:чаще всего|сам(?:ый|ая|ое|ые|ую) (?:дорог|высок|больш|длинн|тяжёл|тяжел|нов|поздн|быстр|последн|свеж)\S*|дороже всего|больше всего|наибольш\S+|максимальн\S+|максимум|последн(?:ий|яя|ее)|лучш(?:ий|ая|ее)) /,
  none: / (?:нет в наличии|распродан\S*|закончил\S*|отсутству\S+|недоступн\S+|ноль|нуль|нет|без|пуст\S+) /,
  more: / (?:больше|более|свыше|выше|дороже|длиннее|тяжелее|не менее|как минимум|от|после|старше) (?=\S)/,
  less: / (?:меньше|менее|ниже|дешевле|короче|легче|не более|максимум|до|младше) (?=\S)/,
  recent:
    / (?:последн\S+|новейш\S+|сам\S+ свеж\S+|сам\S+ нов\S+|текущ\S+|актуальн\S+|сейчас|теперь|сегодня|нынешн\S+) /,
  compare:
    / (?:сравни(?:те)?|сравнение|разниц\S|отлич\S+|различ\S+|изменил\S*|изменени\S+|против|между(?: \S+){1,6} и|по сравнению) /,
  open: / (?:(?:ещё|еще)(?: \S+){0,2}? (?:сделать|осталось|нужно|надо|открыт\S*|не \S+)|открыт\S+ (?:задач\S*|пункт\S*|вопрос\S*)|осталось|остались|(?:ещё |еще )?не (?:сделан\S*|выполнен\S*|куплен\S*|закончен\S*|завершён\S*|завершен\S*)|невыполненн\S+|незаверш\S+|предстоит) /,
  done: / (?:уже(?: \S+){0,2}? (?:сделан\S*|выполнен\S*|куплен\S*|готов\S*)|(?:сделано|выполнено)) /,
  sum: / (?:(?<!(?:ше|же|ще|ее) )всего|итого|в сумме|сумма|в общей сложности|вместе|сколько(?: \S+){0,8} (?:потратил\S*|заплатил\S*|заработал\S*)) /,
};

const turkish: Cues = {
  greeting:
    /^ (?:merhaba|merhabalar|selam|selamlar|günaydın|iyi (?:günler|akşamlar|geceler)|hoşça kal|güle güle|görüşürüz)(?: (?:herkese|carrel|arkadaşlar|tekrar)){0,2} $|^ (?:(?:nasılsın|nasılsınız|naber|ne haber)(?: bugün)?|umarım(?: \S+){1,7}|iyi günler dilerim|memnun oldum) $/,
  thanks:
    /^ (?:hayatımı kurtardın(?:ız)?|çok (?:yardımcı oldun(?:uz)?|faydalı)|boş ver|(?:tamam |çok |peki |harika )?(?:teşekkürler|teşekkür ederim|teşekkür ederiz|teşekkür|sağol|sağ ol|sağ olun|sağolun|eyvallah)(?: (?:çok|şimdiden|tekrar|yardımın için|için)){0,2}|tamam|peki|harika|süper|anladım|güzel|mükemmel|hepsi bu|(?:bana )?(?:çok |bu )?(?:yardımcı oldu(?:n|nuz)?|işime yaradı|işe yaradı|faydalı oldu)) $/,
  help: /^ (?:bir (?:sorum|şey soracağım) var|bir sorum var|yardım(?: et| edin)?(?: lütfen)?|bana yardım et|(?:sen )?kimsin|siz kimsiniz|(?:sen )?nesin|bu ne|bu nedir|carrel nedir|(?:neler|ne) (?:yapabilirsin|yapabilirsiniz|sorabilirim|yapabilirim)|(?:bu )?nasıl (?:çalışıyor|çalışır|çalışıyorsun)|bana nasıl yardım edebilirsin|adın ne|(?:sen )?bir (?:bot|robot|insan) mısın|kendini tanıt) $/,
  opening:
    /^ (?:(?:merhaba|selam|günaydın|iyi günler|iyi akşamlar|lütfen|peki|yani|bir sorum var|kısa bir soru)(?: herkese)? |(?:bana )?(?:söyler misin|söyler misiniz|söyleyebilir misin|söyleyebilir misiniz|açıklar mısın|anlatır mısın) (?:lütfen )?|(?:bilmek|öğrenmek|sormak) (?:istiyorum|isterim) (?:ki )?|merak ediyorum )/,
  overview:
    / (?:özetle|özetler misin|özetleyin|özet|özeti|özetini|özetlemek|genel bakış|ana (?:noktalar|fikir|fikirler|konular|hatlar\S*)|önemli noktalar|kısaca|tldr|tl dr|ne hakkında|neden bahsediyor|neyle ilgili|konusu (?:ne|nedir)|içeriği (?:ne|nedir)|ne anlatıyor|neler? (?:konuşuldu|görüşüldü|kararlaştırıldı)) /,
  anyText:
    /^(?: (?:bu|şu|o|bunu|bunun|bunlar|bunların|hepsi|hepsini|tüm|bütün|belge|belgeyi|belgenin|belgeler|belgeleri|belgelerin|doküman|dokümanı|dokümanın|dosya|dosyayı|dosyanın|dosyalar|metin|metni|metnin|makale|makaleyi|makalenin|pdf|sayfa|içerik|içeriği|içeriğini|burada|bana|bize|iki|üç|beş|birkaç|cümlede|cümleyle|kelimeyle|maddede|maddeyle|kısa|kısaca|bir|lütfen|ve|ne|nedir|yap|ver|çıkar|yapar|mısın|misin|hakkında|konusu|koleksiyon|klasör))* $/,
  documents:
    / (?:belgeler\S*|belge|belgede|dokümanlar\S*|doküman|dosyalar\S*|dosya|dosyada|metinler\S*|kaynaklar\S*|pdf\S*|raporlar\S*|mektuplar\S*|sözleşmeler\S*|faturalar\S*|notlar\S*|kılavuzlar\S*|tutanaklar\S*) /,
  presence:
    / (?:var|mevcut|bulunuyor|yüklü|yüklenmiş|kayıtlı|saklanan|elimde|elimizde|sende|sizde|burada|bahsediyor|bahseden|geçiyor|geçen|içeriyor|içeren|söz ediyor|biliyorsun|listele|liste|göster|toplam|toplamda) /,
  about: / (?:hakkında|hakkındaki|ilgili|bahsediyor|bahseden|geçiyor|geçen|içeriyor|içeren|konulu|dair) /,
  translate:
    / (?:çevir|çevirir misin|çeviri|tercüme|çevirin) | (?:almancaya|ingilizceye|fransızcaya|ispanyolcaya|italyancaya|türkçeye|rusçaya|almanca|ingilizce|türkçe)(?: lütfen| olarak)? $/,
  shorten: / (?:kısalt|daha kısa|kısaltır mısın|tek cümlede|bir cümlede|tek cümleyle|çok uzun) /,
  asList:
    / (?:liste (?:olarak|halinde|şeklinde)|madde madde|maddeler halinde|maddeler olarak|tablo (?:olarak|halinde)) /,
  rephrase:
    / (?:başka (?:bir deyişle|türlü söyle|kelimelerle)|daha (?:basit|sade|açık|ayrıntılı)|basitçe|basit kelimelerle|tekrarla|tekrar et|bir daha|yeniden ifade et|(?:bunu|daha iyi) açıkla|daha fazla (?:bilgi|ayrıntı)|devam et|emin misin|doğru mu bu|bu doğru mu|nerede yazıyor|anlamadım|anlamıyorum|bu (?:yanlış|doğru değil)) |^ (?:ne|daha|gerçekten mi|yanlış|açıkla) $/,
  recall:
    / (?:(?:ben )?(?:sana )?ne (?:sordum|sormuştum|dedim)|(?:benim )?(?:son|önceki|ilk) sorum|ne (?:dedin|cevap verdin)|(?:senin )?(?:son|önceki) (?:cevabın|yanıtın)|ne konuştuk|konuşmamız) /,
  origin:
    / (?:kim (?:yazdı|yazmış|hazırladı|oluşturdu|imzaladı|gönderdi)|kim tarafından|yazarı|yazar|gönderen|ne zaman (?:yazıldı|yazılmış|hazırlandı|oluşturuldu|yayınlandı|gönderildi|imzalandı)|hangi tarih(?:li|te)|tarihi (?:ne|nedir)|ne tür (?:bir )?(?:belge|metin)|kaç sayfa) /,
  all: / (?:tüm|bütün|hepsi|her|listele|liste|say|sırala|hangi|hangileri|kimler|nelerdir|neler|göster) /,
  count: / (?:kaç|sayısı|ne kadar|adet) /,
  mean: / (?:ortalama\S*) /,
  smallest: / (?:en (?:ucuz|düşük|küçük|az|kısa|hafif|genç|erken|eski|yavaş)\S*|minimum|asgari|ilk) /,
  largest: / (?:en (?:pahalı|yüksek|büyük|çok|uzun|ağır|yeni|son|geç|hızlı|fazla)\S*|maksimum|azami|son) /,
  none: / (?:tükendi|tükenmiş|tükenen|stokta (?:yok|olmayan)|mevcut (?:değil|olmayan)|kalmadı|kalmayan|sıfır|yok|olmayan|boş) /,
  more: / (?:\S+(?:den|dan|ten|tan) (?:fazla|çok|büyük|yüksek|pahalı|uzun|ağır)|üzerinde|üstünde|en az|itibaren|sonra) (?=\S)/,
  less: / (?:\S+(?:den|dan|ten|tan) (?:az|küçük|düşük|ucuz|kısa|hafif)|altında|en fazla|kadar|önce) (?=\S)/,
  recent: / (?:en (?:yeni|son|güncel)|son|güncel|şimdi|şu anda|şu an|bugün|halen) /,
  compare: / (?:karşılaştır\S*|fark\S*|değişti|değişen|değişiklik\S*|arasında\S*|göre|versus|vs) /,
  open: / (?:(?:daha|hâlâ|hala|henüz)(?: \S+){0,3}? (?:yapılacak|yapılması|yapılmadı|yapılmamış|alınacak|alınmadı|açık|bitmedi|bitmemiş|kaldı)|yapılacak|yapılmamış|yapılmayan|tamamlanmamış|tamamlanmayan|bitmemiş|bekleyen|kalan (?:iş|işler|görev|görevler)|neler kaldı|ne kaldı) /,
  done: / (?:(?:zaten|çoktan)(?: \S+){0,2}? (?:yapıldı|yapılmış|bitti|alındı)|yapılmış olan|tamamlanan|tamamlanmış|yapılanlar|(?:neler|ne) yapıldı) /,
  sum: / (?:toplam\S*|hepsi birlikte|ne kadar(?: \S+){0,6} (?:harcadı\S*|ödedi\S*|kazandı\S*)) /,
};

const chinese: Cues = {
  greeting:
    /^(?:你好|您好|嗨|哈喽|哈囉|大家好|早上好|早安|上午好|中午好|下午好|晚上好|晚安|再见|再見|拜拜|你好吗|最近怎么样)(?:啊|呀|吗)?$/,
  thanks:
    /^(?:(?:太|很|非常)(?:有用|有帮助)(?:了)?|你(?:真|太)(?:好|棒)了?|算了|(?:好的|太好了|非常|十分|多)?(?:谢谢|謝謝|感谢|多谢|感謝)(?:你|您|了|你的帮助|您的帮助|大家)?(?:帮了我?大忙)?|好的|好|明白了|知道了|了解|太好了|没问题|不错|(?:这|你|您)?(?:真的?)?(?:很有帮助|帮到我了|帮了(?:我(?:很多)?)?(?:大忙)?|很有用|太好了))$/,
  help: /^(?:我(?:还|還)?有(?:一)?(?:个|個)?问题|在吗|(?:请)?(?:帮帮我|帮助我?|幫助|救命)|(?:请问)?你是谁|您是谁|你是什么|这是什么|你(?:能|会|可以)(?:做|干)?(?:什么|些什么|帮我什么|帮我做什么|干什么|做什么)|我(?:能|可以)问(?:你)?(?:什么|些什么)|(?:这个)?怎么(?:用|使用|工作)|你叫什么(?:名字)?|你是(?:机器人|人工智能|AI|ai)吗|介绍一下你自己|自我介绍(?:一下)?)$/,
  opening:
    /^(?:你好|您好|请问一下|请问|麻烦(?:你|您)?|请(?:你|您)?(?:告诉我)?|能不能告诉我|可以告诉我|能告诉我|我想知道|我想问一下|我想问|想问一下|你知道|告诉我|问一下|那么|另外)/,
  overview:
    /总结|總結|概括|摘要|概述|概要|梗概|要点|要點|重点|重點|主要内容|主要內容|中心思想|大意|大纲|简介|归纳|讲(?:了|的是|的)?(?:什么|甚麼|些什么)|说(?:了|的是)(?:什么|些什么)|关于什么|是什么内容|tl;?dr/i,
  anyText:
    /^(?:这|這|那|此|份|个|個|篇|些|本|文档|文件|文檔|资料|文章|文本|全文|内容|內容|全部|所有|一下|请|請|帮|幫|我|给|用|的|了|吧|吗|呢|一|两|三|五|几|句|句话|话|要点|主要|简单|简短|简要|快速|总结|總結|概括|摘要|概述|概要|梗概|重点|中心思想|大意|归纳|讲|说|是|什么|甚麼|关于|和|与|大概|主题|整个|写|做|里|里面|都|些|要)*$/,
  documents: /文档|文件|文檔|资料|資料|文章|来源|来源|报告|信件|合同|发票|笔记|手册|纪要|PDF|pdf/,
  presence:
    /有(?:哪些|什么|多少|几)|哪些|几个|几份|多少|上传|保存|存储|可用|提到|提及|谈到|包含|涉及|列出|显示|一共|总共/,
  about: /关于|關於|提到|提及|谈到|包含|涉及|有关/,
  translate: /翻译|翻譯|译成|用(?:英语|英文|德语|法语|中文|日语|俄语)|成(?:英语|英文|德语|法语|中文|日语|俄语)/,
  shorten: /短一点|简短一点|更短|缩短|简化一下|再短|一句话|太长|精简|简洁一点/,
  asList: /列表|清单|分点|逐条|表格形式|项目符号|列成/,
  rephrase:
    /换(?:句话|种说法|个说法)|简单(?:点|一点|地)|通俗|重复|再说一遍|再说一次|解释一下(?:这个|那个)?$|(?:我)?(?:不懂|不明白|没看懂|没听懂)$|^(?:不对|真的吗|什么|为何这样说)$|详细(?:点|一点|说)|更多细节|继续|你确定吗|是真的吗|哪里写/,
  recall:
    /我(?:刚才|刚刚|之前|上一个)?(?:问|说)(?:了|过|的是)?什么|我(?:的)?(?:上一个|最后一个|第一个|之前的)问题|你(?:刚才|刚刚|之前)?(?:说|回答)(?:了|过)?什么|你的上一个回答|我们(?:聊|谈|说)了什么/,
  origin:
    /谁写的|谁(?:是)?作者|作者(?:是谁)?|谁(?:发|签|制作|编写|起草)|什么时候(?:写|发布|创建|签|发)|(?:写于|日期是)|哪一?天写|什么(?:类型|种类)的(?:文件|文档)|这是什么(?:文件|文档)|多少页|几页/,
  all: /所有|全部|每个|每一|列出|哪些|哪个|哪几|都有|有什么|清单|谁/,
  count: /多少|几个|几种|几位|几项|几次|数量|总数|几/,
  mean: /平均/,
  smallest: /最(?:便宜|低|小|少|短|轻|早|慢|旧|老|年轻|近)|最低|第一/,
  largest: /最(?:贵|高|大|多|长|重|新|晚|快|近期|后|好)|最高|最新/,
  none: /缺货|售罄|卖完|没有(?:库存|货|了)|无货|为零|零|没有|空/,
  more: /超过|多于|大于|高于|以上|至少|不少于|之后/,
  less: /少于|小于|低于|以下|最多|不超过|不到|之前/,
  recent: /最新|目前|现在|当前|現在|如今|现行/,
  compare: /比较|比較|对比|區別|区别|不同|差异|变化|改变|相比/,
  open: /还(?:要|需要|没|有|剩)|還(?:要|需要|沒|有|剩)|未完成|没(?:有)?(?:做|完成|买)|待办|待辦|尚未/,
  done: /已(?:经)?(?:完成|做|买)|做完(?:了)?|完成了/,
  sum: /一共|总共|總共|合计|合計|总计|总和|加起来|总额/,
};

const japanese: Cues = {
  greeting:
    /^(?:こんにちは|こんばんは|おはよう(?:ございます)?|やあ|もしもし|はじめまして|初めまして|さようなら|おやすみ(?:なさい)?|またね|お疲れ様(?:です)?|元気(?:ですか)?|お元気ですか|よろしく(?:お願いします)?|よろしくお願いいたします)$/,
  thanks:
    /^(?:(?:とても)?助かりました|(?:どうも|本当に|大変)?(?:ありがとう|有難う)(?:ございます|ございました)?|どうも|(?:本当に|とても|大変)?助かりました|助かります|感謝します|了解(?:です|しました)?|わかりました|分かりました|なるほど|OK|オーケー|いいね|素晴らしい|完璧です?|役に立ちました|参考になりました)$/,
  help: /^(?:質問(?:が)?あります(?:か)?|聞きたいことがあります|助けて(?:ください)?|ヘルプ|手伝って(?:ください)?|(?:あなた|君)は(?:誰|だれ|何)(?:ですか|なの)?|誰ですか|何者ですか|これは何(?:ですか)?|何が(?:できますか|できるの|できる)|何を(?:聞けますか|質問できますか|聞けばいいですか)|どう(?:使いますか|やって使うの)|使い方(?:は|を教えてください|を教えて)?|(?:お)?名前は(?:何ですか)?|自己紹介(?:して)?(?:ください)?|あなたは(?:ボット|AI|ロボット)ですか)$/,
  opening:
    /^(?:こんにちは|こんばんは|おはようございます|すみません(?:が)?|すいません(?:が)?|お尋ねします(?:が)?|質問です(?:が)?|質問があります|ちなみに|ところで|では|じゃあ|えっと|教えて(?:ください|ほしいのですが)|お願いします)/,
  overview:
    /要約|まとめて|まとめを|まとめる|概要|あらすじ|要点|ポイントを|主な内容|大意|サマリー|総括|何について|なにについて|何が書(?:かれて|いて)|どんな内容|どういう内容|内容は(?:何|なに)|何が(?:話し合われ|議論され|決まっ)|tl;?dr/i,
  anyText:
    /^(?:この|その|あの|これ|それ|ここ|文書|書類|ドキュメント|ファイル|テキスト|文章|記事|資料|ページ|全体|全部|すべて|全て|内容|を|の|は|が|に|で|と|も|へ|から|要約|まとめ|まとめて|概要|要点|ポイント|主な|大意|サマリー|簡単|簡潔|短く|何|なに|どんな|どういう|について|書かれ|書いて|して|てい|ている|います|いる|る|ください|下さい|お願いします|ですか|です|ますか|か|教えて|一言|一文|三|二|五|行|つ|文|する|、|。|ま|す|い|く|れ|て|た)*$/,
  documents:
    /文書|書類|ドキュメント|ファイル|資料|テキスト|ソース|報告書|手紙|契約書|請求書|メモ|マニュアル|議事録|PDF|pdf/,
  presence:
    /あります|ある|ありますか|保存|登録|アップロード|言及|触れて|含む|含まれ|載って|出てくる|一覧|リスト|全部で|いくつ|何件|何個|どの/,
  about: /について|関する|に関して|言及|触れて|含む|含まれ|載って|出てくる/,
  translate: /翻訳|訳して|(?:英語|ドイツ語|フランス語|中国語|日本語|ロシア語|スペイン語)(?:に|で)(?:して|お願い|訳)/,
  shorten: /短く|もっと短|短縮|簡潔に|一文で|一言で|長すぎ/,
  asList: /箇条書き|リスト(?:に|で|形式)|表(?:に|で|形式)|一覧(?:に|で)/,
  rephrase:
    /言い換え|^(?:わかりません|分かりません|わからない|理解できません|違います|え)$|別の言い方|簡単に(?:言|説明)|わかりやすく|分かりやすく|もう一度|繰り返|詳しく|もっと(?:詳|説明)|続けて|本当(?:です)?か|確か(?:です)?か|どこに書/,
  recall:
    /(?:私|わたし|僕)(?:は|が)?(?:さっき|先ほど|前に|最後に)?(?:何|なに)を(?:聞|質問|言)|(?:私の|さっきの|前の|最後の|最初の)質問|(?:あなたは)?(?:さっき|先ほど|前に)(?:何|なに)(?:と|を)(?:言|答)|前の回答|何を話し/,
  origin:
    /誰が(?:書|作成|作っ|署名|送)|著者|作者|筆者|差出人|いつ(?:書|作成|作られ|発行|公開|送)|日付は|いつの(?:文書|書類|もの)|(?:どんな|何の|どういう)(?:種類の)?(?:文書|書類)ですか|何ページ/,
  all: /すべて|全て|全部|みんな|全員|各|一覧|列挙|リスト|挙げて|どの|どれ|誰/,
  count: /いくつ|何(?:個|件|人|枚|本|台|冊|回|種類|名|つ)|数は|件数|人数/,
  mean: /平均/,
  smallest: /(?:最も|一番|もっとも)(?:安|低|小さ|少な|短|軽|早|古|若|遅|近)|最安|最低|最小|最少|最短|最古|最初/,
  largest: /(?:最も|一番|もっとも)(?:高|大き|多|長|重|新し|遅く|速|良)|最高|最大|最多|最長|最新|最後/,
  none: /在庫(?:切れ|なし|がない|がありません)|売り切れ|品切れ|ゼロ|ない|空/,
  more: /より(?:多|高|大き|長|重)|以上|を超え|超/,
  less: /より(?:少な|安|小さ|短|軽|低)|以下|未満|まで/,
  recent: /最新|現在|今の|いまの|現行|目下/,
  compare: /比較|比べ|違い|相違|変わっ|変更|差は|異な/,
  open: /まだ|未完了|未着手|残って|残りの|やるべき|やっていない|終わっていない|これから/,
  done: /(?:もう|すでに|既に)(?:終|や|完了|買)|完了した|完了して|終わった|済んだ|済み/,
  sum: /合計|全部で|総額|合わせて|トータル/,
};

/** Asks for all that is there without a word for documents: "what do I have in here". */
export const whatIsHere =
  /^ (?:what (?:all )?(?:do (?:i|we|you) (?:all )?have|have (?:i|we|you)(?: got)?|did (?:i|we) (?:upload|add|put))(?: all| stored| saved| uploaded| added)?(?: in)?(?: here| there)|what have (?:i|we) uploaded(?: so far)?|was (?:habe|hab|haben) (?:ich|wir)(?: alles)?(?: denn)? hier(?: alles)?(?: drin)?|was (?:ist|liegt|gibt es)(?: alles)? hier(?: alles)?(?: drin)?|qu'est ce (?:que (?:j'ai|nous avons|vous avez|tu as)|qu'il y a) (?:ici|là)(?: dedans)?|qué (?:tengo|tenemos|tienes|hay) (?:aquí|ahí)(?: dentro)?|(?:che )?cosa (?:ho|abbiamo|hai|c'è) qui(?: dentro)?|o que (?:tenho|temos|tens|há|tem) aqui(?: dentro)?|wat (?:heb ik|hebben we|staat er)(?: allemaal)? hier(?: allemaal)?(?: in)?|co (?:tu|tutaj) (?:mam|mamy|masz|jest)|что (?:у (?:меня|нас) )?(?:здесь|тут)(?: есть| лежит)?|burada ne(?:ler)? var) $|^(?:这里|这儿)都?有(?:些)?什么(?:东西|内容)?$|^ここに?は?何が(?:ありますか|あるの?|入っていますか)$/;

const few = [
  "one a ein einem einen eine un une uno una um uma een één jednym jedno одном одно bir 一",
  "two zwei deux dos due dois duas twee dwóch dwa двух два iki två to 二 两",
  "three drei trois tres tre três drie trzech trzy трёх трех три üç tre 三",
  "four vier quatre cuatro quattro quatro czterech cztery четырёх четырех четыре dört fyra fire 四",
  "five fünf cinq cinco cinque vijf pięciu pięć пяти пять beş fem 五",
  "six sechs seis sei zes sześciu sześć шести шесть altı 六",
  "seven sieben sept siete sette sete zeven siedmiu siedem семи семь yedi 七",
  "eight acht huit ocho otto oito ośmiu osiem восьми восемь sekiz 八",
].map((line) => line.split(" "));
/** May stand between a number and what it counts: "three short sentences". */
const adjective =
  /^(?:short|brief|simple|main|key|bullet|kurzen|wichtigsten|courtes|breves|cortas|brevi|curtas|korte|korta|viktigaste|vigtigste|viktigste|krótkich|коротких|kısa)$/;
const line =
  /^(?:sentences?|points?|bullets?|lines?|takeaways|satz|sätzen?|stichpunkten?|stichworten?|punkten?|zeilen|phrases?|lignes?|puntos?|frases?|líneas?|frasi|frase|punti|righe|pontos?|linhas?|zin|zinnen|punten|regels|mening(?:ar)?|sætning(?:er)?|setning(?:er)?|punkter|rader|zdani[ua]|zdaniach|punktach|предложени[еия]|предложениях|пунктах|cümlede|cümleyle|cümle|maddede|maddeyle)$/;
const denseLines = /(\d{1,2}|[一二两三四五六七八])(?:句|点|條|条|行|文|つの(?:文|ポイント))/;

/** The number of sentences or points that a clause asks for ("in three sentences"), 1 to 12; null where it names none. */
export const linesAskedFor = ({ spaced, dense }: { spaced: string; dense: string }): number | null => {
  const words = spaced.trim().split(" ");
  const written = words.find((_, at) => {
    const next = words[at + 1] ?? "";
    return numberOf(words[at] ?? "") > 0 && line.test(adjective.test(next) ? (words[at + 2] ?? "") : next);
  });
  const count = numberOf(written ?? denseLines.exec(dense)?.[1] ?? "");
  return count >= 1 && count <= 12 ? count : null;
};

const numberOf = (word: string): number =>
  /^\d{1,2}$/.test(word) ? Number(word) : few.findIndex((words) => words.includes(word)) + 1;

export const cues: Readonly<Record<CueLanguage, Cues>> = {
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  polish,
  russian,
  turkish,
  swedish: scandinavian,
  danish: scandinavian,
  norwegian: scandinavian,
  chinese,
  japanese,
};
