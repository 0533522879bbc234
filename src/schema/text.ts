/** Schemas of non-empty text, alone and in a list. */

import type { Schema } from "./schema.ts";

export const text: Schema = { type: "string", minLength: 1 };
export const texts: Schema = { type: "array", items: text };
