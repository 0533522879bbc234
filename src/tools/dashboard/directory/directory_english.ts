/** The words of the pages of people and clients. */

import { countOf } from "../parts/requests_english.ts";
import type { GrantCheck } from "../../../server/oauth/tokens/check_grant.ts";

/** Why the tokens of a grant have no effect. */
export type Loss = Extract<GrantCheck, { readonly isValid: false }>["loss"];
export type TokenKind = keyof typeof access["grants"]["tokens"];

export type Done = keyof typeof shared["done"];

const losses: Readonly<Record<Exclude<Loss, "grant_revoked">, string>> = {
  client_gone: "the client no longer exists, or is another one with the same id",
  person_gone: "the person no longer exists",
  person_disabled: "the person's account is disabled",
  password_changed: "the person has a new password",
  scope_removed: "the server or the client no longer has any of its scope",
  signed_out: "the person has signed out",
};

const shared = {
  filter: "Find",
  filterLabel: { people: "Username, name or email", clients: "Client id or name" },
  none: { people: "There are no people yet.", clients: "There are no clients yet." },
  noMatch: { people: "No person matches this.", clients: "No client matches this." },
  showAll: "Show all",
  shown: (from: number, to: number, all: number): string =>
    `${from.toLocaleString("en")} to ${to.toLocaleString("en")} of ${all.toLocaleString("en")}`,
  previous: "Previous",
  next: "Next",
  export: "Export as configuration",
  exportNeedsKey: "needs the key",
  tooMany: "The store has more records than this page reads, so the lists are not complete.",
  done: {
    added: "The person was added.",
    saved: "The changes were saved.",
    removed: "The person was removed.",
    client_removed: "The client was removed, and its tokens ended.",
    consent_ended: "The consent was forgotten. The person is asked again.",
    gone: "There was nothing left to end.",
  },
  access: (grants: number, signIns: number, consents: number): string => {
    const counts = [[grants, "grant"], [signIns, "sign-in"], [consents, "consent"]] as const;
    const told = counts.flatMap(([count, what]) => count > 0 ? [countOf(count, what)] : []);
    return new Intl.ListFormat("en").format(told);
  },
  ended: (what: string, whose: string): string => `Ended ${what} of ${whose}.`,
  endedByHand: (what: string): string => `A person ended ${what} on a page of the server`,
  grantEnded: (client: string, person: string): string =>
    `The grant of ${client} for ${person} was revoked, and all of its tokens ended.`,
  here: "this browser",
  requestsOf: (id: string): string => `All of ${id} in the inspector`,
  back: { people: "All people", clients: "All clients" },
  action: "Action",
  details: "Details",
  until: (moment: string): string => `until ${moment}`,
} as const;

const access = {
  columns: {
    since: "Since (UTC)",
    ends: "Ends in",
    approved: "Approval (UTC)",
    scope: "Scope",
    resource: "APIs",
    tokens: "Tokens end in",
    lastUse: "Last used",
  },
  side: { client: "Client", person: "Person" },
  signIns: {
    heading: "Signed in",
    none: "The person is not signed in.",
    clients: "Signed in to",
    noClients: "no client yet",
    automatic: "Automatic sign-in",
    count: (signIns: number, browsers: number): string =>
      countOf(signIns, "sign-in") + (browsers < signIns ? `, ${countOf(browsers, "browser")}` : ""),
    endAll: "Sign out everywhere",
    end: "Sign out",
    endWhat: (moment: string): string => ` of the browser of ${moment}`,
  },
  grants: {
    heading: "Grants",
    none: "There are no grants.",
    count: (grants: number): string => countOf(grants, "grant"),
    endAll: "Revoke all",
    everything: "all grants",
    more: "More about",
    noScope: "none",
    notUsed: "not yet",
    tokens: { code: "code", access_token: "access", refresh_token: "refresh" },
    goodFor: (audience: string): string => `accepted by ${audience}`,
    noTokens: "none left",
    lost: (loss: Loss): string => loss === "grant_revoked" ? "ended" : `no effect: ${losses[loss]}`,
    end: "Revoke",
    endWhat: (moment: string): string => ` the grant of ${moment}`,
    ownTokens: "Tokens that the client got for itself are not listed, because they belong to no grant.",
  },
  consents: {
    heading: "Remembered consents",
    none: "No consent is remembered.",
    end: "Forget",
    endWhat: (client: string, person: string): string => ` what ${person} allowed ${client}`,
  },
} as const;

