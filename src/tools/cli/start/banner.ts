/** Describes the running server: its address, its clients and people, and settings to paste into an application. */

import project from "../../../../deno.json" with { type: "json" };
import type { Configuration } from "../../../server/setup/configuration.ts";
import {
  acceptsKeylessClients,
  type Client,
  methodOf,
  needsNoKey,
  publicClientMethod,
} from "../../../server/oauth/contracts/client.ts";
import { defaultFeatures, everyFeature, hasFeature } from "../../../server/features/mod.ts";
import { findRequiredSources } from "../../../server/oauth/authorization/require_authorization_request.ts";
import { startUrlOf } from "../../../server/oauth/authorization/sample_flow.ts";
import { callbackUri } from "../../../server/oauth/requests/server_urls.ts";
import { gatherSlots } from "../../../server/slots.ts";
import { findProfile } from "../../../server/oauth/contracts/paths.ts";
import { type Person, summarisePerson } from "../../../server/oauth/contracts/people.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import { visible } from "../../../ground/values/visible.ts";
import { readResponseIssuer } from "../../../server/setup/issuer_faults.ts";
import { isLoopbackHost, withoutBrackets } from "../../../ground/http/address.ts";
import { hidePassword } from "../../../ground/values/hide_password.ts";
import { describeApiCommand } from "./api_command.ts";
import { describeApplication } from "../forms/application.ts";
import { applicationForms } from "../forms/application_forms.ts";
import type { Colours } from "../terminal/colours.ts";
import type { OwnTls } from "../tls/own_tls.ts";
import { present } from "../../../ground/values/present.ts";

export interface BannerOptions {
  readonly settings: Settings;
  readonly configuration: Configuration;
  /** The host and port of the socket. The banner shows them if the issuer has others. */
  readonly listensAt: string;
  readonly file?: { readonly path: string; readonly isWatched: boolean };
  readonly peopleFile?: { readonly path: string; readonly isWatched: boolean };
  /** The names of the environment variables that took effect, if there are any. */
  readonly variables?: readonly string[];
  readonly store: string;
  readonly form: string;
  /** The printed settings are for a program that reaches the server by its first other name. */
  readonly isFromContainer?: boolean;
  readonly control?: ControlSummary;
  readonly metrics?: { readonly url: string; readonly needsToken: boolean };
  /** The address of the inspector with the key that shows secrets. Absent if the server has no inspector. */
  readonly inspectorUrl?: string;
  /** What the server does wrong on purpose, besides its settings: a line for each misbehaviour. */
  readonly faults?: readonly string[];
  readonly looksLike?: string;
  readonly isReached: boolean;
  /** The authority of `--tls`. */
  readonly trust?: Pick<OwnTls, "certFile" | "isNew" | "name">;
  readonly program: string;
  /** The lines of the command that prints another form. */
  readonly printCommand: readonly string[];
  readonly additions?: readonly BannerAddition[];
}

export interface BannerAddition {
  /** Up to eight characters. */
  readonly title: string;
  readonly lines: readonly string[];
  /** Lines that the user copies. They have no indent, and follow the settings. */
  readonly copied: readonly string[];
  /** For `--log json`. They hold no secrets. */
  readonly members: Readonly<Record<string, unknown>>;
}

export interface ControlSummary {
  readonly url: string;
  readonly needsToken: boolean;
  /** The signing keys are those of every test kit, because the server has neither a token nor a store. */
  readonly hasPublishedKeys: boolean;
}

const mostListed = 12;

