/** Prints a .http file, for the HTTP client of JetBrains IDEs and the extension REST Client of VS Code. */

import { sendsSecret } from "../../server/oauth/clients/client.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import {
  type Application,
  describePlainFlow,
  type LoginApplication,
  noteSecret,
  secretName,
  urlOf,
} from "./application_terms.ts";

export function describeHttpFile(application: Application, settings: Settings): readonly string[] {
  const { method } = application;
  return [
    "# postern.http, for JetBrains IDEs and for REST Client of VS Code",
    ...(sendsSecret(method)
      ? [
        ...noteSecret(application, "#"),
        `@${secretName} = paste-the-${method === "client_secret_post" ? "percent-encoded-" : ""}secret-here`,
      ]
      : []),
    ...describePlainFlow(application, {
      mark: "#",
      limit: "such a file cannot sign an assertion",
      logIn: (terms) => logIn(terms, settings),
      getToken: () => [
        "",
        "### Get an access token",
        ...exchange(application, [["grant_type", "client_credentials"]], settings),
      ],
    }),
  ];
}

// The example of RFC 7636 appendix B, because such a file cannot compute a challenge.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

function logIn(application: LoginApplication, settings: Settings): readonly string[] {
  const { clientId, redirectUri, scope } = application;
  const isAutomatic = settings.automaticPerson !== undefined;
  return [
    "# Paste here what the answers of the first two requests contain:",
    "@code = paste-the-code-here",
    "@access_token = paste-the-access-token-here",
    "",
    "### 1. Sign in. The header Location of the answer has the code.",
    ...(isAutomatic ? [] : [
      "# This server shows pages. Start it with --login auto, or open this address in a browser",
      "# and take the code from the address where the browser ends.",
    ]),
    "# @no-redirect",
    `GET ${urlOf("authorize", settings)}`,
    ...listParameters([
      ["response_type", "code"],
      ["client_id", clientId],
      ["redirect_uri", redirectUri],
      ["scope", scope.join(" ")],
      ["state", "the-callback-has-it-too"],
      ["code_challenge", challenge],
      ["code_challenge_method", "S256"],
    ]).map((pair, at) => `    ${at === 0 ? "?" : "&"}${pair}`),
    "",
    "### 2. Exchange the code for tokens",
    ...exchange(application, [
      ["grant_type", "authorization_code"],
      ["code", "{{code}}"],
      ["redirect_uri", redirectUri],
      ["code_verifier", verifier],
    ], settings),
    ...(scope.includes("openid")
      ? [
        "",
        "### 3. Read the claims of the person",
        `GET ${urlOf("userinfo", settings)}`,
        "Authorization: Bearer {{access_token}}",
      ]
      : []),
  ];
}

type Parameter = readonly [name: string, value: string];

function exchange(
  { clientId, method }: Application,
  parameters: readonly Parameter[],
  settings: Settings,
): readonly string[] {
  const isBasic = method === "client_secret_basic";
  return [
    `POST ${urlOf("token", settings)}`,
    "Content-Type: application/x-www-form-urlencoded",
    // Both programs encode the two words. RFC 6749 §2.3.1: the id is form-encoded before.
    ...(isBasic ? [`Authorization: Basic ${encodeURIComponent(clientId)} {{${secretName}}}`] : []),
    "",
    listParameters([
      ...parameters,
      ...(isBasic ? [] : [["client_id", clientId] as const]),
      ...(sendsSecret(method) && !isBasic ? [["client_secret", `{{${secretName}}}`] as const] : []),
    ]).join("&"),
  ];
}

/** A colon and a slash stay readable, because a query may have them (RFC 3986 §3.4). */
function listParameters(parameters: readonly Parameter[]): readonly string[] {
  const encode = (value: string) => encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2F", "/");
  return parameters.map(([name, value]) => `${name}=${value.startsWith("{{") ? value : encode(value)}`);
}
