/** The English words of the pages on which the server is made wrong: misbehaviours, clock, gates, look-alikes. */

import { sayCount } from "../../../ground/values/say_count.ts";
import { type ByName, byName } from "../../../ground/values/fill.ts";
import type { Grade } from "../../../kit/examine/card/grade.ts";
import { englishLevels, type LevelWords } from "../../../kit/timeline/levels_english.ts";

const outcomeWords: ByName = byName({
  pending: "No verdict yet.",
  noticed: "Noticed.",
  unharmed: "Unharmed.",
  fooled: "Fooled.",
  tolerated: "Tolerated.",
  broke: "Broke.",
  crashed: "Crashed.",
  hung: "Hung.",
  not_applicable: "Not applicable.",
  not_reached: "Not reached.",
  unknown: "Unknown.",
});

const areaWords: ByName = byName({
  metadata: "Discovery document",
  keys: "Public keys (JWKS)",
  login: "Values of the client's logins",
  authorization_response: "Answer to the redirect URI",
  jarm: "Answer as a JWT (JARM)",
  token_response: "Token response",
  id_token: "ID token",
  userinfo: "Userinfo",
  access_token: "Access token",
  refresh: "Refresh",
  authorization_details: "Authorization details",
  token_exchange: "Token exchange",
  introspection: "Introspection",
  revocation: "Revocation",
  logout: "Sign-out",
  registration: "Client registration",
  client_document: "Client documents",
  pushed_request: "Pushed requests",
  device: "Device logins",
  dpop: "DPoP at the server",
  mtls: "Tokens that are bound to a certificate",
  proof: "DPoP proofs, sent to an API",
  certificate: "Certificates, shown to an API",
  resource: "APIs and their metadata",
  transport: "Slow, broken and busy",
});

const phaseWords: ByName = byName({
  login: "While a person signs in",
  refresh: "When it refreshes its tokens",
  call_api: "When it calls an API",
  logout: "When a person signs out",
  register: "When it registers",
});

const adviceWords: ByName = byName({
  fooled: "The client went on as if nothing were wrong.",
  broke: "The client stopped where a correct one goes on.",
  unharmed: "The client showed no check. It did nothing wrong this time.",
  crashed: "The client met an error of its own code, which is no refusal.",
  not_reached:
    "Perhaps the client was still signed in, or has kept an earlier answer. Sign out or restart it, and repeat.",
  unknown: "The client may check this later, or never. Its own log can tell.",
});

