/** Wrong authorization responses (RFC 6749 §4.1.2; RFC 9207). */

import { unwrapResponse } from "../../../ground/crypto/jwt_parts.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { changeMember, setParam } from "../../../server/oauth/contracts/seams.ts";
import { type Change, changeAt, changeParams, htmlPage, removing } from "../changes.ts";
import {
  any,
  callsOtherServer,
  redeemsCode,
  redeemsNoCode,
  redeemsReceivedCode,
  startsLogin,
  trustsOtherServer,
  usesAccessToken,
  where,
} from "../finds.ts";
import { createHardSpelling, isHard } from "../spelling.ts";
import type { CreateActs, Tools, Watch } from "../misbehaviour.ts";
import { spellIssuer, writeIssuer, writeNeighbour } from "../neighbours.ts";
import { type Find, headerOf } from "../seen.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";

const stateException =
  "RFC 9700 §2.1: instead, a client may rely on PKCE if it knows that the server supports it, or on a nonce";

/** A client that begins a new login, because the callback has no code, has refused the response, too. */
const beginsAgain: Watch = { sign: startsLogin, signSays: "began a new login" };

/** PKCE or a nonce may protect the login in place of the state. */
const redeemsUnlessProtected: Watch = {
  never: redeemsReceivedCode,
  unlessProtected: true,
  trusts: redeemsReceivedCode,
};

