/** Rich authorization requests: a client says in detail what it wants to do, such as one payment (RFC 9396). */

import type { AccessRequest } from "../../oauth/contracts/authorization_request.ts";
import { checkEach } from "../../oauth/clients/metadata/check_each.ts";
import { carry, readCarried, settingOf } from "../../oauth/contracts/feature_values.ts";
import type { ClientMember, Feature, Services } from "../../oauth/contracts/feature.ts";
import type { OptionalLine, PageText } from "../../oauth/contracts/pages.ts";
import { findAt } from "../../../ground/schema/json_object.ts";
import { type AuthorizationDetail, detailsKey, locationsOf } from "./detail.ts";
import {
  type AuthorizationDetailsOptions,
  detailTypes,
  detailTypesMember,
  placeholder,
} from "./detail_types.ts";
import { narrowDetails } from "./narrow_details.ts";
import { readDetails } from "./read_details.ts";
import { present } from "../../../ground/values/present.ts";
import { writeValue } from "../../../ground/values/write_value.ts";

const name = detailsKey.name;

export function authorizationDetails({ authorizationDetails }: AuthorizationDetailsOptions = {}): Feature {
  const types = Object.keys(authorizationDetails ?? {});
  return {
    name,
    spec: "RFC 9396",
    isOff: types.length === 0,
    settings: [detailTypes],
    clientMembers: [onlyKnown(types)],
    requestParams: [{ name, read: readDetails }],
    carries: [detailsKey],
    changesRedemption: narrowDetails,
    consentRows: [{ name, list: listDetails, leaveOut: leaveOutDetails }],
    metadata: { authorization_details_types_supported: types },
  };
}

function onlyKnown(types: readonly string[]): ClientMember<readonly string[]> {
  return {
    ...detailTypesMember,
    check: (value) =>
      checkEach(
        detailTypesMember.name,
        value,
        (type) => types.includes(type) ? undefined : `must be one of ${types.join(", ")}`,
      ),
  };
}

/** Returns one line of the consent page for each detail (§3.1). Its id is its index. */
function listDetails(request: AccessRequest, { settings }: Services): readonly OptionalLine[] {
  const types = settingOf(settings, detailTypes);
  const details = readCarried(request, detailsKey) ?? [];
  return details.map((detail, at) => {
    const { title, summary } = types.get(detail.type)!;
    return { id: `${at}`, title: fillText(title, detail), text: fillText(summary, detail) };
  });
}

function leaveOutDetails(
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
  return { en: fill(en, detail), ...present({ de: de === undefined ? undefined : fill(de, detail) }) };
}

function fill(text: string, detail: AuthorizationDetail): string {
  return text.replace(placeholder, (_, place: string) => format(findAt(place, detail)));
}

/** RFC 9396 §3.1: the person sees the whole value, also a long one. */
function format(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return value.map(format).join(", ");
  if (value === undefined || value === null || Array.isArray(value)) return "–";
  return writeValue(value);
}