export const englishMisbehaviours = {
  sections: {
    label: "Make the server wrong",
    misbehaviours: "Misbehaviours",
    clock: "Clock",
    gates: "Gates",
    look_alikes: "Look-alikes",
    examine: "Examine a client",
  },
  lookAgain: "Look again",
  problem: "This was not done:",

  catalogue: {
    about: (count: number): string =>
      `The server can be wrong in ${count} ways. Switch one on, use your client, and see whether it notices.`,
    search: "Search",
    hint: "nonce, RFC 9207",
    area: "Area",
    level: "Level",
    any: "Any",
    send: "Show",
    found: (count: number): string =>
      count === 0 ? "Nothing fits." : sayCount(count, "misbehaviour", "misbehaviours"),
    tooMany: (count: number): string => `${count} misbehaviours: choose an area`,
    withoutSwitches: ". Open one, or a level, to switch it on.",
    levelOption: (level: string, means: string): string => `${level}: ${means}`,
    group: (level: string, count: number): string => `${level} (${count})`,
    all: "Show everything",
    on: "On now",
    areas: (area: string): string => areaWords.get(area) ?? area,
    restore: "Make everything right again",
    restoreNote: "Switches everything off, opens all gates, and sets the clock right.",
    columns: { name: (area: string): string => area === "" ? "Name" : `${area}.`, server: "The server" },
    action: "Switch",
    count: "All",
    switchOn: "Switch on",
    elsewhere: { caller: "sent to an API", client: "sent by a client" },
  },
  levels: englishLevels as LevelWords,
  entry: {
    server: "The server",
    client: "A correct client",
    request: "The request",
    correctApi: "A correct API",
    rule: "Rule",
    level: "The standard",
    phase: "A client meets it",
    phases: (phase: string): string => phaseWords.get(phase) ?? phase,
    needs: "Only for clients with",
    needed: "Needs",
    api: "An API answers",
    bugs: "Seen in",
    area: "More of this area",
    switchAgain: "Switch it on once more",
    switchOn: "Switch it on",
    client_id: "For this client",
    username: "For this person",
    times: "Answers",
    probability: "Probability",
    everyClient: "every client",
    everyone: "everyone",
    everyTime: "all",
    always: "1 (always)",
    mustSend: "The client must send new values",
    elsewhere: {
      caller:
        "This is a fault of a request to an API and not of the server, so it cannot be switched on here. The commands below send it to your API.",
      client:
        "This is a fault of a client and not of the server, so it cannot be switched on here. The commands below run two logins of your client.",
    },
    try: "Try it elsewhere",
    short: {
      cli: "Server",
      examine: "Test command",
      examineApi: "API",
      kit: "TypeScript",
      http: "HTTP",
    },
    cli: "POSIX shell or PowerShell: a server that is wrong from the start",
    examine: "POSIX shell or PowerShell: a test command, judged",
    examineApi: "POSIX shell: an API, judged",
    kit: "TypeScript, in a test",
    http: "POSIX shell: over HTTP",
    copy: (kind: string): string => ` the example: ${kind}`,
  },
  on: {
    columns: { name: "Name", terms: "Where", answers: "Wrong answers", verdict: "Verdict" },
    heading: "It is on",
    terms: (terms: {
      readonly client?: string;
      readonly person?: string;
      readonly times?: number;
      readonly probability?: number;
    }): string =>
      [
        terms.client === undefined ? "for every client" : `for the client ${terms.client}`,
        ...(terms.person === undefined ? [] : [`for the person ${terms.person}`]),
        ...(terms.times === undefined ? [] : [sayCount(terms.times, "answer", "answers")]),
        ...(terms.probability === undefined ? [] : [`with a probability of ${terms.probability}`]),
      ].join(", "),
    count: (count: number): string =>
      count === 0
        ? "The server has given no wrong answer yet."
        : `The server has given ${sayCount(count, "wrong answer", "wrong answers")}.`,
    outcomes: (outcome: string): string => outcomeWords.get(outcome) ?? outcome,
    waiting: "Use your client now. The requests that prove something appear here.",
    evidence: "The requests that show it, the one with the wrong answer first.",
    allRequests: "All requests with a wrong answer, in the inspector",
    question: "What did the client do?",
    results: {
      success: "It went on",
      error: "It refused",
      unknown: "I cannot tell",
    },
    settledNote: "This verdict is final. The server is still wrong until you switch it off.",
    wasOn: "It was on",
    ended: "Switched off",
    off: "Switch off",
    offName: (name: string): string => ` ${name}`,
  },
  clock: {
    steps: {
      "-1d": "− 1 day",
      "-1h": "− 1 hour",
      "-1m": "− 1 minute",
      "1m": "+ 1 minute",
      "1h": "+ 1 hour",
      "1d": "+ 1 day",
    },
    about:
      "The server issues and checks tokens by this time. Turn it to let a code, a token or a session expire without waiting. The clocks of your computer and your client stay as they are.",
    /** `{time}`, `{state}` and `{end}` are where the page writes them. */
    sees: "Clients see {time}, {state}. An access token that is issued now ends at {end}.",
    /** `{time}` is where the script writes the time. */
    local: "{time} in your time zone",
    states: {
      right: "the right time",
      running: "turned, and running",
      frozen: "stopped",
    },
    move: "Move",
    by: "by",
    byHint: "90s, 2h, -1d 3h",
    moveNote:
      "Time passes, or goes back, for all: for the server, and for the clients and APIs of the test kit. Moves add up.",
    set: "Set",
    to: "to, in UTC",
    freeze: "Stop",
    freezeSend: "Stop the clock",
    resumeSend: "Let it run again",
    freezeNote: "A stopped clock stays at its time until it runs again. You can still move it.",
    skewHeading: "Wrong",
    skewNote:
      "Only the server's clock is badly set: the clients and APIs of the test kit keep the right time. With -90s, the iat of a new token is 90 seconds in the past. Each value replaces the one before, and 0 makes it right again.",
    skewSend: "Make it wrong",
  },
  gates: {
    about:
      "Let requests to an endpoint wait, come late, fail, or lose their response, and see what your client does.",
    closed: "Closed now",
    none: "No gate is closed: every request passes.",
    usedUp: "Used up",
    kinds: {
      hold: "Hold: requests wait until you release them",
      delay: "Delay: requests wait for a time",
      fail: "Fail: requests get an error, and the server does not handle them",
      drop: "Drop: the server handles the requests, and the responses are lost",
    },
    columns: {
      endpoint: "Requests to",
      happens: "What happens",
      waiting: "Now",
      used: "Until now",
      remaining: "Still to come",
    },
    action: "Open",
    happens: {
      hold: "wait until you release them",
      delay: "come late",
      fail: "fail",
      drop: "are handled, and the responses are lost",
    },
    waiting: (count: number): string => `${count} waiting`,
    all: "all",
    terms: (
      { by, status, retryAfter }: {
        readonly by?: string;
        readonly status?: number;
        readonly retryAfter?: string;
      },
    ): string =>
      [
        ...(by === undefined ? [] : [`by ${by}`]),
        ...(status === undefined ? [] : [`with the status ${status}`]),
        ...(retryAfter === undefined ? [] : [`Retry-After ${retryAfter}`]),
      ].join(", "),
    releaseOne: "Release the first",
    releaseAll: "Release all that wait",
    open: "Open it",
    remove: "Remove it",
    openAll: "Open all",
    of: (name: string): string => ` (${name})`,
    close: "Close a gate",
    kind: "What happens to the requests",
    count: "How many",
    countHint: "all",
    by: "Time",
    byHint: "for example 3s",
    status: "Status",
    statusHint: "503",
    retryAfter: "Retry-After",
    retryAfterHint: "for example 2s",
    send: "Close it",
    pageNote: "The endpoint “page” means every page of the server, but not the pages of this dashboard.",
  },
  lookAlikes: {
    about:
      "The server answers as a well-known provider does where the provider differs from the standards. Try whether your client works with it, without an account there.",
    differences: (count: number): string => sayCount(count, "difference", "differences"),
    same: "the same as",
    leftOut: "Not imitated",
    columns: { provider: "Provider", where: "Where", answers: "Answers" },
    clientFor: (title: string): string => `For this client: ${title}`,
  },

  examine: {
    about:
      "This server gives one kind of wrong answer at a time. You start the login of your client, and this page says whether the client noticed.",
    safety:
      "Use a person and a client of this server that are made for tests. The wrong answers go to every client of this server, but only while this page says that they are on.",
    headings: {
      choose: "What to try",
      baseline: "Sign in to your client once",
      offer: "Sign out of your client, then switch this on",
      running: "Sign in to your client now",
    },
    stopped: (done: string): string => `Stopped after ${done}`,
    finished: (all: number): string =>
      all === 0 ? "This login reaches nothing that you chose" : `All ${all} are done`,
    ended: (time: string, settled: number, done: string): string =>
      `The server was reset at ${time}. The examination ended ${
        settled === 0 ? "before its first verdict" : `after ${done}`
      }.`,
    stoppedNote: "The server is right.",
    endedNote: "The verdicts are kept until you start over.",
    progress: (done: number, all: number): string => `${done} of ${all}`,
    level: "What the standard says",
    area: "Where the server is wrong",
    count: (count: number): string => `(${count})`,
    begin: "Begin with a login without a fault",
    problems: {
      no_login:
        "The server has seen no complete login: no authorization code was exchanged for tokens. Check that the client uses this issuer, and try again.",
      error:
        "The client fails although the server is right, so nothing could be blamed on a wrong answer. The requests of the next login help to find the reason.",
      altered:
        "Some answers were wrong on purpose: a hook, a misbehaviour or a look-alike is on. Remove it, and sign in again.",
      nothing:
        "The client hangs although the server is right, so nothing could be blamed on a wrong answer. The requests of the next login help to find the reason.",
    },
    baseline:
      "The server is right. Your client must use the issuer {issuer}. This login shows that the client works, and which parts of the server it uses.",
    readAtStart:
      "Most clients read the metadata and the keys of the server once. Switch the wrong answer on, and restart the client before you sign in.",
    signOutFirst: "The client must start a new login. A private window does that, too.",
    skip: "Skip it",
    isOn: "The server is wrong until you answer.",
    stop: "Stop",
    goOn: "Go on",
    repeat: "Repeat",
    nothingLeftNote:
      "Every misbehaviour that you chose and that this login can reach has a verdict or was skipped.",
    noRequests: "No request of the client has arrived yet.",
    requests: (older: number): string =>
      older === 0 ? "The server has seen:" : `The server has seen ${older} older requests, and then:`,
    decided: "Is the login over?",
    question: "What did your client show?",
    shown: {
      success: "It signed me in",
      error: "It showed an error",
      nothing: "Nothing, it hangs",
    },
    takeProven: "Yes, take this verdict",
    advice: (outcome: string): string | undefined => adviceWords.get(outcome),
    card: "What came so far",
    columns: {
      name: "Misbehaviour",
      client: "What the client did",
      verdict: "Verdict",
      requests: "Requests",
    },
    older: (count: number): string => `${count} older on the card`,
    summary: ({ failed, advice, unjudged, passed }: Readonly<Record<Grade, number>>): string => {
      const all = failed + advice + unjudged + passed;
      return [
        failed === 0 ? "Nothing failed." : `${failed} of ${all} failed.`,
        [
          ...(advice === 0 ? [] : [`${advice} to consider`]),
          ...(unjudged === 0 ? [] : [`${unjudged} not judged`]),
          `${passed} passed.`,
        ].join(", "),
      ].join(" ");
    },
    waiting: (count: number): string => count === 0 ? "Nothing is left." : `${count} more to come.`,
    skipped: (count: number): string => `${count} skipped`,
    offer: "Offer it",
    openCard: "Open the card",
    download: "Download the card",
    downloadNote: "The card has no secrets.",
    cardHeading: "Report card",
    emptyCard: "There is no verdict yet.",
    grades: { failed: "Failed", unjudged: "Not judged", advice: "Advice", passed: "Passed" },
    goOnWith: "Go on with the examination",
    back: "Back to the examination",
    options: "Options",
    unused: (areas: string): string => `Left out, because the first login did not use them: ${areas}.`,
    change: "Choose other levels and areas",
    changeAction: "Offer these",
    restart: "Start over",
    restartNote: "Starting over forgets the card, and begins with a login without a fault.",
  },
} as const;

export type MisbehaviourWords = typeof englishMisbehaviours;
