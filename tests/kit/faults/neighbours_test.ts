/** The neighbours of a right value: each differs from it, and has the text of it that its name says. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import type { Level, Tools } from "../../../src/kit/faults/misbehaviour.ts";
import {
  findSimilarOrigins,
  listVariants,
  type MisbehaviourName,
  misbehaviourNames,
  neighbours,
  similarHosts,
  unsignedAlgs,
} from "../../../src/kit/faults/names.ts";
import {
  changeAudience,
  nameForeignUrl,
  writeNeighbour,
  writeNeighbours,
} from "../../../src/kit/faults/neighbours.ts";
import { test } from "../../runner.ts";

const written = (right: string) =>
  Object.fromEntries(neighbours.map((neighbour) => [neighbour, writeNeighbour(neighbour, right, "other")]));

test("neighbours: those of a URL", () => {
  assertEquals(written("https://api.test/orders"), {
    suffix: "https://api.test/orders/another",
    prefix: "not-https://api.test/orders",
    part: "https://api.test/order",
    end: "api.test/orders",
    capitals: "HTTPS://API.TEST/ORDERS",
    white_space: "https://api.test/orders ",
    line_break: "https://api.test/orders\n",
    encoded: "https%3A%2F%2Fapi.test%2Forders",
    similar_host: "https://api-test/orders",
    other_scheme: "http://api.test/orders",
    other_port: "https://api.test:8443/orders",
    subdomain: "https://another.api.test/orders",
    after_colon: "https://api.test/orders:another",
    after_dot: "https://api.test/orders.another",
    after_slash: "https://api.test/orders/another",
    after_question_mark: "https://api.test/orders?another",
    after_hash: "https://api.test/orders#another",
    invisible_character: "https://api.test/orders\u00ad",
    before_slash: "another/https://api.test/orders",
  });
});

test("neighbours: those of a name", () => {
  assertEquals(written("my.app"), {
    suffix: "my.app-2",
    prefix: "not-my.app",
    part: "my.ap",
    end: "y.app",
    capitals: "MY.APP",
    white_space: "my.app ",
    line_break: "my.app\n",
    encoded: "%6dy.app",
    similar_host: "my-app",
    other_scheme: "my.app-2",
    other_port: "my.app-2",
    subdomain: "my.app-2",
    after_colon: "my.app:another",
    after_dot: "my.app.another",
    after_slash: "my.app/another",
    after_question_mark: "my.app?another",
    after_hash: "my.app#another",
    invisible_character: "my.app\u00ad",
    before_slash: "another/my.app",
  });
  assertEquals(writeNeighbour("another", "app", "other"), "other");
  assertEquals(writeNeighbour("other_scheme", "http://app.test", "other"), "https://app.test");
  assertEquals(writeNeighbour(undefined, "app", "other"), "other");
});

test("neighbours: the other port of a URL, whatever follows its host", () => {
  for (
    const [right, other] of [
      ["http://localhost:9000", "http://localhost:8443"],
      ["https://as.test:8443/a:1", "https://as.test:8444/a:1"],
      ["http://[::1]:9000/a", "http://[::1]:8443/a"],
      ["https://as.test?a", "https://as.test:8443?a"],
      ["my.app", "my.app-2"],
    ] as const
  ) assertEquals(writeNeighbour("other_port", right, "other"), other);
});

for (
  const right of [
    "https://api.test/",
    "http://localhost:8080",
    "urn:api",
    "APP",
    "42",
    "a",
    "-2",
    "é",
    "other",
  ]
) {
  test(`neighbours: those of ${right} differ from it, and not by a slash at the end only`, () => {
    for (const neighbour of [...neighbours, "another"]) {
      const found = writeNeighbour(neighbour, right, "other");
      assertNotEquals(found, right, neighbour);
      assert(![`${right}/`, right.replace(/\/$/, "")].includes(found), `${neighbour}: ${found}`);
    }
    assertEquals(decodeURIComponent(writeNeighbour("encoded", right, "other")), right);
  });
}

test("neighbours: those of several values are none of them", () => {
  assertEquals(writeNeighbours("suffix", ["orders", "orders-2"], "other"), ["orders-2-2"]);
  assertEquals(writeNeighbours("capitals", ["app", "APP"], "other"), ["other"]);
  assertEquals(writeNeighbours("another", ["orders", "email"], "other"), ["other"]);
  assertEquals(writeNeighbours("prefix", [], "other"), ["other"]);
});

test("neighbours: capital letters in the host alone make no other audience (MCP, Canonical Server URI)", () => {
  const change = (aud: unknown, variant: string) => {
    const right = { aud, client_id: "app", sub: "alice" };
    const { aud: changed, client_id, sub } = changeAudience(
      right,
      { variant } as Tools,
      "https://another-api.test",
    );
    assertEquals([client_id, sub], [variant === "client" ? changed : "app", "alice"]);
    return changed;
  };
  assertEquals(change("https://api.test", "capitals"), "https://api.test/another");
  assertEquals(change("https://api.test/orders", "capitals"), "HTTPS://API.TEST/ORDERS");
  assertEquals(change("app", "capitals"), "APP");
  assertEquals(change(["app", "orders"], "suffix"), ["app-2", "orders-2"]);
  assertEquals(change(undefined, "suffix"), "https://another-api.test");
  assertEquals(change(["app", "orders"], "comma"), "https://another-api.test,app,orders");
  assertEquals(change("app", "space"), "https://another-api.test app");
  assertEquals(change("app", "client"), "https://another-api.test");
  assertEquals(change("app", "other_in_list"), ["https://another-api.test"]);
  assertEquals(change("app", "suffix_in_list"), ["app-2"]);
  assertEquals(change(["app", "orders"], "prefix_in_list"), ["not-app", "not-orders"]);
});

test("neighbours: a similar host is one of a test, and no public one, which could belong to others", () => {
  const otherServer = "https://other.decoy.test";
  const hosts = (issuer: string) =>
    [undefined, "jku", ...similarHosts, ...similarHosts.map((host) => `x5u_${host}`)].map((variant) =>
      nameForeignUrl("keys", { variant: variant!, issuer, otherServer })
    );
  const query = (issuer: string) => `/keys?of=${issuer}/keys`;
  const right = "https://as.test/tenant";
  const similar = ["https://as.test.not-as.test", "https://as-test"].map((host) => host + query(right));
  assertEquals(hosts(right), [
    ...[`${otherServer}/keys`, `${otherServer}/keys`],
    ...[...similar, ...similar],
  ]);
  for (const issuer of ["https://login.example.com", "http://localhost:9000"]) {
    const [, , ...found] = hosts(issuer);
    const asUser = `https://${new URL(issuer).host}@other.decoy.test`;
    assertEquals(found.slice(0, 2), found.slice(2));
    assertEquals(found.slice(0, 2), [asUser + query(issuer), otherServer + query(issuer)]);
    assertEquals(new URL(found[0]!).host, "other.decoy.test");
    assertEquals(findSimilarOrigins(issuer), {});
  }
});

/** The words of the standards that make a value wrong. */
const words: Readonly<Record<string, string>> = {
  "RFC 6749 §3.3": "a list of space-delimited, case-sensitive strings",
  "RFC 6749 §4.1.2": "The exact value received from the client.",
  "RFC 6750 §5.3":
    "Client implementations MUST ensure that bearer tokens are not leaked to unintended parties",
  "RFC 6749 §7.1": "The client MUST NOT use an access token if it does not understand the token type.",
  "RFC 7515 §4.1.1":
    'The JWS Signature value is not valid if the "alg" value does not represent a supported algorithm',
  "RFC 7517 §4.5": 'The "kid" value is a case-sensitive string.',
  "RFC 7519 §4.1.3":
    'if the principal processing the claim does not identify itself with a value in the "aud" claim [...] MUST be rejected',
  "RFC 7519 §2":
    "StringOrURI values are compared as case-sensitive strings with no transformations or canonicalizations applied.",
  "RFC 7662 §2.2": "Subject of the token.",
  "RFC 8414 §3.3":
    'The "issuer" value returned MUST be identical to the authorization server\'s issuer identifier value',
  "RFC 8725 §3.10":
    'blindly following a "jku" (JWK set URL) or "x5u" (X.509 URL) header, which may contain an arbitrary URL',
  "RFC 9068 §4":
    'verify that the "typ" header value is "at+jwt" or "application/at+jwt" and reject tokens carrying any other value',
  "RFC 9110 §15.4":
    "When automatically following a redirected request, the user agent SHOULD resend the original request message",
  "RFC 9110 §15.4.8":
    "the user agent MUST NOT change the request method if it performs an automatic redirection to that URI",
  "RFC 9207 §2.4":
    "This comparison MUST use simple string comparison as defined in Section 6.2.1 of [RFC3986].",
  "RFC 7515 §5.2": "If none of the validations in step 9 succeeded, then the JWS MUST be considered invalid.",
  "RFC 8705 §3":
    "If they do not match, the resource server MUST reject the resource access attempt with an HTTP 401 status code",
  "RFC 9449 §4.3 (4)": "The typ JOSE Header Parameter has the value dpop+jwt.",
  "RFC 9449 §4.3 (5)": "a registered asymmetric digital signature algorithm, is not none",
  "RFC 9449 §4.3 (8)": "The htm claim matches the HTTP method of the current request.",
  "RFC 9449 §4.3 (9)": "The htu claim matches the HTTP URI value for the HTTP request",
  "RFC 9449 §4.3 (10)": "the nonce claim matches the server-provided nonce value",
  "RFC 9449 §4.3 (12)": "ensure that the value of the ath claim equals the hash of that access token",
  "RFC 9728 §3.3":
    "The resource value returned MUST be identical to the protected resource's resource identifier value",
  "OpenID Connect Core §2": "The azp value is a case-sensitive string containing a StringOrURI value.",
  "OpenID Connect Core §3.1.3.7 (2)": "MUST exactly match the value of the iss (issuer) Claim.",
  "OpenID Connect Core §3.1.3.7 (3)":
    "The Client MUST validate that the aud (audience) Claim contains its client_id value",
  "OpenID Connect Core §3.1.3.7 (11)":
    "its value checked to verify that it is the same value as the one that was sent in the Authentication Request",
  "OpenID Connect Back-Channel Logout §2.6":
    "JSON object containing the member name http://schemas.openid.net/event/backchannel-logout",
  "OpenID Connect RP-Initiated Logout §2":
    "the OP passes this value back to the RP using the state parameter",
  "OpenID Connect Core §12.2":
    "its sub Claim Value MUST be the same as in the ID Token issued when the original authentication occurred",
  "OpenID Connect Core §3.1.3.7 (12)": "the Client SHOULD check that the asserted Claim Value is appropriate",
  "RFC 9470 §3":
    "The authentication event associated with the access token presented with the request does not meet the authentication requirements",
  "OpenID Connect Core §3.1.3.8":
    "MUST match the value of the at_hash Claim if it is present in the ID Token",
  "OpenID Connect Core §5.7":
    "The sub (subject) and iss (issuer) Claims, used together, are the only Claims that an RP can rely upon",
  "OpenID Connect Core §5.3.2":
    "The sub Claim in the UserInfo Response MUST be verified to exactly match the sub Claim in the ID Token",
};