export const authorizationResponse: FaultsOf<"authorization_response"> = faultsOf("authorization_response", {
  level: "must",
  phase: "login",
  watch: { never: redeemsReceivedCode },
}, {
  access_token_injected: {
    level: "hardening",
    server: "The authorization response has a code and also an access token, which comes from elsewhere.",
    client: "Takes the access token from the token response only.",
    rule: "RFC 9700 §4.6",
    control: "authorization_response.parameters_unknown",
    watch: {
      never: usesAccessTokenIf((token) => token === injectedToken),
      sign: usesAccessTokenIf((token) => token !== injectedToken),
      signSays: "used another access token",
    },
    acts: changeSuccess((params) => [...params, ["access_token", injectedToken], ["token_type", "Bearer"]]),
  },
  code_and_error: {
    level: "hardening",
    server: "The authorization response has both a code and an error.",
    client: "Refuses the response, and sends no token request.",
    rule: "RFC 6749 §4.1.2, §4.1.2.1",
    bugs: ["authproxy#175"],
    acts: changeSuccess((params) => [...params, ["error", "server_error"]]),
  },
  code_empty: {
    level: "hardening",
    server: "The parameter code of the authorization response has no value.",
    client: "Refuses the response, and sends no token request.",
    rule: "RFC 6749 §4.1.2, Appendix A.11",
    watch: { never: redeemsNoCode, ...beginsAgain },
    acts: changeSuccess((params) => setParam(params, "code", "")),
  },
  code_hard: {
    level: "tolerate",
    server: "The code is longer than 2,000 characters. It contains + / = % & and a space.",
    client: "Sends exactly this code in the token request, with the right encoding.",
    rule: "RFC 6749 §4.1.2, §4.1.3, Appendix A.11, Appendix B",
    prepares: ["arrival"],
    watch: { sign: where(redeemsCode, ({ params }) => isHard(params.get("code"))) },
    acts(tools) {
      const { acts, spell } = createHardSpelling(["code"]);
      const write = (params: readonly Pair[]) =>
        setParam(params, "code", spell(`${findParam(params, "code")}`));
      return { ...acts, ...changeSuccess(write)(tools) };
    },
  },
  code_missing: {
    server: "The authorization response has neither a code nor an error.",
    client: "Refuses the response, and sends no token request without a code.",
    rule: "RFC 6749 §4.1.2, §4.1.3",
    bugs: ["authproxy#175"],
    watch: { never: redeemsNoCode, ...beginsAgain },
    acts: changeSuccess((params) => setParam(params, "code", undefined)),
  },
  code_twice: {
    level: "hardening",
    server: "The authorization response has two different codes.",
    client: "Refuses the response, and sends neither code to the token endpoint.",
    rule: "RFC 6749 §3.1",
    needs: ["plain_response"],
    acts: repeatParam("code", () => "another-code"),
  },
  error_denied: {
    server: "The authorization response says that the person has denied access.",
    client: "Ends the login, and sends no token request.",
    rule: "RFC 6749 §4.1.2.1, §4.1.3",
    watch: { never: redeemsNoCode },
    acts: answerRefusal(() => ["access_denied", "The person has denied access"]),
  },
  error_loop: {
    level: "hardening",
    server: "Every authorization response says that the server is busy.",
    client: "Shows the error, and does not begin one login after the other by itself.",
    rule: "RFC 6749 §4.1.2.1",
    // One login may need several authorization requests, so the responses are counted.
    watch: { never: (later, acted) => [...redeemsNoCode(later, acted), ...acted.slice(mostBusyLogins)] },
    acts: answerRefusal(() => ["temporarily_unavailable", "Try again later"]),
  },
  error_markup: {
    server:
      "A text of the authorization response, which is an error, is HTML with a picture of a foreign server.",
    client: "Escapes the text before it shows it on a page.",
    rule: "RFC 6749 §10.14",
    // A client that ends the login may still show the text without escaping it.
    isShownByPage: true,
    watch: { never: callsOtherServer, wordProvesNothing: true },
    acts: answerRefusal(({ otherServer, variant }) => {
      // A program may escape the first character of each kind only. RFC 6749 §4.1.2.1 allows no quotation mark.
      const start = variant === "attribute" ? '"' : "";
      const markup = `${start}'><b>no</b><img src=${otherServer}/picture>`;
      // A page may show either, and escape the other one only.
      return [variant === "error" ? markup : "server_error", markup];
    }),
  },
  error_unknown: {
    server: "The authorization response has an error code that no standard defines.",
    client: "Ends the login as for every error, and sends no token request.",
    rule: "RFC 6749 §4.1.3: a token request has a code (§8.5: servers may define error codes)",
    watch: { never: redeemsNoCode },
    acts: answerRefusal(() => ["account_locked", "The account is locked"]),
  },
  error_uri: {
    level: "hardening",
    server: "The authorization response is an error with an error_uri on a foreign server.",
    client: "Shows the URI at most, and does not open it by itself.",
    rule: "RFC 6749 §4.1.2.1, §10.14",
    watch: { never: any(callsOtherServer, redeemsNoCode) },
    acts: answerRefusal(({ otherServer }) => [
      "server_error",
      "Read the page about this error",
      `${otherServer}/error`,
    ]),
  },
  fragment: {
    level: "hardening",
    server: "The authorization response comes in the fragment, although the client did not ask for it.",
    client: "Refuses the response, because it asked for one in the query.",
    rule: "OAuth 2.0 Multiple Response Types §2.1; JARM §2.3.2",
    watch: { never: redeemsReceivedCode, ...beginsAgain },
    acts: changeAt(
      "authorization_response",
      (value) => ({ ...value, mode: inFragment[value.mode] ?? value.mode }),
    ),
  },
  iss_missing: {
    server: "The authorization response has no iss, although the metadata promises one.",
    client: "Refuses the response, and sends no token request.",
    rule: "RFC 9207 §2.4",
    needs: ["metadata", "issuer_parameter"],
    acts: changeParams((params) => setParam(params, "iss", undefined)),
  },
  iss_slash: {
    server: "The parameter iss of the response is the issuer in another spelling.",
    client: "Compares the issuers as strings, and refuses the response.",
    rule: "RFC 9207 §2.4; RFC 3986 §6.2.1",
    needs: ["issuer_parameter"],
    acts: changeParams((params, tools) => setParam(params, "iss", spellIssuer(tools))),
  },
  iss_twice: {
    level: "hardening",
    server: "The authorization response has two values of iss, and one of them is another issuer.",
    client: "Refuses the response, because no parameter may occur twice.",
    rule: "RFC 6749 §3.1; RFC 9207 §2.4",
    needs: ["issuer_parameter", "plain_response"],
    acts: repeatParam("iss", (_issuer, { otherServer }) => otherServer),
  },
  iss_unadvertised: {
    server: "The metadata does not promise the parameter iss, and the response has one of another issuer.",
    client: "Compares each iss that it receives, and refuses the response.",
    rule: "RFC 9207 §2.4",
    needs: ["issuer_parameter"],
    control: "itself",
    prepares: ["metadata"],
    acts: changeIssuerAfter(
      removing("authorization_response_iss_parameter_supported"),
      ({ otherServer }) => otherServer,
    ),
  },
  iss_wrong: {
    server: "The parameter iss of the authorization response names another issuer.",
    client: "Refuses the response, and does not send the code to any token endpoint.",
    rule: "RFC 9207 §2.4",
    needs: ["issuer_parameter"],
    acts: changeParams((params, tools) => setParam(params, "iss", writeIssuer(tools))),
  },
  mix_up: {
    server:
      "The metadata names the token endpoint of an attacker, and an honest server with another iss answers the login.",
    client: "Compares the issuers, and does not send the code of the honest server to the attacker.",
    rule: "RFC 9700 §2.1, §4.4.2; RFC 9207 §2.4",
    needs: ["several_servers"],
    control: "metadata.token_endpoint_host",
    prepares: ["metadata"],
    watch: { never: any(trustsOtherServer, redeemsReceivedCode) },
    acts: changeIssuerAfter(
      (metadata, { otherServer }) => ({ ...metadata, token_endpoint: `${otherServer}/token` }),
      ({ issuer }) => `${new URL("/honest", issuer)}`,
    ),
  },
  parameters_unknown: {
    level: "tolerate",
    server: "The authorization response has parameters that no standard of the client defines.",
    client: "Ignores the parameters, and redeems the code.",
    rule: "RFC 6749 §4.1.2",
    watch: { sign: redeemsReceivedCode },
    acts: changeSuccess((
      params,
    ) => [["session_state", "a5b1.c7"], ...params, ["x-request-id", "42"], ["data", ""]]),
  },
  repeated: {
    server: "The answer of the second login is that of the first, with its code and its state.",
    client:
      "Refuses the response, and does not send the code a second time, unless PKCE or a nonce protects it.",
    rule: `RFC 6749 §4.1.2, §10.12; ${stateException}`,
    needs: ["two_logins"],
    watch: redeemsUnlessProtected,
    acts(tools) {
      let first: readonly Pair[] | undefined;
      return changeSuccess((params) => first ??= params)(tools);
    },
  },
  return_page_foreign: {
    server: "A foreign page is named as the page after the login.",
    client: "Sends no browser to that page.",
    rule: "RFC 9700 §4.11.1",
    needs: ["pages", "state"],
    bugs: ["CVE-2024-56734", "CVE-2025-27143"],
    changePage(page, { variant, otherServer }) {
      if (variant === "state") return;
      const value = writePage(variant, page, `${otherServer}/page`);
      for (const name of returnParameters) page.searchParams.set(name, value);
    },
    watch: { never: callsOtherServer, refusalSays: "sent no browser to that page" },
    acts: changeAt("authorization_response", (value, { variant, otherServer }) => {
      // With the other variants, the response is right. What counts is where the browser goes from here.
      if (variant !== "state") return { ...value };
      return changeMember(value, "params", (params) => setParam(params, "state", `${otherServer}/page`));
    }),
  },
  state_changed: {
    server: "The state of the authorization response is not the one of the request.",
    client: "Refuses the response, and sends no token request, unless PKCE or a nonce protects the login.",
    rule: `RFC 6749 §10.12; OpenID Connect Core §3.1.2.7; ${stateException}`,
    bugs: ["CVE-2025-14546"],
    needs: ["state"],
    watch: redeemsUnlessProtected,
    acts: changeState((state, { variant }) => {
      if (variant === "own_form") return changeLetters(state);
      if (variant === "first_character" && state.length > 1) return state.slice(0, 1);
      return writeNeighbour(variant, state, "another-state");
    }),
  },
  state_missing: {
    server: "The authorization response has no state, although the request had one.",
    client: "Refuses the response, and sends no token request, unless PKCE or a nonce protects the login.",
    rule: `RFC 6749 §4.1.2, §10.12; OpenID Connect Core §3.1.2.7; ${stateException}`,
    needs: ["state"],
    watch: redeemsUnlessProtected,
    acts: changeState(() => undefined),
  },
  state_of_another_browser: {
    server:
      "The answer is that of a login which another browser began and has not ended, with its code and its state.",
    client: "Refuses the response, because this browser did not begin that login.",
    rule: "RFC 9700 §2.1, §2.1.1, §4.7.1; RFC 6749 §10.12",
    needs: ["state"],
    bugs: ["CVE-2025-65107", "CVE-2025-68158", "CVE-2025-68481", "CVE-2026-41425"],
    isBegunElsewhere: true,
    prepares: ["response"],
    watch: {
      never: where(redeemsReceivedCode, ({ entry: { response } }) => response.status === 200),
      unlessRefused: true,
      trusts: redeemsReceivedCode,
      ...beginsAgain,
    },
    acts() {
      let held: readonly Pair[] | undefined;
      let isGiven = false;
      return {
        authorization_response(value) {
          if (held === undefined || isGiven) return value;
          isGiven = true;
          return { ...value, params: held };
        },
        response(answer, { endpoint }) {
          const { location } = answer.headers;
          if (isGiven || endpoint !== "authorize" || !URL.canParse(`${location}`)) return answer;
          const { search, hash } = new URL(`${location}`);
          const sent = unwrapResponse([...new URLSearchParams(search || hash.slice(1))]);
          // A JWT has claims of its own besides (JARM §2.1), and the server writes them again.
          const params = sent.filter(([name]) => !["aud", "exp"].includes(name));
          if (findParam(params, "code") === undefined) return answer;
          held ??= params;
          return otherBrowserPage;
        },
      };
    },
  },
  state_of_another_login: {
    server: "The answer of the second login has the state of the first.",
    client:
      "Accepts each state once, and only from the browser that began its login, unless PKCE or a nonce protects it.",
    rule: `RFC 6749 §10.12; RFC 9700 §4.7.1; ${stateException}`,
    needs: ["state", "two_logins", "two_states"],
    watch: redeemsUnlessProtected,
    acts(tools) {
      let first: string | undefined;
      return changeState((state) => first ??= state)(tools);
    },
  },
  state_similar: {
    level: "hardening",
    server: "The state of the response resembles that of the request.",
    client:
      "Compares the whole state, and refuses the response, unless it relies on PKCE or a nonce instead of a state.",
    rule: "RFC 6749 §4.1.2: the value is exact, but no rule says how a client compares it",
    needs: ["state"],
    resembles: "authorization_response.state_changed",
    watch: redeemsUnlessProtected,
    acts: changeState((state, { variant }) => writeNeighbour(variant, state, "another-state")),
  },
  state_twice: {
    level: "hardening",
    server: "The authorization response has two states.",
    client: "Refuses the response, because no parameter may occur twice.",
    rule: "RFC 6749 §3.1",
    needs: ["state", "plain_response"],
    acts: repeatParam("state", (state, { variant }) => variant === "equal" ? state : "another-state"),
  },
});

