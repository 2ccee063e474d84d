import { fold } from "./language/fold.ts";

/**
 * What can be measured, as questions ask for it ("how heavy", "cheapest") and as labels and columns name it ("Weight",
 * "price_eur"): the beginnings of words in twelve languages, without accents. A question for one of them is answered where a
 * label has another of the same line.
 */
const measures = {
  price:
    "cheap expens pric cost afford fee fare dear billig gunstig teuer teur preis kost gebuhr cher prix cout tarif barat car0 precio cuest coste tarifa economic car0s prezz cost0 prec0 pre7o preco goedkoop duur prijs tani drog cen0 cena ceny koszt дешев дорог цен стоим стоит стоят цена цены цену ucuz pahali fiyat ucret eur euro euros usd dollar gbp pound pounds chf pln рубл руб zlot yen frank franc kron crown lira tl zl",
  weight:
    "heav light weigh weight mass schwer leicht gewicht wieg lourd leg7r poids pes pesa peso pesant peso0 zwaar licht gewicht weeg ciezk lekk wag waz тяж легк вес весит agir hafif agirlik kg gram",
  width:
    "wide width breadth broad breit breite larg largeur ancho anchura largh largo0 largura breed breedte szerok шир genis",
  height: "tall high height hoch hohe haut hauteur alt altura alto altezz hoog hoogte wysok высот высок yuksek boy",
  depth: "deep depth tief tiefe profond profund profondit diep diepte glebok глуб derin",
  length:
    "long length short kurz court corto cort kort krotk kisa корот lang lange lunghezz longueur longitud largo compriment lengte dlug длин uzun",
  duration:
    "long duration short kurz court corto cort kort krotk kisa корот last lasts take takes minute hour dauer dauert lange duree dure durac durat duur duurt trwa czas длит продолж sur0 sure zaman time",
  speed:
    "fast slow speed quick schnell langsam geschwindigkeit rapid lent vitesse velocid veloc snel traag predkosc szybk скорост быстр медлен hiz",
  temperature:
    "grad degree degre gradi grados hot cold warm temperature heiss kalt temperatur chaud froid temperatura calient frio caldo fredd heet koud goraco zimn температур горяч холод sicak soguk",
  volume:
    "volume capacity content litre liter fasst volumen inhalt contenance capacit capacid volumen inhoud pojemn объем объём вместим hacim kapasite",
  power: "power watt load leistung puissance potenc potenz vermogen moc мощн guc",
  noise:
    "loud noise quiet laut leise gerausch bruit bruyant silenc ruid rumor lawaai geluid halas glosn шум громк gurult db",
  stock:
    "stock inventory left available quantity qty bestand lager vorrat vorratig menge dispon existenc cantid giacenz quantit estoque quantid voorraad aantal stan magazyn ilosc наличи остат количест stok adet",
  date: "date when day new recent latest earliest old datum wann neu0 neueste alteste jungste fecha cuando reciente data quando recente wanneer data0 kiedy najnows дата когда нов tarih ne0zaman yeni",
  age: "old young age alt0 jung alter age0 edad viej joven eta0 anni idade velh jov oud jong leeftijd wiek stary mlod возраст стар молод yas",
  distance:
    "far near distance weit entfern nah loin distance lejos distanc lontan vicin longe pert ver0 afstand dalek blisk odleglosc далек близк расстоян uzak yakin mesafe km mile",
  phone:
    "phone telephon mobile cell handy handynummer telefon telefoon rufnummer portable movil celular cellulare telemovel komork телефон cep",
  area: "area size large big flache gross surface superfici tamano area0 superficie tamanho oppervlak grootte powierzchn площад размер alan buyukluk m2 sqm",
} as const;

export type Measure = keyof typeof measures;

const beginnings: readonly (readonly [Measure, readonly string[]])[] = Object.entries(measures).map(
  ([measure, words]) => [measure as Measure, words.split(" ").filter((word) => /^\p{L}{2,}$/u.test(word))] as const,
);

/** A beginning of so many letters may have any ending; a shorter one is the word itself. */
const minStem = 4;

/** German puts it at the end of a longer word: "Wohnfläche", "Kaufpreis". */
const minEnd = 5;

const isOf = (word: string, beginning: string): boolean =>
  word === beginning ||
  (beginning.length >= minEnd && word.endsWith(beginning)) ||
  (beginning.length >= minStem && word.startsWith(beginning) && word.length <= beginning.length + 5);

/** What a word measures; none for most words. @param word in any case */
export const measuresOf = (word: string): Measure[] => {
  const folded = fold(word.toLowerCase());
  return beginnings.filter(([, words]) => words.some((each) => isOf(folded, each))).map(([measure]) => measure);
};
