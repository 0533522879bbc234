/** Authorization details on the consent page: a line for each, which a person may leave out (RFC 9396 §3.1). */

import { carry, readCarried } from "../../oauth/carried.ts";
import type { AccessRequest } from "../../oauth/authorization/contract.ts";
import type { OptionalLine, PageText } from "../../oauth/pages.ts";
import { findAt } from "../../schema/place.ts";
import type { Services } from "../../oauth/services.ts";
import { settingOf } from "../../oauth/setting.ts";
import { type AuthorizationDetail, detailsKey } from "./detail.ts";
import { detailTypes, placeholder } from "./detail_types.ts";
import { locationsOf } from "./locations.ts";

/** Returns one line for each detail. Its id is its index. */
export function listDetails(request: AccessRequest, { settings }: Services): readonly OptionalLine[] {
  const types = settingOf(settings, detailTypes);
  const details = readCarried(request, detailsKey) ?? [];
  return details.map((detail, at) => {
    const { title, summary } = types.get(detail.type)!;
    return { id: `${at}`, title: fillText(title, detail), text: fillText(summary, detail) };
  });
}

export function leaveOutDetails(
  ids: readonly string[],
  request: AccessRequest,
): Pick<AccessRequest, "carried" | "impliedResource"> {
  const details = readCarried(request, detailsKey) ?? [];
  const left = details.filter((_, at) => !ids.includes(`${at}`));
  return {
    carried: { ...request.carried, ...carry(detailsKey, left) },
    impliedResource: locationsOf(left),
  };
}

function fillText(text: PageText, detail: AuthorizationDetail): PageText {
  if (typeof text === "string") return fill(text, detail);
  const { en, de } = text;
  return { en: fill(en, detail), ...(de === undefined ? {} : { de: fill(de, detail) }) };
}

function fill(text: string, detail: AuthorizationDetail): string {
  return text.replace(placeholder, (_, place: string) => format(findAt(place, detail)));
}

/** RFC 9396 §3.1: the person sees the whole value, also a long one. */
function format(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return value.map(format).join(", ");
  if (value === undefined || value === null || Array.isArray(value)) return "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
