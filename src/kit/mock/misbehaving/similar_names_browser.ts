/** The most similar name, because the table of plain words is too heavy for what a page loads first. */

import { suggestSimilar } from "../../../ground/schema/nearest.ts";

export const suggestMisbehaviour: typeof suggestSimilar = suggestSimilar;
