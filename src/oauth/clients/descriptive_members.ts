/** Client metadata that describes the client to people (RFC 7591 §2). The server fetches none of these URLs. */

import { texts } from "../../schema/text.ts";
import type { ClientMember } from "../feature.ts";

function createLinkMember(name: string, description: string): ClientMember<string> {
  return {
    name,
    schema: { type: "string", minLength: 1, description },
    check(value) {
      return isLink(value) ? undefined : { place: name, expected: "must be an http or https URL" };
    },
  };
}

/** Whether a page may link to the URL. Other schemes, such as `javascript:`, could run a script. */
function isLink(text: string): boolean {
  return text.length <= 2000 && /^https?:\/\/[^/?#@\\]+([/?#]|$)/i.test(text) &&
    /^[\x21-\x7e]+$/.test(text) &&
    URL.canParse(text);
}

export const clientUriMember: ClientMember<string> = createLinkMember(
  "client_uri",
  "The web site of the client.",
);
export const logoUriMember: ClientMember<string> = createLinkMember(
  "logo_uri",
  "The logo of the client. Pages show no logo, because a foreign image would tell its host who opens a page.",
);
export const policyUriMember: ClientMember<string> = createLinkMember(
  "policy_uri",
  "How the client uses data about people. The consent page has a link to it.",
);
export const termsUriMember: ClientMember<string> = createLinkMember(
  "tos_uri",
  "The terms of service of the client. The consent page has a link to them.",
);

/** All of these members. Features that read client metadata of strangers list them, too. */
export const descriptiveMembers: readonly ClientMember[] = [
  clientUriMember,
  logoUriMember,
  policyUriMember,
  termsUriMember,
  { name: "contacts", schema: { ...texts, description: "Email addresses of the people behind the client." } },
  { name: "software_id", schema: { type: "string", minLength: 1, description: "The id of the software." } },
  {
    name: "software_version",
    schema: { type: "string", minLength: 1, description: "The version of the software." },
  },
] as readonly ClientMember[];
