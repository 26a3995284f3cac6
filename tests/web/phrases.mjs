// Says all the sentences that standard input gives as the pages would.
import { readFileSync } from "node:fs";
import { phrased } from "../../gateway/web/static/core/phrases.js";

const { language, catalogues, names, sentences } = JSON.parse(readFileSync(0, "utf8"));
const tags = [language, "en"].map((tag) => [tag, catalogues[tag]]);
console.log(JSON.stringify(sentences.map((sentence) => phrased(tags, sentence, (seat) => names[seat] ?? `seat ${seat}`))));
