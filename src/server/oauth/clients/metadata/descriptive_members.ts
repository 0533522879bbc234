/** Client metadata that describes the client to people (RFC 7591 §2). The server fetches none of these URLs. */

import type { ClientMember } from "../../contracts/feature.ts";
import { nameText, nameTexts, uriText } from "./metadata_texts.ts";

function createLinkMember(name: string): ClientMember<string> {
  return {
    name,
    schema: uriText,
    check: (url) => isLink(url) ? undefined : "must be an http or https URL",
  };
}

/** Whether a page may link to the URL. Other schemes, such as `javascript:`, could run a script. */
function isLink(text: string): boolean {
  return /^https?:\/\/[^/?#@\\]+([/?#]|$)/i.test(text) &&
    /^[\x21-\x7e]+$/.test(text) && URL.canParse(text);
}

export const clientUriMember: ClientMember<string> = createLinkMember("client_uri");
const logoUriMember: ClientMember<string> = createLinkMember("logo_uri");
export const policyUriMember: ClientMember<string> = createLinkMember("policy_uri");
export const termsUriMember: ClientMember<string> = createLinkMember("tos_uri");

/** All of these members. Features that read client metadata of strangers list them, too. */
export const descriptiveMembers: readonly ClientMember[] = [
  clientUriMember,
  logoUriMember,
  policyUriMember,
  termsUriMember,
  { name: "contacts", schema: nameTexts },
  { name: "software_id", schema: nameText },
  { name: "software_version", schema: nameText },
] as readonly ClientMember[];
