/** `postern token`: runs a complete flow against a running server, and prints the access token. */

import process from "node:process";
import { deviceGrantType } from "../../../server/client/device_flow.ts";
import { signProof } from "../../../server/client/dpop_key.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { isPasswordHash } from "../../../ground/crypto/password.ts";
import { defaultFeatures, everyFeature } from "../../../server/features/mod.ts";
import {
  type Client,
  publicClientMethod,
  registeredMethod,
  usesSecret,
} from "../../../server/oauth/contracts/client.ts";
import { gatherSlots } from "../../../server/slots.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { readSettings } from "../../../server/setup/read_settings.ts";
import { defaultIssuer } from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import { passwordVariable, requireKnownPerson } from "../client/browse.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { CommandError } from "../terminal/command_error.ts";
import {
  explainingSetUp,
  findIssuerPath,
  readConfigurationFile,
} from "../configuration/configuration_file.ts";
import type { Flags, FlagsRead } from "../terminal/flags.ts";
import { type FlowOptions, runDeviceFlow, runFlow } from "../client/run_flow.ts";
import { createId, secretVariable } from "../client/send_form.ts";
import { portFlag, readServerFlags, urlFlag } from "../client/server_flags.ts";
import { present } from "../../../ground/values/present.ts";
import { printNotice, printResult } from "../terminal/print_text.ts";

const table = {
  issuer: {
    ...urlFlag,
    help: `The server. Default: the configuration's, or ${defaultIssuer}.`,
  },
  port: portFlag,
  client: { value: "ID", help: "The client_id. Default: the configuration's first, or demo." },
  secret: {
    value: "SECRET",
    help: `Its secret. Default: the environment variable ${secretVariable}, or the configuration's. ` +
      "Other users of this machine can read a command line, but not your environment.",
    secret: true,
  },
  "redirect-uri": {
    value: "URI",
    help: "Its redirect URI. Default: the first that the configuration has for the client.",
  },
  config: { value: "FILE", help: "The server's configuration file, for values that no flag gives." },
  scope: {
    value: "SCOPE",
    separator: " ",
    help:
      'The scope to request, such as "read write". Default with --config: the client\'s scope. Otherwise: openid, ' +
      "profile, email and the server's scopes, or read.",
  },
  resource: {
    value: "URI",
    separator: " ",
    help:
      "The API that the token is for (RFC 8707), such as the one of start --resource; several with spaces. " +
      "Default: the server itself.",
  },
  dpop: {
    value: "URL",
    help:
      "Bind the token to a new key, and print the headers Authorization and DPoP for one request to this URL: GET, or " +
      'another method as in "POST URL". curl reads them from its input with -H @-.',
    accepts: (value) => readProofTarget(value, defaultIssuer) !== undefined,
    expected:
      'a URL, a path at the issuer, or a method and a URL, such as "POST http://localhost:3000/orders"',
  },
  device: {
    help:
      "Run a device login: print an address and a code, and wait until a person approves in a browser (RFC 8628). " +
      "Default client: the configuration's first with this grant type, or my-cli.",
  },
  "second-factor": {
    value: "[CODE]",
    optional: true,
    help:
      "Let the person prove the second factor, too, with this code. Default: the code of a demo person, " +
      "which only this machine gets.",
    accepts: (value) => /^\d{6}$/.test(value),
    expected: "six digits, such as 492039",
    secret: true,
  },
  password: {
    value: "PASSWORD",
    help: `The person's password, if there is one. Default: the environment variable ${passwordVariable}, ` +
      "or the configuration's.",
    secret: true,
  },
} as const satisfies Flags;

export const token: Command = createCommand({
  usage: "token [person] [flags]",
  summary: "Print an access token for a person, from a running server.",
  notes: (program) =>
    `In a POSIX shell: curl -H "Authorization: Bearer $(${program} token alice)" http://localhost:3000/`,
  flags: table,
  operands: 1,
  async run({ flags, operands: [person] }) {
    const options = await readOptions(flags, person, process.env);
    const { accessToken, dpop } = flags.device
      ? await runDeviceFlow(options, printNotice)
      : await runFlow(options);
    // An opaque token has none (RFC 9068 §2.2).
    const subject = parseJwt(accessToken)?.claims["sub"];
    const isUnexpected = person !== undefined && subject !== person;
    if (isUnexpected && !flags.device) await requireKnownPerson(person, options);
    const target = readProofTarget(flags.dpop ?? "", options.issuer);
    if (dpop === undefined || target === undefined) printResult(accessToken);
    else {
      const proof = await signProof(dpop, {
        ...target,
        accessToken,
        jti: createId(),
        now: Date.now() / 1000,
      });
      printResult(`Authorization: DPoP ${accessToken}\nDPoP: ${proof}`);
    }
    if (isUnexpected && subject !== undefined) {
      printNotice(`postern: this token's subject is ${subject}`);
    }
  },
});

