/** The English words of the pages of the control plane. These pages have no other language. */

import type { Sentence } from "./sentence.ts";

/** The outcomes of a verdict in words, by their names. */
const outcomeWords: ReadonlyMap<string, string> = new Map([
  ["noticed", "Noticed."],
  ["fooled", "Fooled."],
  ["tolerated", "Tolerated."],
  ["broke", "Broke."],
  ["hung", "Hung."],
  ["not_reached", "Not reached."],
  ["unknown", "Unknown."],
]);

const adviceWords: ReadonlyMap<string, string> = new Map([
  ["fooled", "The application went on as if nothing were wrong."],
  ["broke", "The application stopped, although it had to go on."],
  [
    "not_reached",
    "Perhaps the application was still signed in, or has kept an earlier answer. Sign out or restart it, and repeat.",
  ],
  [
    "unknown",
    "The application may check this later, or never. Its own log can tell.",
  ],
]);

export const controlWords = {
  control: {
    title: "Control plane",
    heading: "Control Plane",
    about:
      "The test kit over HTTP, for tests in any language: log in, move the clock, rotate keys, hold requests, read what happened.",
    safety:
      "Programs make these calls. Web pages of other sites cannot, and this page only describes the calls.",
    examine: <Piece>(page: Piece): Sentence<Piece> => [
      "For an application that you log in to by hand, ",
      page,
      ".",
    ],
    examinePage: "let the server be wrong, and see what the application does",
    rule: "Names",
    ruleNote:
      "A call has the name of the test kit's method, in lower case with underscores: nextSignIn is /next_sign_in. Options keep their names, such as redirectUri. Tokens have the names of OAuth, such as refresh_token. In every call, username names the person and client names the client. Bodies are JSON.",
    answers:
      "An answer is JSON, or has the status 204 and no body. A refused call changes nothing. Its answer has error and error_description, and often place, where the mistake is, and expected, which says the right value.",
    tenantPath: "/_postern/tenants/NAME",
    tenants: <Piece>(path: Piece): Sentence<Piece> => [
      "Each tenant has the same calls below ",
      path,
      ". The first POST to a tenant that succeeds creates the tenant.",
    ],
    address: <Piece>(url: Piece, document: Piece): Sentence<Piece> => [
      "All paths here are below ",
      url,
      ". A program reads the same from the ",
      document,
      ".",
    ],
    document: "OpenAPI document",
    calls: "Calls",
    allCalls: "All calls",
    groups: {
      sign_in: "Sign in and out",
      tokens: "Tokens and keys",
      clock: "Clock",
      directory: "People and clients",
      client_documents: "Client documents",
      resources: "APIs",
      journal: "Requests",
      gates: "Late, held and lost answers",
      hooks: "Changed answers",
      misbehaviours: "Wrong on purpose",
      environment: "Settings of an application",
      servers: "Server and tenants",
    },
    only: { server: "Only for the server itself.", tenant: "Only for a tenant." },
    query: "In the query",
    body: "In the body",
    required: "required",
    answer: (status: number, members: string): string =>
      members === "" ? `Answers ${status}.` : `Answers ${status} with ${members}.`,
    example: "Example, for a POSIX shell",
    copy: (address: string): string => ` the example of ${address}`,
    expected: "Expected:",
    openDirectly:
      "If you followed a link, type the address of this page into the address bar of a browser on the same machine.",
    useCommands:
      "A browser cannot send the token. These commands read the list of calls, as JSON and as a page:",
    copyCommands: " the commands",
  },

  examine: {
    title: "Examine an application",
    heading: "Examine an Application",
    about:
      "This server gives one kind of wrong answer at a time. You start the login of your application, and this page says whether the application noticed.",
    safety:
      "Use a person and a client of this server that are made for tests. The wrong answers go to every client of this server, but only while this page says that they are on.",
    tokenAbout: "The server was started with a token, which keeps other people from this page.",
    token: "Token of --control",
    tokenWrong: "This is not the token that the server was started with.",
    tokenSend: "Continue",
    /** The name of the misbehaviour follows, if there is one. */
    headings: {
      choose: "What to try",
      baseline: "First, one login without a fault",
      offer: "Next:",
      running: "On now:",
      judged: "Verdict:",
    },
    nothingLeft: "Nothing is left",
    level: "How strongly the standard obliges the client",
    levels: {
      must: "The standard says MUST.",
      should: "The standard says SHOULD.",
      tolerate: "The server is only unusual, and the client has to go on.",
      hardening: "The standard gives advice or a choice.",
    },
    area: "Where the server is wrong",
    count: (count: number): string => `(${count})`,
    begin: "Begin with a login without a fault",
    problems: {
      no_login:
        "The server has seen no complete login: no authorization code was exchanged for tokens. Check that the application uses this issuer, and try again.",
      error:
        "The application fails although the server is right, so nothing could be blamed on a wrong answer. The requests of the next login help to find the reason.",
      altered:
        "Some answers were wrong on purpose: a hook, a misbehaviour or a look-alike is on. Remove it, and log in again.",
      nothing:
        "The application hangs although the server is right, so nothing could be blamed on a wrong answer. The requests of the next login help to find the reason.",
    },
    baseline: <Piece>(issuer: Piece): Sentence<Piece> => [
      "The server is right. Log in to your application, which must use the issuer ",
      issuer,
      ". This login shows that the application works, and which parts of the server it uses.",
    ],
    server: "The server",
    client: "A correct client",
    rule: "Rule",
    needs: "Only for clients with",
    readAtStart:
      "Most applications read the metadata and the keys of the server once. Switch the wrong answer on, and restart the application before you log in.",
    signOutFirst:
      "Before you switch it on, sign out of the application or open a private window, so that the application starts a new login.",
    switchOn: "Switch it on",
    skip: "Skip it",
    isOn: "Start your application's login now. The server is wrong until you answer below.",
    stop: "Stop: switch it off without a verdict",
    next: "Next",
    repeat: "Repeat",
    nothingLeftNote:
      "Every misbehaviour that you chose and that this login can reach has a verdict or was skipped.",
    wrongAnswers: (count: number): string =>
      count === 0
        ? "The server has given no wrong answer yet."
        : `The server has given ${count === 1 ? "1 wrong answer" : `${count} wrong answers`}.`,
    noRequests: "No request of the application has arrived yet.",
    requests: (older: number): string =>
      older === 0 ? "The server has seen:" : `The server has seen ${older} older requests, and then:`,
    evidence: "The requests that show it, the one with the wrong answer first:",
    lookAgain: "Look again",
    question: "What did your application show?",
    shown: {
      success: "It signed me in",
      error: "It showed an error",
      nothing: "Nothing, it hangs",
    },
    takeProven: "The login is over: take this verdict",
    outcomes: (outcome: string): string => outcomeWords.get(outcome) ?? outcome,
    advice: (outcome: string): string | undefined => adviceWords.get(outcome),
    card: "The card so far",
    waiting: (count: number): string => count === 0 ? "Nothing is left." : `${count} more to come.`,
    skipped: (count: number): string => `${count} skipped`,
    offer: "Offer it",
    download: "Download the card, without secrets, as",
    options: "Options",
    unused: "Left out, because the first login did not use it:",
    change: "Choose other levels and areas",
    changeAction: "Offer these",
    restart: "Start over",
    restartNote: "Starting over forgets the card, and begins with a login without a fault.",
  },
} as const;