/** The rows whose variants share text with the right value, with their levels and the words. */
const reasons: { readonly [Name in MisbehaviourName]?: readonly [Level, section: string] } = {
  "metadata.issuer_mismatch": ["must", "RFC 8414 §3.3"],
  "metadata.issuer_slash": ["must", "RFC 8414 §3.3"],
  "login.similar_person": ["must", "OpenID Connect Core §5.7"],
  "keys.kid_similar": ["tolerate", "RFC 7517 §4.5"],
  "keys.redirect_foreign": ["hardening", "RFC 9110 §15.4"],
  "token_response.redirect_post": ["hardening", "RFC 9110 §15.4.8"],
  "userinfo.redirect_foreign": ["must", "RFC 6750 §5.3"],
  "authorization_response.iss_slash": ["must", "RFC 9207 §2.4"],
  "authorization_response.iss_wrong": ["must", "RFC 9207 §2.4"],
  "authorization_response.state_similar": ["hardening", "RFC 6749 §4.1.2"],
  "jarm.alg_none": ["must", "RFC 7515 §4.1.1"],
  "jarm.audience_other": ["must", "RFC 7519 §2"],
  "jarm.issuer_other": ["must", "RFC 7519 §2"],
  "token_response.scope_more": ["hardening", "RFC 6749 §3.3"],
  "token_response.token_type_unknown": ["must", "RFC 6749 §7.1"],
  "id_token.alg_none": ["should", "RFC 7515 §4.1.1"],
  "id_token.aud_wrong": ["must", "RFC 7519 §2"],
  "id_token.acr_weak": ["should", "OpenID Connect Core §3.1.3.7 (12)"],
  "id_token.at_hash_wrong": ["hardening", "OpenID Connect Core §3.1.3.8"],
  "id_token.azp_wrong": ["hardening", "OpenID Connect Core §2"],
  "id_token.iss_part": ["must", "OpenID Connect Core §3.1.3.7 (2)"],
  "id_token.iss_slash": ["must", "OpenID Connect Core §3.1.3.7 (2)"],
  "id_token.iss_wrong": ["must", "OpenID Connect Core §3.1.3.7 (2)"],
  "id_token.jku_foreign": ["tolerate", "RFC 8725 §3.10"],
  "id_token.nonce_wrong": ["must", "OpenID Connect Core §3.1.3.7 (11)"],
  "userinfo.jwt_aud_wrong": ["hardening", "OpenID Connect Core §5.3.2"],
  "userinfo.jwt_unsigned": ["should", "RFC 7515 §4.1.1"],
  "userinfo.sub_similar": ["must", "OpenID Connect Core §5.3.2"],
  "access_token.acr_weak": ["hardening", "RFC 9470 §3"],
  "access_token.alg_none": ["must", "RFC 7515 §4.1.1"],
  "access_token.audience_wrong": ["must", "RFC 7519 §2"],
  "access_token.issuer_part": ["must", "RFC 7519 §2"],
  "access_token.issuer_slash": ["must", "RFC 7519 §2"],
  "access_token.issuer_wrong": ["must", "RFC 7519 §2"],
  "access_token.scope_missing": ["must", "RFC 6749 §3.3"],
  "access_token.similar_to_accepted": ["must", "RFC 7515 §5.2"],
  "access_token.subject_similar": ["must", "RFC 7519 §2"],
  "access_token.type_wrong": ["must", "RFC 9068 §4"],
  "introspection.audience_other": ["must", "RFC 7519 §2"],
  "introspection.jwt_audience_wrong": ["must", "RFC 7519 §4.1.3"],
  "introspection.jwt_issuer_wrong": ["must", "RFC 7519 §2"],
  "userinfo.jwt_iss_wrong": ["hardening", "OpenID Connect Core §5.3.2"],
  "introspection.jwt_alg_none": ["should", "RFC 7515 §4.1.1"],
  "introspection.scope_narrower": ["must", "RFC 6749 §3.3"],
  "introspection.subject_other": ["hardening", "RFC 7662 §2.2"],
  "logout.alg_none": ["must", "RFC 7515 §4.1.1"],
  "logout.audience_wrong": ["must", "OpenID Connect Core §3.1.3.7 (3)"],
  "logout.event_other": ["must", "OpenID Connect Back-Channel Logout §2.6"],
  "mtls.thumbprint_other": ["must", "RFC 8705 §3"],
  "refresh.id_token_other_subject": ["must", "OpenID Connect Core §12.2"],
  "logout.state_changed": ["hardening", "OpenID Connect RP-Initiated Logout §2"],
  "logout.issuer_wrong": ["must", "OpenID Connect Core §3.1.3.7 (2)"],
  "resource.description_mismatch": ["must", "RFC 9728 §3.3"],
  "proof.alg_none": ["must", "RFC 9449 §4.3 (5)"],
  "proof.key_other": ["must", "RFC 9449 §4.3 (12)"],
  "proof.method_wrong": ["must", "RFC 9449 §4.3 (8)"],
  "proof.nonce_wrong": ["must", "RFC 9449 §4.3 (10)"],
  "proof.token_hash_wrong": ["must", "RFC 9449 §4.3 (12)"],
  "proof.type_wrong": ["must", "RFC 9449 §4.3 (4)"],
  "proof.url_wrong": ["must", "RFC 9449 §4.3 (9)"],
};

test("neighbours: each row that sends some has the words of a standard that make them wrong, and their level", () => {
  // Other rows have an empty kid, or an empty key.
  const known: readonly string[] = [...neighbours, ...unsignedAlgs.filter((each) => each !== "empty")];
  const rows = misbehaviourNames.filter((name) => listVariants(name).some((each) => known.includes(each)));
  assertEquals(Object.keys(reasons).sort(), rows.toSorted());
  for (const [name, [level, section]] of Object.entries(reasons)) {
    const { rule, ...entry } = catalogue.get(name as MisbehaviourName)!;
    assertEquals([name, entry.level], [name, level]);
    assert(words[section]!.length > 0);
    const [document = "", paragraph = "", check = ""] = section.split(/ (?=§|\()/);
    assert(rule.includes(document) && rule.includes(paragraph) && rule.includes(check), `${name}: ${rule}`);
  }
  assertEquals(
    Object.keys(words).filter((each) => !Object.values(reasons).some(([, section]) => section === each)),
    [],
  );
});
