/** The English words of the pages that people without the control plane see. Each language has a file like this one. */

import { type ErrorsWords, errorsWords } from "./errors_english.ts";
import type { Sentence } from "./sentence.ts";
import { type WalkWords, walkWords } from "./walk_english.ts";

/** Descriptions of the usual scopes. A Map, because a scope may be called `constructor`. */
const scopeWords: ReadonlyMap<string, string> = new Map([
  ["openid", "Know who you are"],
  ["profile", "See your profile: your name, picture and the like"],
  ["email", "See your email address"],
  ["address", "See your postal address"],
  ["phone", "See your phone number"],
  ["offline_access", "Keep this access while you are away"],
  ["read", "Read your data"],
  ["write", "Change your data"],
]);

const refusalHeadings: ReadonlyMap<number, string> = new Map([
  [401, "Please identify yourself"],
  [403, "This is not allowed"],
  [404, "There is nothing here"],
  [405, "This method is not allowed here"],
  [408, "That took too long"],
  [409, "This was answered before"],
  [413, "The request is too large"],
  [415, "The request has a type that we do not read"],
  [421, "This is not the address of this server"],
  [429, "Too many attempts"],
  [503, "Busy for a moment"],
]);

/** What a client without configuration can choose about itself. */
type ChosenPart = "name" | "links";

function describeChosen(parts: readonly ChosenPart[]): string {
  return parts.length === 0 ? "" : `, so it chose ${parts.map((part) => `its ${part}`).join(" and ")}`;
}

/** The authentication methods in words, by their registered names. */
const authenticationWords: ReadonlyMap<string, string> = new Map([
  ["none", "Public (PKCE)"],
  ["client_secret_basic", "Confidential: secret, by HTTP Basic"],
  ["client_secret_post", "Confidential: secret, in the request body"],
  ["client_secret_jwt", "Confidential: a JWT signed with its secret"],
  ["private_key_jwt", "Confidential: a JWT signed with its own key"],
  ["tls_client_auth", "Confidential: a TLS certificate"],
  ["self_signed_tls_client_auth", "Confidential: a self-signed TLS certificate"],
]);

function inSeconds(seconds: number): string {
  return seconds === 1 ? "a second" : `${seconds} seconds`;
}

/** Returns the remaining time in words. With scripts, the page counts down in minutes and seconds instead. */
function about(seconds: number): string {
  if (seconds < 45) return "in less than a minute";
  if (seconds < 90) return "in about a minute";
  return `in about ${Math.round(seconds / 60)} minutes`;
}