/** JARM §2.3.4: for a code, "jwt" is short for "query.jwt". */
const inFragment: Readonly<Record<string, string>> = {
  query: "fragment",
  jwt: "fragment.jwt",
  "query.jwt": "fragment.jwt",
};

/** Replaces letters and digits by their next ones. A client may read what stands between before it compares. */
function changeLetters(state: string): string {
  return state.replace(
    /[0-9a-z]/gi,
    (each) => ends[each] ?? String.fromCharCode(each.charCodeAt(0) + 1),
  );
}

const ends: Readonly<Record<string, string>> = { 9: "0", z: "a", Z: "A" };

const mostBusyLogins = 4;

/** Those in which applications and their frameworks name the page after a login. */
const returnParameters: readonly string[] = [
  ...["callbackURL", "callbackUrl", "continue", "destination", "from", "next", "redirect", "redirectTo"],
  ...[
    "redirectUrl",
    "redirect_to",
    "redirect_url",
    "return",
    "returnTo",
    "returnUrl",
    "return_to",
    "return_url",
  ],
  ...["rd", "target", "url"],
];

/** Writes the address of a foreign page in a way that a careless check takes for a page of the application. */
function writePage(variant: string | undefined, { origin }: URL, address: string): string {
  const beyond = address.replace(/^https?:\/\//, "");
  switch (variant) {
    case "page_without_scheme":
      return `//${beyond}`;
    // A browser reads it as a slash (URL Standard §4.4, special authority slashes state).
    case "page_with_backslash":
      return `/\\${beyond}`;
    // A browser removes it (URL Standard §4.4).
    case "page_with_tab":
      return `/\t/${beyond}`;
    // Before the at sign is the name of a user.
    case "page_with_user":
      return `${origin}@${beyond}`;
    // For an application that decodes it once more after its check.
    case "page_encoded":
      return `/%2F${beyond}`;
    default:
      return address;
  }
}

/** What the other browser gets, so that it never calls the client. */
const otherBrowserPage: Answer = {
  ...htmlPage,
  body: "<!doctype html><title>Held</title><p>This login is held. Begin the next one in another browser.</p>",
};

/** An access token that another client has got, and that an attacker puts into the response. */
const injectedToken = "token-of-another-client";

function usesAccessTokenIf(matches: (token: string) => boolean): Find {
  return where(
    usesAccessToken,
    (seen) => matches((headerOf(seen, "authorization") ?? "").replace(/^\w+ /, "")),
  );
}

/** Changes authorization responses that have a code. */
function changeSuccess(change: Change<readonly Pair[]>): CreateActs {
  return changeParams((params, ...more) =>
    findParam(params, "code") === undefined ? params : change(params, ...more)
  );
}

/** Adds a second value to a parameter. In a JWT, each claim occurs once (RFC 7519 §4), so a client could not see it. */
function repeatParam(name: string, write: (value: string, tools: Tools) => string): CreateActs {
  return changeAt("authorization_response", (value, tools) => {
    const { mode, params } = value;
    const found = findParam(params, name);
    if (mode.endsWith("jwt") || found === undefined) return value;
    const other = [name, write(found, tools)] as const;
    return { ...value, params: tools.variant === "wrong_first" ? [other, ...params] : [...params, other] };
  });
}

/** Changes the metadata, and then the issuer of responses. A client that never reads the metadata meets no fault. */
function changeIssuerAfter(
  change: (metadata: Members, tools: Tools) => Members,
  findOther: (tools: Tools) => string,
): CreateActs {
  return (tools) => {
    let isServed = false;
    return {
      metadata(metadata) {
        isServed = true;
        return change(metadata, tools);
      },
      ...changeParams((params) => isServed ? setParam(params, "iss", findOther(tools)) : params)(tools),
    };
  };
}

/** Replaces a code by an error. The state and the issuer stay. */
function answerRefusal(
  describe: (tools: Tools) => readonly [error: string, description: string, uri?: string],
): CreateActs {
  return changeSuccess((params, tools) => {
    const [error, description, uri] = describe(tools);
    return [
      ["error", error],
      ["error_description", description],
      ...(uri === undefined ? [] : [["error_uri", uri] as const]),
      ...setParam(params, "code", undefined),
    ];
  });
}

function changeState(change: (state: string, tools: Tools) => string | undefined): CreateActs {
  return changeParams((params, tools) => {
    const state = findParam(params, "state");
    if (state === undefined) return params;
    const changed = change(state, tools);
    return changed === state ? params : setParam(params, "state", changed);
  });
}

function findParam(params: readonly Pair[], name: string): string | undefined {
  return params.find(([each]) => each === name)?.[1];
}