const people = {
  heading: "People",
  columns: {
    name: "Name",
    username: "Username",
    email: "Email",
    signedIn: "Signed in (UTC)",
    grants: "Grants",
    tokens: "Tokens",
    signIn: "Sign-in",
  },
  keptIn: {
    memory: "People who are added here are in memory, until the server ends or is reset.",
    file: "Changes are written to the file of --people.",
  },
  add: "Add a person",
  end: "End access",
  endAccess: "End all access",
  endAccessOf: (person: string): string => ` of ${person}`,
  exportNote:
    "It has no passwords. A person with a password is exported as disabled, because otherwise one click would sign in.",
  /** Before the time of the latest sign-in. */
  signedIn: (browsers: number): string => browsers === 1 ? "since" : `${browsers} browsers, latest`,
  notSignedIn: "not signed in",
  here: (usernames: readonly string[]): string =>
    usernames.length === 0
      ? "In this browser, no person is signed in."
      : `This browser is signed in as ${usernames.join(", ")}.`,
  noGrants: "no grants",
  moreGrants: (count: number): string => ` and ${count} more`,
  automatic: "Signs in automatically",
  sub: "sub",
  secondFactor: "Second factor",
  factorKinds: { totp: "codes of an authenticator app", code: "a code that the server gives" },
  factorAlways: ", at each sign-in",
  authenticator: "Authenticator app",
  authenticatorNote: "An app that reads this code gives the codes of this person for the second factor.",
  authenticatorCode: "QR code for an authenticator app",
  authenticatorSecret: "The secret, to type",
  authenticatorLink: "The link of the QR code",
  signInWith: { password: "With a password", click: "With one click", disabled: "Disabled: cannot sign in" },
  claims: "Claims",
  noClaims: "none",
  edit: "Edit",
  fields: {
    username: "Username (required)",
    name: "Name",
    email: "Email address",
    sub: "sub (identifies the person in tokens)",
    subNote: "If this is empty, sub is the username.",
    claims: "Other claims, as a JSON object",
    claimsNote: 'For example { "roles": ["admin"] }',
    password: "Password",
    passwordNote: {
      new: "If this is empty, the person signs in with one click.",
      kept: "If this is empty, the person keeps the password.",
      none: "The person has no password, and signs in with one click.",
    },
    removePassword: "Remove the password: one click signs in",
    disabled: "Disabled: cannot sign in, and no token works",
  },
  save: "Save",
  addSend: "Add",
  remove: "Remove this person",
  removeNote: "The person's sign-ins and tokens end.",
  problem: "That did not work",
} as const;

const clients = {
  heading: "Clients",
  columns: {
    name: "Name",
    id: "Client id",
    source: "Source",
    authentication: "Authentication",
    endsAt: "A login ends at",
    grants: "Grants",
    start: "Login",
  },
  firstUse:
    "Any other client with a redirect URI on this machine works, too. It is listed here once a person approved it.",
  exportNote: "Secrets are not part of it.",
  origins: {
    configuration: "Configured",
    demo: "Demo client of this server",
    first_use: "First use: a person approved its first request",
    registration: "It registered itself (RFC 7591)",
    client_documents: "Its client_id is the address of its metadata",
  },
  groups: {
    configuration: "Configured",
    registration: "Registered",
    client_documents: "With a document",
    first_use: "First use",
  },
  methods: {
    none: "Public (PKCE)",
    undecided: "Its first token request decides",
  },
  redirectUris: "Redirect URIs",
  empty: "none",
  grantTypes: "Grant types",
  scope: "Scope",
  anyScope: "Every scope of the server",
  pkce: "PKCE",
  pkceIs: { required: "Required", optional: "Not required with a nonce" },
  approved: "Approved by",
  approvedBy: { operator: "The operator", person: "A person", none: "No person yet" },
  demoSecret: "Secret (published)",
  start: "Start",
  startDevice: "Start a device login",
  startOf: (client: string, cannotStart?: string): string =>
    ` a ${cannotStart === "device" ? "device login" : "login"} with ${client}`,
  begin: "Let the client begin",
  initiateLoginUri: "Begins a login at",
  cannotStart: {
    device: "People sign in to it with a code at /device.",
    no_code_grant: "It may not use the grant type authorization_code, so people cannot sign in to it.",
    no_redirect_uri: "It has no redirect URI, so people cannot sign in to it.",
    pushed: "It must push its requests (RFC 9126), which only the client itself can do.",
    signed: "It must sign its requests (RFC 9101), which only the client itself can do.",
    other_source: "It must send its requests in a way that a link cannot.",
  },
  cannotStartShort: {
    device: "with a code",
    no_code_grant: "no code grant",
    no_redirect_uri: "no redirect URI",
    pushed: "pushes its requests",
    signed: "signs its requests",
    other_source: "not by a link",
  },
  cannotStartHeading: "No link can start a login",
  remedy: "Configuration of this client",
  remedyNote: "Add it to the clients of the configuration, with the secret if it has one.",
  remove: "Remove this client",
  removeNote: "Its tokens end. The next request of the client begins anew.",
} as const;

export interface DirectoryWords {
  readonly shared: typeof shared;
  readonly access: typeof access;
  readonly people: typeof people;
  readonly clients: typeof clients;
}

export const englishDirectory: DirectoryWords = { shared, access, people, clients };