async function readOptions(
  flags: FlagsRead<typeof table>["flags"],
  person: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FlowOptions> {
  requireDeviceFlags(flags);
  const source = await readConfigurationFile(flags.config);
  const { configuration: file } = source;
  const issuerPath = findIssuerPath(source);
  const issuer = readServerFlags(flags, issuerPath) ?? file.issuer ?? defaultIssuer + issuerPath;
  const id = flags.client ?? (flags.device ? findDeviceClient(file) : file.clients?.[0]?.client_id ?? "demo");
  const known = findKnownClient(id, { issuer, file, path: flags.config });
  if (flags.dpop === undefined) requireBearer(id, known, file);
  // The variable may be there for another client than this public one.
  const isPublic = known !== undefined && registeredMethod(known) === publicClientMethod;
  const secret = flags.secret ?? (isPublic ? undefined : environment[secretVariable] ?? known?.client_secret);
  const redirectUri = flags["redirect-uri"] ?? known?.redirect_uris?.[0];
  const scope = flags.scope ?? known?.scope;
  const password = flags.password ?? environment[passwordVariable] ?? findPassword(person, file);
  return {
    issuer,
    client: {
      id,
      method: chooseMethod(id, secret, known),
      ...present({ secret }),
      mustPush: known?.require_pushed_authorization_requests === true,
    },
    usesDpop: flags.dpop !== undefined,
    namesClient: flags.client !== undefined || flags.config !== undefined,
    resources: (flags.resource ?? "").split(" ").filter(Boolean).map((each) => atIssuer(each, issuer)),
    ...present({
      redirectUri,
      person,
      people: file.people,
      scope,
      defaultScope: file.defaultScope,
      password,
      secondFactor: flags["second-factor"],
    }),
  };
}

/** The person types a password into the page, and a device has no redirect URI. */
function requireDeviceFlags(flags: FlagsRead<typeof table>["flags"]): void {
  const ofPages = ["redirect-uri", "password", "second-factor"] as const;
  const wrong = ofPages.find((name) => flags[name] !== undefined);
  if (!flags.device || wrong === undefined) return;
  throw new CommandError(
    `--${wrong} means nothing with --device: a person signs in on the pages of the server`,
  );
}

/** Without a configuration, first use accepts any id that the server does not know. */
function findDeviceClient({ clients = [] }: Configuration): string {
  const found = clients.find(({ grant_types: types }) => types?.includes(deviceGrantType)) ?? clients[0];
  return found?.client_id ?? "my-cli";
}

/** A path is at the origin of the issuer, as in start --resource. */
function atIssuer(text: string, issuer: string): string {
  return text.startsWith("/") && URL.canParse(issuer) ? new URL(issuer).origin + text : text;
}

/** Reads the request that the proof of --dpop is for: "POST http://localhost:3000/orders". */
function readProofTarget(
  flag: string,
  issuer: string,
): Readonly<Record<"method" | "url", string>> | undefined {
  const [, method = "GET", address = ""] = /^(?:([A-Z]+) +)?(\S+)$/.exec(flag) ?? [];
  const url = atIssuer(address, issuer);
  return /^https?:/i.test(url) && URL.canParse(url) ? { method, url: new URL(url).href } : undefined;
}

/** A hash does not have the password. */
function findPassword(person: string | undefined, { people = [] }: Configuration): string | undefined {
  const password = people.find(({ username }) => username === person)?.password;
  return password !== undefined && isPasswordHash(password) ? undefined : password;
}

function findKnownClient(
  id: string,
  { issuer, file, path }: {
    readonly issuer: string;
    readonly file: Configuration;
    readonly path: string | undefined;
  },
): ClientMetadata | undefined {
  if (file.clients === undefined) return findDemoClient(id, issuer);
  const known = file.clients.find(({ client_id }) => client_id === id);
  if (known !== undefined) return known;
  const ids = file.clients.map(({ client_id }) => client_id).join(", ");
  throw new CommandError(`--client ${id} is not in ${path}; there are ${ids}`);
}

function chooseMethod(id: string, secret: string | undefined, known: ClientMetadata | undefined): string {
  const method = registeredMethod({ ...known, ...present({ client_secret: secret }) });
  if (method === publicClientMethod || usesSecret(method)) return method;
  throw new CommandError(
    `${id} authenticates with ${method}, which this command cannot do: choose another client with --client`,
  );
}

function requireBearer(id: string, known: ClientMetadata | undefined, { dpop }: Configuration): void {
  const isBound = known?.dpop_bound_access_tokens || typeof dpop === "object" && dpop.required;
  if (!isBound) return;
  throw new CommandError(`${id} needs a DPoP proof to get a token: give the address of the API with --dpop`);
}

/** A server without configuration has these clients, with a published secret. */
function findDemoClient(id: string, issuer: string): ClientMetadata | undefined {
  const { clients } = explainingSetUp(
    { flags: { issuer: "issuer" } },
    () => readSettings({ issuer }, gatherSlots(defaultFeatures(everyFeature))),
  );
  const client: Client | undefined = clients.get(id);
  return client && {
    client_id: id,
    redirect_uris: client.redirectUris,
    ...present({ client_secret: client.demoSecret }),
  };
}
