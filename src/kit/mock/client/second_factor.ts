/** The codes of a person, and what an authenticator app needs to make them. */

import type { SecondFactor } from "../../../server/oauth/contracts/feature.ts";
import type { Person } from "../../../server/oauth/contracts/people.ts";
import { present } from "../../../ground/values/present.ts";
import { drawQrCode, type QrCode } from "./qr_code.ts";
import { requirePerson } from "../terms/configured.ts";
import type { RunningTenant } from "../running_tenant.ts";

/** What an authenticator app needs. It is a secret of the person. */
export interface Authenticator {
  /** The secret in base32. */
  readonly secret: string;
  /** The link that apps read from a QR code: `otpauth://totp/…`. */
  readonly uri: string;
  /** The link as a QR code in SVG. Absent if the link has more than 666 octets, and in a web page. */
  readonly qrCode?: string;
}

export async function codeOf(username: string, running: RunningTenant): Promise<string> {
  const { factor, person } = requireFactor("give a code", username, running);
  const code = await factor.nextCode(person, running.services);
  if (typeof code === "string") return code;
  throw new TypeError(
    `Cannot give a code of ${username}: each code works once, and those of this moment have been used. ` +
      `Advance the clock by ${code} s`,
  );
}

export async function authenticatorOf(username: string, running: RunningTenant): Promise<Authenticator> {
  const { factor, person } = requireFactor("describe the authenticator", username, running);
  const described = await factor.describeAuthenticator(person, running.services);
  if (described !== undefined) {
    return { ...described, ...present({ qrCode: writeSvg(await drawQrCode(described.uri)) }) };
  }
  throw new TypeError(
    `Cannot describe the authenticator of ${username}: the server gives the codes of this person. ` +
      `Set secondFactor to "totp", or take the code by codeOf`,
  );
}

function writeSvg(code: QrCode | undefined): string | undefined {
  if (code === undefined) return undefined;
  const { side, light, dark } = code;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="${light}"/><path d="${dark}"/></svg>`;
}

function requireFactor(
  doing: string,
  username: string,
  running: RunningTenant,
): { readonly factor: SecondFactor; readonly person: Person } {
  running.requireOpen();
  const { settings, slots } = running.services;
  const person = settings.people.find(requirePerson(username, running))!;
  if (slots.secondFactor?.factorOf(person) !== undefined) {
    return { factor: slots.secondFactor, person };
  }
  throw new TypeError(
    `Cannot ${doing} of ${username}: this person has no second factor. ` +
      `Add one with as.people.change("${username}", { secondFactor: "totp" })`,
  );
}
