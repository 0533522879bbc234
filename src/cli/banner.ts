/** Describes the running server: its address, its clients and people, and settings to paste into an application. */

import type { Configuration } from "../setup/configuration.ts";
import { type Client, methodOf, publicClientMethod } from "../oauth/clients/client.ts";
import { callbackUri, startUrlOf } from "../oauth/authorization/sample_flow.ts";
import { findProfile } from "../oauth/endpoints/paths.ts";
import { type Person, summarisePerson } from "../oauth/people/people.ts";
import type { Settings } from "../oauth/settings.ts";
import { visible } from "../pages/visible.ts";
import { type ApplicationForm, describeApplication } from "./application.ts";
import type { Colours } from "./colours.ts";
import { version } from "./version.ts";

export interface BannerTerms {
  readonly settings: Settings;
  readonly configuration: Configuration;
  readonly acceptsFirstUse: boolean;
  /** The host and port of the socket. The banner shows them if the issuer has others. */
  readonly listensAt: string;
  readonly store: string;
  readonly form: ApplicationForm;
  /** Absent if the server has no control plane. */
  readonly control?: ControlSummary;
  /** Other machines can reach the server. */
  readonly isReached: boolean;
}

/** What the banner shows about the control plane. */
export interface ControlSummary {
  readonly url: string;
  readonly needsToken: boolean;
}

const mostListed = 12;

export function describeServer(terms: BannerTerms, colours: Colours): string {
  const { settings, configuration, acceptsFirstUse, listensAt, store, isReached, control } = terms;
  const { bold, dim, cyan, yellow } = colours;
  const startUrl = findFirstStartUrl(settings);
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ["Issuer", [
      bold(settings.issuer),
      ...(findProfile(configuration.paths).namesIssuers
        ? [dim(`and any other name: ${new URL("NAME", settings.issuer)}`)]
        : []),
      ...(settings.issuer.includes(listensAt) ? [] : [dim(`listening on ${listensAt}`)]),
    ]],
    ["Clients", [
      ...alignedRows([...settings.clients.values()].map(describeClient), colours),
      ...(acceptsFirstUse
        ? [dim("and any other client_id with a redirect URI on this machine (first use)")]
        : configuration.clients === undefined && configuration.firstUse === undefined
        ? [dim("and no other client_id: the issuer is not on this machine")]
        : []),
    ]],
    ["People", [
      ...alignedRows(settings.people.all.map(describePerson), colours),
      ...describeLogin(settings).map(dim),
    ]],
    ...(store === "memory" ? [] : [["Store", [store]] as const]),
    ...(control === undefined ? [] : [["Control", describeControl(control, colours)] as const]),
    ...(startUrl === undefined ? [] : [["Try it", [cyan(startUrl)]] as const]),
    ...(isReached ? [["Beware", describeExposure(terms).map(yellow)] as const] : []),
  ];
  return [
    "",
    `  ${bold("Postern")} ${dim(version)}`,
    "",
    ...sections.flatMap(([title, lines]) =>
      lines.map((line, index) => `  ${dim((index === 0 ? title : "").padEnd(8))}  ${line}`)
    ),
    "",
    // These lines have no indent, so that the user can copy them.
    ...describeApplication(terms).map((line) => /^(#|\/\/)/.test(line) ? dim(line) : line),
    "",
  ].map((line) => line.trimEnd()).join("\n");
}

type Row = readonly [name: string, details: string];

function describeClient(client: Client): Row {
  const { id, demoSecret, redirectUris } = client;
  const method = methodOf(client);
  const kind = method === publicClientMethod ? "public" : method;
  const [first = "no redirect URI", ...more] = redirectUris;
  const where = more.length === 0 ? first : `${first} and ${more.length} more`;
  return [id, demoSecret === undefined ? `${kind}, ${where}` : `${kind}, secret ${demoSecret}`];
}

function describePerson(person: Person): Row {
  const { username, name, email, hasPassword } = summarisePerson(person);
  const details = [name, email, hasPassword ? "with a password" : undefined].filter((each) =>
    each !== undefined
  );
  return [username, details.join(", ")];
}

function describeLogin({ automaticPerson, people }: Settings): readonly string[] {
  if (automaticPerson === undefined) return [];
  const other = people.all.find(({ username }) => username !== automaticPerson)?.username;
  const hint = other === undefined ? "" : `; login_hint=${other} signs in ${other}`;
  return [`sign-in and consent are automatic: ${automaticPerson}${hint}`];
}

function describeControl({ url, needsToken }: ControlSummary, { cyan, dim }: Colours): readonly string[] {
  const lines = needsToken ? ["needs Authorization: Bearer with the token of --control"] : [
    "needs no token: every program on this machine can use it,",
    "and tokens are signed with the test kit's published keys",
  ];
  return [cyan(url), ...lines.map(dim)];
}

function describeExposure({ settings, acceptsFirstUse }: BannerTerms): readonly string[] {
  const open = settings.people.all.some(({ password }) => password === undefined);
  return [
    "Other machines can reach this server.",
    ...(settings.demo ? ["Its demo credentials are published."] : []),
    ...(acceptsFirstUse ? ["Any visitor can use it with a new client."] : []),
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

function findFirstStartUrl(settings: Settings): string | undefined {
  const own = callbackUri(settings);
  const client = [...settings.clients.values()].find(({ redirectUris }) => redirectUris.includes(own));
  return client && new URL(startUrlOf(client, settings), settings.issuer).href;
}
