/** The examinations and the formats of their cards, which a test loads together. */

export { formatCard } from "./card/format_card.ts";
export { examine } from "./examine.ts";
export { examineApi } from "./examine_api.ts";
