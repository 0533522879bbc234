/** The schemas of texts, which most schemas are made of. */

import type { Schema } from "./schema.ts";

export const text: Schema = { type: "string", minLength: 1 };
export const texts: Schema = { type: "array", items: text };
