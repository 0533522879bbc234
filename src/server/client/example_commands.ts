/** Example requests as curl commands for a POSIX shell: a token request (OAuth 2.1 §4.1.3), and a call of an API. */

import type { Pair } from "../../ground/http/form.ts";
import { type ClientIdentity, formatBasic, formEncode, identify } from "./client_request.ts";
import { type CodeOptions, codeParams } from "./flow.ts";
import { quoteText } from "../../ground/values/quote_word.ts";
import { present } from "../../ground/values/present.ts";
import { startCurl } from "./write_request.ts";

/** What a person replaces, because the server does not know it. */
export const placeholders = {
  clientId: "<CLIENT_ID>",
  clientSecret: "<CLIENT_SECRET>",
  codeVerifier: "<CODE_VERIFIER>",
  clientAssertion: "<CLIENT_ASSERTION>",
  accessToken: "<ACCESS_TOKEN>",
  url: "<URL>",
  proof: "<DPOP_PROOF>",
} as const;

const all: ReadonlySet<string> = new Set(Object.values(placeholders));

/** A command in pieces, so that a page can mark the placeholders. */
export type Command = readonly (string | { readonly placeholder: string })[];

export interface TokenExample {
  readonly method: string;
  readonly command: Command;
  /** The Authorization header that curl makes of `--user`, if the server knows its values. */
  readonly authorization?: string;
}

export interface ExampleOptions {
  readonly tokenEndpoint: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier?: string;
  /** The client of the code, as far as it is known. */
  readonly clientId?: string;
  readonly authentication?: string;
  readonly demoSecret?: string;
}

const confidentialMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt"];

/** The client of the code is in the example of its kind, or in both if its kind is unknown. */
export function writeTokenExamples(
  options: ExampleOptions,
): Readonly<Record<"open" | "confidential", TokenExample>> {
  const { clientId = placeholders.clientId, authentication, demoSecret = placeholders.clientSecret } =
    options;
  const method = confidentialMethods.find((each) => each === authentication);
  const isPublic = authentication === "none";
  return {
    open: writeExample(options, {
      clientId: method === undefined ? clientId : placeholders.clientId,
      method: "none",
    }),
    confidential: writeExample(options, {
      clientId: isPublic ? placeholders.clientId : clientId,
      method: method ?? "client_secret_basic",
      secret: isPublic ? placeholders.clientSecret : demoSecret,
    }),
  };
}

function writeExample(options: ExampleOptions, identity: ClientIdentity): TokenExample {
  const { clientId, method, secret = "" } = identity;
  const isKnown = !all.has(clientId) && !all.has(secret);
  return {
    method,
    command: writeTokenRequest(options.tokenEndpoint, {
      ...options,
      codeVerifier: options.codeVerifier ?? placeholders.codeVerifier,
    }, identity),
    ...present({
      authorization: method === "client_secret_basic" && isKnown ? formatBasic(clientId, secret) : undefined,
    }),
  };
}

/** Writes the request for the tokens of a code. curl makes the header of HTTP Basic itself. */
export function writeTokenRequest(url: string, code: CodeOptions, identity: ClientIdentity): Command {
  const { clientId, method, secret = "" } = identity;
  const { form } = identify(identity, method.endsWith("_jwt") ? placeholders.clientAssertion : undefined);
  return [
    `${startCurl(url, "--request POST")} `,
    ...writeUrl(url),
    ...(method === "client_secret_basic"
      ? [line("--user '"), writeHalf(clientId), ":", writeHalf(secret), "'"]
      : []),
    line("--header 'Content-Type: application/x-www-form-urlencoded'"),
    ...[...codeParams(code), ...form].flatMap(writeField),
  ];
}

/** A call of an API. Beside a token that is bound to a key, it has a proof (RFC 9449 §7.1). */
export function writeApiCall(url: string, needsProof: boolean): Command {
  const { accessToken, proof } = placeholders;
  return [
    `${startCurl(url)} `,
    ...writeUrl(url),
    line(`--header 'Authorization: ${needsProof ? "DPoP" : "Bearer"} `),
    { placeholder: accessToken },
    "'",
    ...(needsProof ? [line("--header 'DPoP: "), { placeholder: proof }, "'"] : []),
  ];
}

function line(text: string): string {
  return ` \\\n  ${text}`;
}

function writeField([name, value]: Pair): Command {
  if (all.has(value)) return [line(`--data-urlencode '${name}=`), { placeholder: value }, "'"];
  // What is not printable ASCII could end a paste, or hide text. The server decodes what is encoded.
  const word = /^[\x20-\x7e]*$/.test(value) ? quoteText(`${name}=${value}`, "posix") : undefined;
  return word === undefined
    ? [line(`--data '${name}=${formEncode(value)}'`)]
    : [line(`--data-urlencode ${word}`)];
}

/** The page has the URL beside the command. */
function writeUrl(url: string): Command {
  const word = quoteText(url, "posix");
  return word === undefined ? ["'", { placeholder: placeholders.url }, "'"] : [word];
}

/** Writes a half of `--user`, which is form-encoded (RFC 6749 §2.3.1). */
function writeHalf(value: string): Command[number] {
  return all.has(value) ? { placeholder: value } : formEncode(value);
}
