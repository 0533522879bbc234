/** Example requests as curl commands for a POSIX shell: a token request (OAuth 2.1 §4.1.3), and a call of an API. */

/** A placeholder that a person replaces. */
export interface Placeholder {
  readonly placeholder: string;
}

/** A value, or a placeholder where the server does not know it. */
export type Value = string | Placeholder;

/** A command in pieces, so that a page can mark the placeholders. */
export type Command = readonly Value[];

export interface TokenRequest {
  readonly tokenEndpoint: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: Value;
  readonly clientId: Value;
}

/** How a client authenticates: the parts of its request that differ between methods. */
export type Identification =
  | { readonly method: "none" | "private_key_jwt" }
  | { readonly method: "client_secret_basic" | "client_secret_post"; readonly secret: Value };

export const placeholders = {
  clientId: { placeholder: "<CLIENT_ID>" },
  clientSecret: { placeholder: "<CLIENT_SECRET>" },
  codeVerifier: { placeholder: "<CODE_VERIFIER>" },
  clientAssertion: { placeholder: "<CLIENT_ASSERTION>" },
  accessToken: { placeholder: "<ACCESS_TOKEN>" },
  proof: { placeholder: "<DPOP_PROOF>" },
} as const;

/** Quotes a value, so that a POSIX shell interprets none of its characters. */
export function shellQuote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** Encodes one value as `application/x-www-form-urlencoded`. */
export function formEncode(value: string): string {
  return new URLSearchParams([["", value]]).toString().slice(1);
}

/** Returns the Authorization header of curl's `--user`. The id and the secret are form-encoded (RFC 6749 §2.3.1). */
export function basicCredentials(clientId: string, secret: string): string {
  return `Basic ${btoa(`${formEncode(clientId)}:${formEncode(secret)}`)}`;
}

export function tokenRequestCommand(request: TokenRequest, identification: Identification): Command {
  const command: Value[] = ["curl --request POST"];
  // curl reads brackets and braces in a URL as patterns.
  if (/[[\]{}]/.test(request.tokenEndpoint)) command.push(" --globoff");
  command.push(` ${shellQuote(request.tokenEndpoint)}`);
  if (identification.method === "client_secret_basic") {
    command.push(
      ...line("--user '"),
      ...quotedForm(request.clientId),
      ":",
      ...quotedForm(identification.secret),
      "'",
    );
  }
  command.push(...line("--header 'Content-Type: application/x-www-form-urlencoded'"));
  command.push(...field("grant_type", "authorization_code"));
  command.push(...field("code", request.code));
  command.push(...field("redirect_uri", request.redirectUri));
  switch (identification.method) {
    case "none":
      command.push(...field("client_id", request.clientId));
      break;
    case "client_secret_post":
      command.push(...field("client_id", request.clientId), ...field("client_secret", identification.secret));
      break;
    case "private_key_jwt":
      command.push(
        ...field("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        ...field("client_assertion", placeholders.clientAssertion),
      );
      break;
  }
  command.push(...field("code_verifier", request.codeVerifier));
  return command;
}

/** A call of an API. Beside a token that is bound to a key, it has a proof (RFC 9449 §7.1). */
export function apiCallCommand(url: string, needsProof: boolean): Command {
  const { accessToken, proof } = placeholders;
  return [
    `curl ${shellQuote(url)}`,
    ...line(`--header 'Authorization: ${needsProof ? "DPoP" : "Bearer"} `),
    accessToken,
    "'",
    ...(needsProof ? [...line("--header 'DPoP: "), proof, "'"] : []),
  ];
}

function line(text: string): Command {
  return [` \\\n  ${text}`];
}

function field(name: string, value: Value): Command {
  if (typeof value !== "string") return [...line(`--data-urlencode '${name}=`), value, "'"];
  // The terminal interprets characters that are not printable ASCII before the shell reads the quotes. They could end
  // a paste or hide text, so such a value is encoded. The server decodes it.
  return /^[\x20-\x7e]*$/.test(value)
    ? line(`--data-urlencode ${shellQuote(`${name}=${value}`)}`)
    : line(`--data ${shellQuote(`${name}=${formEncode(value)}`)}`);
}

function quotedForm(value: Value): Command {
  return [typeof value === "string" ? formEncode(value) : value];
}
