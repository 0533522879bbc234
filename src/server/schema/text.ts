/** The schemas of non-empty text and of a list of non-empty texts. */

import type { Schema } from "./schema.ts";

export const text: Schema = { type: "string", minLength: 1 };
export const texts: Schema = { type: "array", items: text };