function lasting(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, "minute"] : [seconds, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

export const english = {
  /** The language as a BCP 47 tag. */
  language: "en",

  frame: {
    name: "Postern",
    title: (page: string): string => `${page} · Postern`,
    skip: "Skip to the content",
    misbehaving: "This server is wrong on purpose:",
    looksLike: (titles: readonly string[]): string => `This server looks like ${titles.join("; ")}.`,
    footer: "Postern, a pocket OAuth 2.1 authorization server",
    pages: "Pages",
    links: {
      home: "Home",
      playground: "Playground",
      inspector: "Inspector",
      people: "People",
      clients: "Clients",
      misbehaviours: "Misbehaviours",
      api: "API",
    },
    search: "Search for a client, a person, a request or a rule",
    searchHint: "Search",
    badges: {
      stoppedClock: (now: string): string => `Clock stopped at ${now}`,
      turnedClock: (by: string, isAhead: boolean): string => `Clock is ${by} ${isAhead ? "ahead" : "behind"}`,
      gate: (endpoints: readonly string[]): string => `Gate closed: ${endpoints.join(", ")}`,
      misbehaviour: (count: number): string =>
        count === 1 ? "1 misbehaviour is on" : `${count} misbehaviours are on`,
    },
  },

  search: {
    heading: "Search",
    label: "A part of a name, an id, an error or a rule",
    send: "Search",
    nothing: (query: string): string => `Nothing was found for “${query}”.`,
    kinds: { client: "Clients", person: "People", rule: "Rules that requests broke", request: "Requests" },
  },

  readOnly: {
    needs_flag: <Piece>(flag: Piece): Sentence<Piece> => [
      "This page is read only. To change something here, start the server with ",
      flag,
      ".",
    ],
    needs_option: <Piece>(option: Piece): Sentence<Piece> => [
      "This page is read only. To change something here, open the dashboard with ",
      option,
      ".",
    ],
    never: <Piece>(flag: Piece): Sentence<Piece> => [
      "This page is read only. Only the mock of a test, or a server with ",
      flag,
      ", can be changed here.",
    ],
  },

  session: {
    inspector: {
      heading: "Show the secrets",
      about:
        "The key is in the address of the inspector, after #key=. With it, the inspector shows codes, tokens and verifiers, and exports. Each tab asks for it once.",
      label: "Key",
      wrong: "This is not the key of this server.",
      send: "Show the secrets",
    },
    control: {
      heading: "Change this server",
      about:
        "The pages that change this server need the token of its control plane. Each tab asks for it once.",
      label: "Token of --control",
      wrong: "This is not the token that the server was started with.",
      send: "Continue",
    },
    opened: "This tab may change the server",
    goOn: "Continue",
  },

  copy: {
    action: "Copy",
    done: (what: string): string => `Copied${what}.`,
    failed: (what: string): string => `Selected${what}: copy it with your keyboard.`,
    rest: "… stands for the rest of a long value. A copy has the whole value.",
  },

  client: {
    unverified: "Unverified",
    unverifiedReason:
      "This client is not configured, and any program can use its id. Approve it only if you started it yourself.",
    describesItselfIn: {
      registration: {
        reason: (chosen: readonly ChosenPart[]): string =>
          `This client registered itself${
            describeChosen(chosen)
          }. Approve it only if you started it yourself.`,
        tag: "Registered itself",
        note: "This client is not configured. It registered itself at this server.",
      },
      document: {
        reason: (chosen: readonly ChosenPart[]): string =>
          `The document at this client's id describes it${
            describeChosen(chosen)
          }. Approve it only if you started it yourself.`,
        tag: "Client document",
        note: "This client is not configured. The document at its id describes it.",
      },
    },
    links: { site: "Web site", policy: "Privacy policy", terms: "Terms of service" },
    firstUse: "First use",
    firstUseReason:
      "This client is not configured. It keeps the redirect URI that its first use was approved with.",
    secretOpen: "This secret is for demonstrations and protects nothing.",
  },

  destination: {
    web: <Piece>(host: Piece): Sentence<Piece> => ["The answer will go to ", host, "."],
    here: <Piece>(host: Piece): Sentence<Piece> => ["The answer will go to ", host, ", on this computer."],
    app: <Piece>(scheme: Piece): Sentence<Piece> => [
      "The answer will go to the app on this device that opens ",
      scheme,
      " links.",
    ],
  },

  home: {
    signedIn: "Signed in at this browser:",
    signOut: "Sign out",
    title: "The small gate beside the big one",
    heading: "The small gate beside the big one",
    about:
      "Postern is a pocket OAuth 2.1 authorization server: strict by default, and small enough to live inside a test.",
    start: "Start New Authorization",
    startWith: (client: string): string => ` with ${client}`,
    startNote: <Piece>(client: Piece): Sentence<Piece> => [
      "Walks through the whole flow as ",
      client,
      ": sign in, approve, and come back with a code.",
    ],
    startNoteElsewhere: <Piece>(client: Piece, uri: Piece): Sentence<Piece> => [
      "Walks through the flow as ",
      client,
      ": sign in, approve, and go on to ",
      uri,
      " with a code.",
    ],
    startInApplication: (sources: readonly string[]): string =>
      `Start in the application: this client must send each request as a ${sources.join(" and a ")}.`,
    hidden:
      "Clients and people are not listed here: that is the default where other machines can reach the server.",
    automatic: <Piece>(person: Piece): Sentence<Piece> => [
      "Sign-in and consent are automatic here: each request is answered as ",
      person,
      ".",
    ],
    issuer: "Issuer",
    issuerNote: "Give this to a client library and it finds everything else.",
    metadata: <Piece>(link: Piece): Sentence<Piece> => ["Discovery document: ", link],
    tryClient: "Try a client",
    playground: "Build a request yourself",
    testApi: "Test an API",
    testApiNote: "An API verifies access tokens of this issuer with these keys:",
    getToken: "Get a token for your API",
    seeWhat: "See what happened",
    seeWhatNote: "The inspector shows each request and its answer, and explains each refusal.",
    inspector: "Open the inspector",
    recent: "Recent requests",
    snippets: "Connect your application",
    snippetsNote: "Settings and programs for the usual libraries, with the values of this server.",
    copySnippet: (name: string): string => ` the text for ${name}`,
    cannotStart: {
      no_code_grant: "People cannot sign in to this client: its grant_types lack authorization_code.",
      no_redirect_uri: "No flow can start here: this client has no redirect_uris.",
    },
    clients: "Clients",
    noClients: "No client is configured.",
    firstUse: (worksForApps: boolean): string =>
      `Any other client id works too: use it once with a redirect URI on this computer${
        worksForApps ? " or of an app" : ""
      }, and approve the request. From then on, the client must use that URI.`,
    clientId: "Client id",
    authentication: "Kind",
    authenticationOf: (method: string): string =>
      authenticationWords.get(method) ?? `Authenticates by ${method}`,
    secret: "Secret",
    redirectUris: "Redirect URIs",
    noRedirectUris: "None registered",
    people: "People",
    noPeople: "No people are configured.",
    oneClick: "one click, no password",
    password: "signs in with a password",
    endpoints: "Endpoints",
    copyIssuer: " the issuer",
    copyEndpoint: (name: string): string => ` the ${name}`,
    copyClientId: (client: string): string => ` the id of ${client}`,
    copySecret: (client: string): string => ` the secret of ${client}`,
  },

  signIn: {
    title: "Sign in",
    titleAgain: "Sign in: please try again",
    heading: "Sign in",
    asks: <Piece>(client: Piece): Sentence<Piece> => [client, " would like to know who you are."],
    people: "Who would you like to be?",
    find: "Name, username or email",
    findSend: "Continue",
    morePeople: (shown: number, all: number): string =>
      `These are ${shown} of ${all} people. For the others, type the username or the email address above.`,
    continueAs: "Continue as ",
    addPerson: "Add a person",
    passwordInstead: "Or with a password",
    withPassword: "With a password",
    username: "Username",
    password: "Password",
    passwordNote: <Piece>(people: Piece): Sentence<Piece> => [
      "Passwords are part of the ",
      people,
      " that this server was given.",
    ],
    passwordFileNote: <Piece>(flag: Piece, file: Piece): Sentence<Piece> => [
      "Passwords are in ",
      file,
      ", the file of ",
      flag,
      ".",
    ],
    signIn: "Sign in",
    deny: "Deny",
    denyNote: "Deny sends you back without signing in.",
    problems: {
      wrong_password: "That password is not right. Please try again.",
      unknown_person: "No person has that username. Please check the spelling.",
      password_needed: "This person signs in with a password.",
      password_not_set: "This person has no password, and signs in with one click.",
      disabled: "This account is disabled, so it cannot sign in. Please use another one.",
      too_many_attempts: (seconds: number): string =>
        `That was too many attempts. Please wait ${inSeconds(seconds)}, then try again.`,
      busy: (seconds: number): string =>
        `Too many people are signing in right now. Please wait ${inSeconds(seconds)}, then try again.`,
    },
  },

  accounts: {
    title: "Choose an account",
    heading: "Choose an account",
    people: "Signed in at this browser",
    anotherPerson: "Use another account",
    denyNote: "Deny sends you back. The application does not learn who you are.",
  },

  signOut: {
    title: "Sign out",
    heading: "Sign out?",
    asks: <Piece>(
      client: Piece,
    ): Sentence<Piece> => [client, " asks whether you want to sign out here, too."],
    people: "Signed in at this browser",
    signOut: "Sign out",
    signOutAll: "Sign out all",
    note:
      "Applications can then no longer use your data here. The exception is an application that you allowed to keep its access while you are away.",
    stay: "Stay signed in",
  },

  signedOut: {
    signed_out: {
      heading: "Signed out",
      text: "Your sign-in at this browser has ended.",
    },
    not_signed_in: { heading: "Signed out", text: "You were not signed in at this browser." },
    stayed: { heading: "Still signed in", text: "Nothing was changed." },
    told: "Applications that you had signed in to",
    outcomes: {
      told: "knows that you have signed out.",
      no_address: "was not told, because it has no backchannel_logout_uri. You may still be signed in there.",
      no_answer: "was told, but did not answer. You may still be signed in there.",
      not_allowed:
        "was not told, because this server may not call its address. You may still be signed in there.",
      refused: (status: number): string =>
        `was told, but answered with status ${status}. You may still be signed in there.`,
    },
    home: "Back to Home",
  },

  request: {
    details: "Details of the request",
    client: "Client",
    links: "Pages of the client",
    goesTo: "The code goes to",
  },

  consent: {
    title: (client: string): string => `Allow ${client}?`,
    heading: <Piece>(client: Piece): Sentence<Piece> => ["Allow ", client, "?"],
    signedInAs: "Signed in as",
    goesToApp: "Any app on this device that opens links with this scheme can receive it.",
    answersOnLoopback: <Piece>(host: Piece): Sentence<Piece> => [
      "The code goes to a program on this machine. The server cannot check that this program is from ",
      host,
      ".",
    ],
    scopes: "It would be able to",
    leftOut: "Last time you left out what is not checked here, so you are asked again.",
    claims: "And to know about you",
    problems: { no_scope_granted: "Keep at least one of these, or deny the request." },
    noScopes: "It asks for no particular access.",
    scope: <Piece>(name: Piece): Sentence<Piece> => ["Use the scope ", name],
    scopeOf: (name: string): string | undefined => scopeWords.get(name),
    resources: "At these resources",
    approve: "Approve",
    deny: "Deny",
    denyNote: "Deny gives the client no access.",
    changePerson: "Use another account",
    fromAnotherSite:
      "Consent is automatic here, but another site sent you and this client is not configured, so you are asked. To a browser, 127.0.0.1 and localhost are two sites.",
  },

  callback: {
    success: "Authorization Successful!",
    successLead: "Step 1 is done: the client has an authorization code. Step 2 exchanges it for tokens.",
    unknownLead:
      "This address holds a code that the server does not know, or no longer knows: the token endpoint will refuse it. Start a new authorization.",
    expiredLead: "Step 1 ended with an authorization code, and the code has expired since.",
    usedLead: "Step 1 ended with an authorization code, and step 2 has been tried with it.",
    failure: "Authorization Failed",
    failureLead: "Step 1 ended without an authorization code.",
    declinedLead: "The person declined.",
    noResponseLead: "This address has neither a code nor an error: nothing was authorized here.",
    foreignHeading: "A code from another issuer",
    foreignCodeLead: "A client stops here and starts a new authorization.",
    foreignIssuer: <Piece>(issuer: Piece): Sentence<Piece> => [
      "This answer names another issuer, ",
      issuer,
      ". Do not send the code anywhere: it may be part of an attack that mixes up two servers (RFC 9207).",
    ],
    error: "Error",
    errorDescription: "Description",
    code: "Authorization code",
    state: "State",
    codeVerifier: "PKCE code verifier",
    redirectUri: "Redirect URI",
    tokenEndpoint: "Token endpoint",
    copyCode: " the code",
    copyState: " the state",
    copyRedirectUri: " the redirect URI",
    copyTokenEndpoint: " the token endpoint",
    shell: "POSIX shell",
    copyVerifier: " the code verifier",
    copyPublic: " the request of a public client",
    copyConfidential: " the request of a confidential client",
    endsAt: <Piece>(time: Piece): Sentence<Piece> => ["The code expires at ", time, "."],
    ends: <Piece>(
      time: Piece,
      left: Piece,
    ): Sentence<Piece> => ["The code expires at ", time, ", ", left],
    // The full stop is a part of this text, because text that follows a countdown moves.
    endsAbout: (seconds: number): string => `${about(seconds)}.`,
    /** `{time}` is where the script writes the time of the browser's time zone. */
    localTime: "{time} on this device.",
    /** `{left}` is where the script writes minutes and seconds. */
    endsIn: "in {left}.",
    endsNow: "The code has just expired. The token endpoint will refuse it: start a new authorization.",
    ended: <Piece>(time: Piece): Sentence<Piece> => [
      "The code expired at ",
      time,
      ". The token endpoint will refuse it: start a new authorization.",
    ],
    used: "The code has been exchanged. It works only once: the token endpoint will refuse it from now on.",
    steps: "Next steps",
    stepCopy: <Piece>(code: Piece): Sentence<Piece> => ["Copy the ", code, " above."],
    stepCopyWords: "authorization code",
    stepVerifier:
      "Use the PKCE code verifier whose challenge was in the authorization request. Only the client that made it knows it.",
    stepVerifierKnown: <Piece>(verifier: Piece): Sentence<Piece> => [
      "Use the PKCE code verifier whose challenge was in the authorization request. The flow began on this server, so here it is: ",
      verifier,
    ],
    stepPost: <Piece>(endpoint: Piece): Sentence<Piece> => [
      "POST both to the token endpoint ",
      endpoint,
      " as one of these two requests does.",
    ],
    examples: "Example token requests",
    examplesNote: <Piece>(sample: Piece): Sentence<Piece> => [
      "Ready to paste into a POSIX shell. Replace what is marked ",
      sample,
      " first.",
    ],
    sample: "<LIKE_THIS>",
    publicHeading: "Public client",
    publicNote: <Piece>(id: Piece, verifier: Piece): Sentence<Piece> => [
      "It has no secret: it sends its ",
      id,
      " in the body, and must send the ",
      verifier,
      ".",
    ],
    confidentialHeading: "Confidential client",
    basicNote: <Piece>(option: Piece, header: Piece): Sentence<Piece> => [
      "It identifies itself with HTTP Basic; curl turns ",
      option,
      " into the header ",
      header,
      ". The id and the secret in it are form-encoded (RFC 6749 §2.3.1).",
    ],
    basicHeader: "Authorization: Basic <base64(client_id:client_secret)>",
    postNote: <Piece>(id: Piece, secret: Piece): Sentence<Piece> => [
      "It sends its ",
      id,
      " and its ",
      secret,
      " in the body.",
    ],
    assertionNote: <Piece>(assertion: Piece): Sentence<Piece> => [
      "It identifies itself with a signed JWT, sent as ",
      assertion,
      ".",
    ],
    yours: "Yours",
    yoursNote: "The code was given to a client of this kind. ",
    others: "For the other kind of client",
    othersNote:
      "For comparison only: the code was given to a client of the other kind, so the server refuses it from this one. ",
    neither: <Piece>(method: Piece): Sentence<Piece> => [
      "The client of this code authenticates by ",
      method,
      ", which neither request shows.",
    ],
    notes: "Notes",
    noteOnce: "The code is single-use: it can be exchanged once only.",
    noteQuick: (seconds: number): string =>
      `The code expires quickly: ${lasting(seconds)} after it was issued.`,
    noteQuickUnknown:
      "The code expires quickly: the authorization server decides when, typically 5 to 10 minutes after it was issued.",
    noteRedirect: <Piece>(parameter: Piece): Sentence<Piece> => [
      "The ",
      parameter,
      " must be identical to the one in the authorization request.",
    ],
    noteVerifier: <Piece>(parameter: Piece): Sentence<Piece> => [
      "Public clients must send the ",
      parameter,
      ": without it, the token endpoint refuses the code.",
    ],
    onward: "Where to go from here",
    home: "Back to Home",
    start: "Start New Authorization",
  },

  refusal: {
    headingOf: (status: number): string =>
      refusalHeadings.get(status) ??
        (status >= 500 ? "Something went wrong here" : "This request was refused"),
    /** For a person who opened the address of a form by hand. */
    startAgain: "Start again from the application",
    startAgainAdvice:
      "This address receives the forms of this server and shows no page of its own. Go back to the application that sent you here, and start again there. Nothing was approved.",
    startAgainHere: "Start the same request again",
    tryAgain: "Try again",
    endpoints: "What is here",
    statusOf: (status: number): string => `Status ${status}`,
    error: "Error",
    spec: "Rule",
    expected: "Expected",
    received: "Received",
    wouldHaveGoneTo: "Would have gone to",
    wouldHaveGoneToNote: "That address is not configured, so the answer stays here.",
    remedy: "What would allow it",
    remedyNote: <Piece>(flag: Piece, call: Piece): Sentence<Piece> => [
      "If this request should work, add this to the configuration: a file for ",
      flag,
      ", or the options of ",
      call,
      ". A server with configured clients has no demo clients.",
    ],
    remedyKind: "Configuration",
    copyRemedy: " the configuration",
    exchange: "Exchange",
    exchangeNote: "The server's log tells more under this id.",
    home: "Back to Home",
  },

  resource: {
    title: "A small API to try tokens",
    lead:
      "It says who calls it, with which access token. A browser that opens its address sends no token, so this answer has the status 401.",
    call: "How to call it",
    copyCall: " the request",
    proofNote: <Piece>(header: Piece): Sentence<Piece> => [
      "Clients of this server must prove a key (RFC 9449), so each call has a new proof in the header ",
      header,
      ".",
    ],
    audienceNote: <Piece>(param: Piece): Sentence<Piece> => [
      "The token must be for this address: the client names it in the parameter ",
      param,
      " of the authorization request.",
    ],
    metadata: "Metadata",
  },

  walk: walkWords as WalkWords,

  errors: errorsWords as ErrorsWords,

  formPost: {
    title: "One moment",
    heading: "One moment",
    about: <Piece>(host: Piece): Sentence<Piece> => ["Taking you back to ", host, "."],
    aboutApp: <Piece>(scheme: Piece): Sentence<Piece> => [
      "Taking you back to the app that opens ",
      scheme,
      " links.",
    ],
    stuck: "If nothing happens, press Continue.",
    proceed: "Continue",
  },
};

/** The words of one language. */
export type Words = typeof english;

/** Why the pages of a server change nothing. */
export type WhyReadOnly = keyof Words["readOnly"];