export function describeServer(options: BannerOptions, colours: Colours): string {
  const { settings, configuration, store, looksLike, faults = [], additions = [] } = options;
  const { bold, dim, cyan, yellow } = colours;
  const paint = (line: string) => /^https?:/.test(line) ? cyan(line) : dim(line);
  // A section without lines is not shown.
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ["Issuer", [
      bold(settings.issuer),
      ...(findProfile(configuration.paths).namesIssuers
        ? [dim(`Any other name is an issuer, too: ${new URL("NAME", settings.issuer)}`)]
        : []),
      ...settings.also.map((url) => dim(`Programs may reach it at ${url}, too.`)),
      ...describeAddress(options).map(dim),
    ]],
    ["Trust", describeTrust(options).map((line, index) => index === 0 ? line : dim(line))],
    ["Clients", [
      ...alignedRows([...settings.clients.values()].map(describeClient), colours),
      ...describeOtherClients(options).map(dim),
      ...describeSelfRegistration(options).map(dim),
    ]],
    ["People", [
      ...alignedRows(settings.people.all.map(describePerson), colours),
      ...describeLogin(options).map(dim),
      ...describePeopleFile(options).map(dim),
    ]],
    ["Config", describeConfig(options, colours)],
    ["Resource", describeResource(options).map(paint)],
    ["mTLS", describeOtherPort(options).map(paint)],
    ["Store", store === "memory" ? [] : [hidePassword(store), ...describeReset(options).map(dim)]],
    ["Control", describeControl(options).map(paint)],
    ["Metrics", describeMetrics(options).map(paint)],
    ...additions.map(({ title, lines }) => [title, lines.map(paint)] as const),
    ["Try it", describeFirstStart(settings).map(paint)],
    ["Look", describeInspector(options).map(paint)],
    [
      "Like",
      looksLike === undefined ? [] : [
        `This server looks like ${looksLike}.`,
        ...additions.some(({ title }) => title === "Proxy") ? [] : [
          dim(
            "With --proxy, programs meet it at the hosts of the provider, and this start names its issuer.",
          ),
        ],
      ],
    ],
    ["Faults", [...describeFaults(options), ...faults].map(yellow)],
    ["Settings", describeForms(options).map(dim)],
    ["Beware", describeDangers(options).map(yellow)],
  ];
  return [
    "",
    `  ${bold("Postern")} ${dim(project.version)}`,
    "",
    ...sections.flatMap(([title, lines]) =>
      lines.map((line, index) => `  ${dim((index === 0 ? title : "").padEnd(8))}  ${line}`)
    ),
    "",
    // These lines have no indent, so that the user can copy them.
    ...[
      ...describeApplication(options.form, settings, configuration, options),
      ...additions.flatMap(({ copied }) => copied.length === 0 ? [] : ["", ...copied]),
    ].map((line) => /^(#|\/\/)/.test(line) ? dim(line) : line),
    "",
  ].map((line) => line.trimEnd()).join("\n");
}

/** Summarises the server for `--log json`, without the key of the inspector and the password of the store. */
export function summariseServer(options: BannerOptions): Readonly<Record<string, unknown>> {
  const { settings: { issuer, also }, control, metrics, faults = [], additions = [] } = options;
  return {
    version: project.version,
    issuer,
    ...present({ also: also.length === 0 ? undefined : also }),
    listens_at: options.listensAt,
    store: hidePassword(options.store),
    ...present({
      config: options.file?.path,
      control: control?.url,
      control_needs_token: control?.needsToken,
      metrics: metrics?.url,
      inspector: options.inspectorUrl?.replace(/#.*/s, ""),
      faults: faults.length === 0 ? undefined : faults,
      variables: options.variables,
      looks_like: options.looksLike,
      tls_ca: options.trust?.certFile,
    }),
    ...Object.assign({}, ...additions.map(({ members }) => members)),
  };
}

function describeOtherClients({ settings, configuration }: BannerOptions): readonly string[] {
  const { clients, clientAuthMethods, profile } = configuration;
  if (hasFeature("first_use", configuration)) {
    const isAutomatic = settings.automaticPerson !== undefined;
    return [
      ...describeFirstUse(clientAuthMethods),
      `It is remembered ${isAutomatic ? "at its first login" : "when you approve it"}.`,
    ];
  }
  if (profile !== undefined && settings.clients.size === 0) {
    return [
      `No client_id works: the profile ${profile} needs the clients of a configuration (--config FILE).`,
    ];
  }
  if (clients?.length === 0) return ["No client_id works, because the configuration has no clients."];
  return [`No other client_id works, because ${explainNoFirstUse(configuration)}.`];
}

/** An app is a public client (RFC 8252 §8.4). */
function describeFirstUse(methods: readonly string[] | undefined): readonly string[] {
  const works = "Any other client_id works too, if its redirect URI is on localhost";
  return [
    ...(methods?.includes(publicClientMethod) ?? true
      ? [works, "or has the scheme of an app (com.example.app:/cb)."]
      : [`${works}.`]),
    ...(methods === undefined ? [] : [`It authenticates with ${methods.filter(needsNoKey).join(" or ")}.`]),
  ];
}

function explainNoFirstUse(configuration: Configuration): string {
  if (configuration.profile === undefined && !acceptsKeylessClients(configuration)) {
    return "clientAuthMethods has no method for a client without a key";
  }
  return configuration.clients !== undefined
    ? "the configuration has its own clients"
    : "the configuration has firstUse: false";
}

function describeSelfRegistration({ settings, configuration }: BannerOptions): readonly string[] {
  if (!hasFeature("registration", configuration)) return [];
  const { baseUrl, paths } = settings;
  const options = typeof configuration.registration === "object" ? configuration.registration : {};
  const isOpen = options.open ?? (options.initialAccessTokens ?? []).length === 0;
  const token = isOpen ? "" : ", with an initial access token";
  return [`A client can register itself at ${baseUrl}${paths.register}${token}.`];
}

function describeConfig({ file, variables }: BannerOptions, { dim }: Colours): readonly string[] {
  return [
    ...(file === undefined ? [] : [file.path, ...describeWatch(file).map(dim)]),
    ...(variables === undefined ? [] : [dim(`From the environment: ${variables.join(", ")}`)]),
  ];
}

function describeWatch({ isWatched }: { readonly isWatched: boolean }): readonly string[] {
  return isWatched ? ["The server applies the file again when it changes."] : [];
}

function describeAddress({ settings: { issuer }, listensAt }: BannerOptions): readonly string[] {
  if (issuer.includes(listensAt)) {
    return issuer.startsWith("http:") ? ["If a library insists on https, start with --tls."] : [];
  }
  const { protocol, hostname, port } = new URL(issuer);
  const isPlainLoopback = protocol === "http:" && isLoopbackHost(withoutBrackets(hostname));
  const listening = `The server listens on ${listensAt}.`;
  return !isPlainLoopback || listensAt.endsWith(`:${port || "80"}`) ? [listening] : [
    `${listening} But the issuer tells clients to use port ${port || "80"}:`,
    "without a proxy there, give both the same port.",
  ];
}

function describeTrust({ trust, program }: BannerOptions): readonly string[] {
  if (trust === undefined) return [];
  const { certFile, isNew, name } = trust;
  const command = `${program} trust${name === undefined ? "" : ` --tls-name ${name}`}`;
  const state = isNew ? "This authority is new. " : "";
  return [visible(certFile), `${state}Clients must trust it: "${command}" says how.`];
}

type Row = readonly [name: string, details: string];

function describeClient(client: Client): Row {
  const { id, demoSecret, redirectUris } = client;
  const method = methodOf(client);
  const kind = method === publicClientMethod ? "public" : method;
  const [first, ...more] = redirectUris;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  const where = first === undefined ? "no redirect URI" : `redirect URI ${first}${others}`;
  return [id, demoSecret === undefined ? `${kind}, ${where}` : `${kind}, secret ${demoSecret}`];
}

function describePerson(person: Person): Row {
  const { username, name, email, hasPassword } = summarisePerson(person);
  const details = [name, email, hasPassword ? "with a password" : undefined].filter((each) =>
    each !== undefined
  );
  return [username, details.join(", ")];
}

function describeLogin({ settings, configuration }: BannerOptions): readonly string[] {
  const { automaticPerson, people } = settings;
  const { login, paths } = configuration;
  if (typeof login === "object" && findProfile(paths).namesIssuers) {
    return describeLogins(login, people.all[0]?.username);
  }
  if (automaticPerson === undefined) return [];
  const other = people.all.find(({ username }) => username !== automaticPerson)?.username;
  return [
    `Sign-in and consent are automatic, as ${automaticPerson}.`,
    ...(other === undefined ? [] : [`A request with login_hint=${other} signs in ${other}.`]),
  ];
}

/** Issuers without an entry have the one of `*`, or else a sign-in page. */
function describeLogins(
  { "*": others = "picker", ...named }: Readonly<Record<string, string>>,
  firstPerson: string | undefined,
): readonly string[] {
  const rows = Object.entries({ ...named, "any other issuer": others }).map(([name, form]) =>
    form === "picker"
      ? `${name}: a sign-in page`
      : `${name}: automatic, as ${form === "auto" ? firstPerson : form.slice("auto:".length)}`
  );
  return ["Sign-in and consent:", ...rows.map((row) => `- ${visible(row)}`)];
}

function describeOtherPort({ settings: { otherPort } }: BannerOptions): readonly string[] {
  if (otherPort === undefined) return [];
  return [
    otherPort.baseUrl,
    "It asks clients for certificates. mtls_endpoint_aliases in the metadata has its endpoints.",
  ];
}

function describeResource(options: BannerOptions): readonly string[] {
  const { demoResource: url } = options.settings;
  if (url === undefined) return [];
  const lines = describeApiCommand(url, options);
  return [url, ...(lines.length === 0 ? [] : ["It says who calls it, in a POSIX shell:", ...lines])];
}

function describePeopleFile({ peopleFile, control }: BannerOptions): readonly string[] {
  if (peopleFile === undefined) return [];
  return [
    control === undefined
      ? `They are in ${visible(peopleFile.path)}.`
      : `Changes of people are written to ${visible(peopleFile.path)}.`,
    ...describeWatch(peopleFile),
  ];
}

function describeReset({ control }: BannerOptions): readonly string[] {
  return control === undefined ? [] : [
    "A reset through the control plane deletes all of it but the signing keys.",
    "Clock, gates, hooks, misbehaviours and the journal are in memory.",
  ];
}

function describeControl({ control }: BannerOptions): readonly string[] {
  if (control === undefined) return [];
  return [
    control.url,
    control.needsToken
      ? "Each request needs Authorization: Bearer, with the token of --control."
      : "No token is needed, so every program on this machine can control the server.",
    ...(control.hasPublishedKeys
      ? ["Its private keys are published, so everyone can forge its tokens."]
      : []),
  ];
}

function describeMetrics({ metrics }: BannerOptions): readonly string[] {
  if (metrics === undefined) return [];
  return [
    metrics.url,
    metrics.needsToken
      ? "Each request needs Authorization: Bearer, with the token of --metrics."
      : "Programs on this machine can read it, without a token.",
  ];
}

function describeInspector({ inspectorUrl }: BannerOptions): readonly string[] {
  if (inspectorUrl === undefined) return [];
  return [inspectorUrl, "It shows each request. The key shows the codes and tokens, too."];
}

function describeFaults({ configuration, settings: { issuer } }: BannerOptions): readonly string[] {
  const { issSent = "right", issAnnounced = true } = configuration;
  const iss = readResponseIssuer(issSent, issuer);
  return [
    ...(issAnnounced ? [] : ["issAnnounced: the metadata does not announce iss."]),
    ...(issSent === "right"
      ? []
      : [`issSent: authorization responses have ${iss === undefined ? "no iss" : `iss=${iss}`}.`]),
  ];
}

function describeForms({ form, printCommand }: BannerOptions): readonly string[] {
  const forms = applicationForms.map((each) => each === form ? `${each} (below)` : each);
  // The section begins in the 13th of 88 columns.
  return [...forms.join(", ").match(/\S.{0,74}(?:,(?= )|$)/g) ?? [], ...printCommand];
}

export function describeDangers({ settings, configuration, isReached }: BannerOptions): readonly string[] {
  if (!isReached) return [];
  const open = settings.people.all.some(({ password }) => password === undefined);
  return [
    "Other machines can reach this server.",
    ...(settings.demo ? ["Its demo credentials are public."] : []),
    ...(hasFeature("first_use", configuration) ? ["Any visitor can use it with a new client."] : []),
    ...(settings.frontPage === "full" ? ["Its front page lists clients and people."] : []),
    ...(open ? ["Any visitor can sign in as a person who has no password."] : []),
  ];
}

function alignedRows(rows: readonly Row[], { dim }: Colours): readonly string[] {
  const firstRows = rows.slice(0, mostListed);
  const column = Math.min(28, Math.max(0, ...firstRows.map(([name]) => name.length)));
  return [
    ...firstRows.map(([name, details]) => `${visible(name).padEnd(column)}  ${dim(visible(details))}`),
    ...(rows.length > mostListed ? [dim(`and ${rows.length - mostListed} more`)] : []),
  ];
}

function describeFirstStart(settings: Settings): readonly string[] {
  const own = callbackUri(settings);
  const slots = gatherSlots(defaultFeatures(everyFeature));
  const client = [...settings.clients.values()].find((each) =>
    each.redirectUris.includes(own) && findRequiredSources(each, { settings, slots }).length === 0
  );
  return client === undefined ? [] : [new URL(startUrlOf(client, settings), settings.issuer).href];
}
