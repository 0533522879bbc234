/** The texts of client metadata. Strangers register clients, so each text has a bound, in characters. */

import { type Schema, text } from "../../../../ground/schema/schema.ts";

export const uriText: Schema = { ...text, maxLength: 2048 };
export const nameText: Schema = { ...text, maxLength: 256 };
export const subjectText: Schema = { ...text, maxLength: 1024 };
export const secretText: Schema = { ...text, maxLength: 1024 };
export const scopeText: Schema = { ...text, maxLength: 8192 };

export const uriTexts: Schema = { type: "array", items: uriText };
export const nameTexts: Schema = { type: "array", items: nameText };
