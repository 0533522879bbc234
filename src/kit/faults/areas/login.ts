/** What a client sends to a right server: values of its own for each login, and tokens. No server can have these faults. */

import type { Claims } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { findInUrl, findKeptRefreshToken, findShort, findShownVerifier } from "../shown_values.ts";
import type { ConfiguredPerson } from "../misbehaviour.ts";
import { writeNeighbour } from "../neighbours.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";

function emailOf({ claims }: ConfiguredPerson): Claims {
  return { email: claims?.["email"] };
}

export const login: FaultsOf<"login"> = faultsOf("login", {
  level: "must",
  phase: "login",
  server: "The server is right, and the client logs in twice.",
  watch: {},
  acts: () => ({}),
}, {
  access_token_in_url: {
    server: "The server is right, and the client uses its access token.",
    client: "Sends the access token in the header Authorization, and in no URL.",
    rule: "RFC 9700 §4.3.2; RFC 6750 §2.3",
    shows: findInUrl("access_token"),
  },
  email_of_another_person: {
    server: "The server is right: two people have the same email, which is verified, and each has a sub.",
    client: "Finds the account by iss and sub, so that each person has an account.",
    rule: "OpenID Connect Core §5.7",
    needs: ["account", "email"],
    bugs: ["CVE-2026-49757"],
    accounts: (first) => ({ claims: { ...emailOf(first), email_verified: true } }),
  },
  email_unverified: {
    server: "The server is right: a person has the email of another person, which is not verified.",
    client: "Finds the account by iss and sub, and gives nothing to a person because of an email.",
    rule: "OpenID Connect Core §5.7, §5.1",
    needs: ["account", "email"],
    bugs: ["CVE-2024-21632", "CVE-2026-41574"],
    accounts: (first, variant) => ({
      claims: variant === "absent"
        ? emailOf(first)
        : { ...emailOf(first), email_verified: variant === "text" ? "false" : false },
    }),
  },
  id_token_in_url: {
    level: "hardening",
    server: "The server is right, and the client has an ID token.",
    client: "Puts the ID token into no URL, except as id_token_hint.",
    rule: "RFC 6750 §5.3, which is about access tokens",
    needs: ["id_token"],
    shows: findInUrl("id_token"),
  },
  nonce_repeated: {
    client: "Sends a new nonce in each login.",
    rule: "OpenID Connect Core §15.5.2; RFC 9700 §2.1.1",
    needs: ["nonce"],
    repeats: "nonce",
  },
  nonce_short: {
    level: "hardening",
    client: "Sends a nonce that is long enough for 128 bits of chance.",
    rule: "OpenID Connect Core §3.1.2.1, §15.5.2: no rule says how much",
    needs: ["nonce"],
    shows: findShort("nonce", 128),
    isCounted: true,
  },
  refresh_token_kept: {
    phase: "refresh",
    server: "The server is right: it replaces the refresh token, and the client refreshes again.",
    client: "Discards the old refresh token, and sends the new one.",
    rule: "RFC 6749 §6",
    needs: ["refresh_token"],
    shows: findKeptRefreshToken,
  },
  similar_person: {
    server:
      "The server is right: two people have the same preferred_username or name, or their subs are similar.",
    client: "Finds the account by the exact iss and sub, so that each person has an account.",
    rule: "OpenID Connect Core §5.7, §2: a sub is case-sensitive",
    needs: ["account"],
    accounts({ username, sub = username, claims }, variant, second) {
      const own = { email: `${variant}.person@example.com`, email_verified: true };
      switch (variant) {
        case "name":
          return { claims: { ...own, ...present({ name: claims?.["name"] }) } };
        case "capitals":
        case "white_space":
          return { sub: writeNeighbour(variant, sub, ""), claims: own };
        // A sub may name its origin, and two origins may know different people by one name.
        case "before_bar":
          return { sub: `another|${sub}`, claims: own };
        case "before_slash":
          return { sub: `another/${sub}`, claims: own };
        case "before_colon":
          return { sub: `another:${sub}`, claims: own };
        case "after_at":
          return { sub: `${sub}@another`, claims: own };
        // A program may leave out what is no letter.
        case "punctuation":
          return { sub: `${sub.slice(0, 1)}.${sub.slice(1)}`, claims: own };
        // Both have as many characters as a sub may have, and only the last one differs.
        case "long":
          return { sub: `${second.sub!.slice(0, -1)}y`, claims: own };
        // A number has no zero before it, and keeps about 16 digits.
        case "digits":
          return { sub: `${second.sub!.slice(0, -1)}1`, claims: own };
        case "leading_zero":
          return { sub: `0${second.sub}`, claims: own };
        // The sub of the second person is longer than what a program cuts off.
        case "suffix":
          return { sub: writeNeighbour(variant, second.username, ""), claims: own };
        default:
          return { claims: { ...own, preferred_username: claims?.["preferred_username"] ?? username } };
      }
    },
  },
  state_repeated: {
    client: "Sends a new state in each login, unless a new code_verifier or a new nonce protects it.",
    rule: "RFC 6749 §10.12; RFC 9700 §2.1, §4.7.1",
    bugs: ["CVE-2023-31999"],
    needs: ["state"],
    repeats: "state",
  },
  state_short: {
    client:
      "Sends a state that is long enough for 128 bits of chance, unless a new code_verifier or nonce protects the login.",
    rule: "RFC 6749 §10.12, §10.10; RFC 9700 §2.1",
    needs: ["state"],
    shows: findShort("state", 128),
    isCounted: true,
  },
  two_people: {
    level: "hardening",
    server: "The server is right: two people log in at once, and the second one gets the tokens first.",
    client: "Gives each person the tokens that belong to the code of this person.",
    rule: "RFC 6749 §10.3: no rule is about two people at one client",
    needs: ["account", "two_browsers"],
    accounts: "at_once",
  },
  two_people_refresh: {
    level: "hardening",
    phase: "refresh",
    server: "The server is right: the tokens of two people are refreshed at once.",
    client: "Gives each person the tokens that belong to the refresh token of this person.",
    rule: "RFC 6749 §10.3: no rule is about two people at one client",
    needs: ["account", "refresh_token", "two_browsers"],
    bugs: ["CVE-2025-67490", "CVE-2026-40155"],
    accounts: "at_once",
  },
  verifier_repeated: {
    client: "Creates a new code_verifier for each login.",
    rule: "RFC 7636 §4.1, §7.1; RFC 9700 §2.1.1",
    needs: ["pkce"],
    repeats: "verifier",
  },
  verifier_short: {
    level: "should",
    client: "Creates a code_verifier that is long enough for 256 bits of chance.",
    rule: "RFC 7636 §7.1",
    needs: ["pkce"],
    shows: findShort("verifier", 256),
    isCounted: true,
  },
  verifier_shown: {
    level: "should",
    client: "Sends nothing in the authorization request from which the code_verifier follows.",
    rule: "RFC 9700 §2.1.1; RFC 7636 §7.1",
    needs: ["pkce"],
    shows: findShownVerifier,
  },
});
