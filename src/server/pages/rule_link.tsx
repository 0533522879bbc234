/** Links the rules that a page names to the sections of the specifications. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { present } from "../../ground/values/present.ts";

/** Shows rules such as "RFC 9101 §6.3, §10.8; RFC 9126 §4: advice". Each one that has an address is a link. */
export function RuleLinks({ rules }: { readonly rules: string }): VNode {
  return (
    <>
      {linkRules(rules).map(({ separator, text, url, note }, at) => [
        separator,
        url === undefined
          ? text
          : <a key={at} href={url} target="_blank" rel="noopener noreferrer">{text}</a>,
        note,
      ])}
    </>
  );
}

/** The version of each draft whose sections rules name, because other versions number their sections in another way. */
export const draftVersions: Readonly<Record<string, string>> = {
  "draft-ietf-oauth-v2-1": "16",
  "draft-ietf-oauth-client-id-metadata-document": "02",
  "draft-ietf-oauth-identity-assertion-authz-grant": "03",
};

const openId = "https://openid.net/specs/openid-connect-";
const mcp = "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization";

/** The specifications that are no RFCs and not named as drafts, by their names in refusals, and how an address names a section. */
const documents: Readonly<Record<string, readonly [url: string, section: string]>> = {
  "OAuth 2.1": [addressOf("draft-ietf-oauth-v2-1"), "section-"],
  "OAuth 2.0 Multiple Response Types": [
    "https://openid.net/specs/oauth-v2-multiple-response-types-1_0.html",
    "rfc.section.",
  ],
  "OpenID Connect Core": [`${openId}core-1_0.html`, "rfc.section."],
  "OpenID Connect Discovery": [`${openId}discovery-1_0.html`, "rfc.section."],
  "OpenID Connect Registration": [`${openId}registration-1_0.html`, "rfc.section."],
  "OpenID Connect Dynamic Client Registration": [`${openId}registration-1_0.html`, "rfc.section."],
  "OpenID Connect Back-Channel Logout": [`${openId}backchannel-1_0.html`, "rfc.section."],
  "OpenID Connect RP-Initiated Logout": [`${openId}rpinitiated-1_0.html`, "rfc.section."],
  "Back-Channel Logout": [`${openId}backchannel-1_0.html`, "rfc.section."],
  "RP-Initiated Logout": [`${openId}rpinitiated-1_0.html`, "rfc.section."],
  "Client ID Metadata Document": [addressOf("draft-ietf-oauth-client-id-metadata-document"), "section-"],
  "JARM": ["https://openid.net/specs/oauth-v2-jarm.html", "section-"],
  "MCP 2026-07-28": [mcp, ""],
  // Sections of MCP have no numbers.
  "Authorization Server Metadata Discovery": [
    `${mcp}/authorization-server-discovery#authorization-server-metadata-discovery`,
    "",
  ],
  "Protected Resource Metadata Discovery Requirements": [
    `${mcp}/authorization-server-discovery#protected-resource-metadata-discovery-requirements`,
    "",
  ],
  "Scope Selection Strategy": [`${mcp}#scope-selection-strategy`, ""],
  "Step-Up Authorization Flow": [`${mcp}#step-up-authorization-flow`, ""],
  "Client ID Metadata Documents": [`${mcp}/client-registration#client-id-metadata-documents`, ""],
  "Dynamic Client Registration": [`${mcp}/client-registration#dynamic-client-registration`, ""],
  "Authorization Code Protection": [`${mcp}/security-considerations#authorization-code-protection`, ""],
  "Security Considerations": [`${mcp}/security-considerations`, ""],
};

function addressOf(draft: string): string {
  const version = Object.hasOwn(draftVersions, draft) ? `-${draftVersions[draft]}` : "";
  return `https://datatracker.ietf.org/doc/html/${draft}${version}`;
}

/** A rule of a text such as "RFC 9101 §6.3, §10.8". A page shows the text, as a link if there is an address. */
export interface LinkedRule {
  readonly separator: string;
  readonly text: string;
  readonly url?: string;
  /** An explanation after the rule: ": advice to applications". */
  readonly note: string;
}

/** Splits a text that names rules. A section without a document belongs to the document before it. */
export function linkRules(rules: string): readonly LinkedRule[] {
  let document = "";
  return rules.split(/(?=[,;] )/).map((part) => {
    const [, separator = "", text = "", named, section, appendix, note = ""] = onePart.exec(part)!;
    if (named) document = named;
    const url = findUrl(document, section, appendix);
    return { separator, text, ...present({ url }), note };
  });
}

/** A rule with its separator, its document, its section or appendix, the number of a list's item, and an explanation. */
const onePart = /^((?:[,;] )?)((.*?) ?(?:§([\d.]+)|[Aa]ppendix ([A-Z][\d.]*))?(?: \(\d+\))?)(:.*| \(.*)?$/s;

function findUrl(document: string, section?: string, appendix?: string): string | undefined {
  const rfc = /^RFC (\d{3,5})$/.exec(document)?.[1];
  if (rfc !== undefined) {
    const place = section ? `#section-${section}` : appendix ? `#appendix-${appendix}` : "";
    return `https://www.rfc-editor.org/rfc/rfc${rfc}${place}`;
  }
  const [url, prefix] = Object.hasOwn(documents, document)
    ? documents[document]!
    : /^draft-[a-z0-9-]+$/.test(document)
    ? [addressOf(document), "section-"]
    : [];
  return url && section ? `${url}#${prefix}${section}` : url;
}
