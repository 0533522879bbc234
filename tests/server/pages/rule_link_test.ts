/** The links to the sections of the specifications. */

import { assertEquals } from "@std/assert";
import { linkRules } from "../../../src/server/pages/rule_link.tsx";
import { test } from "../../runner.ts";

const core = "https://openid.net/specs/openid-connect-core-1_0.html#rfc.section.";
const rfc = "https://www.rfc-editor.org/rfc/rfc";
const mcp = "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization";

const links = [
  ["RFC 6749 appendix A.4", [`${rfc}6749#appendix-A.4`]],
  ["RFC 9449 §5, §10", [`${rfc}9449#section-5`, `${rfc}9449#section-10`]],
  ["RFC 9101 §6.3, RFC 9126 §4", [`${rfc}9101#section-6.3`, `${rfc}9126#section-4`]],
  ["RFC 8414", [`${rfc}8414`]],
  ["OAuth 2.1 §4.1.3", [
    "https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-16#section-4.1.3",
  ]],
  ["OpenID Connect Core §2, §3.1.3.7 (9)", [`${core}2`, `${core}3.1.3.7`]],
  ["RFC 8725 §3.11, §3.12: advice to applications", [
    `${rfc}8725#section-3.11`,
    `${rfc}8725#section-3.12`,
  ]],
  ["RFC 7515 §4.1.11; OpenID Connect Core §3.1.3.7 (6) (the client may skip it)", [
    `${rfc}7515#section-4.1.11`,
    `${core}3.1.3.7`,
  ]],
  ["draft-ietf-oauth-identity-assertion-authz-grant §4.4.1", [
    "https://datatracker.ietf.org/doc/html/draft-ietf-oauth-identity-assertion-authz-grant-03#section-4.4.1",
  ]],
  ["draft-ietf-oauth-refresh-token-expiration-03 §2", [
    "https://datatracker.ietf.org/doc/html/draft-ietf-oauth-refresh-token-expiration-03#section-2",
  ]],
  ["RFC 6749 §5.2; MCP 2026-07-28, Step-Up Authorization Flow (SEP-2350)", [
    `${rfc}6749#section-5.2`,
    mcp,
    `${mcp}#step-up-authorization-flow`,
  ]],
  ["JARM §2.4", ["https://openid.net/specs/oauth-v2-jarm.html#section-2.4"]],
  ["Postern", [undefined]],
  ["toString §1", [undefined]],
] as const;
for (const [rules, urls] of links) {
  test(`rule link: ${rules}`, () => {
    const linked = linkRules(rules);
    assertEquals(linked.map(({ url }) => url), [...urls]);
    assertEquals(linked.map(({ separator, text, note }) => separator + text + note).join(""), rules);
  });
}
