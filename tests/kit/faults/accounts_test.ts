/** An application finds its accounts by `iss` and `sub`, and not by the email of a person (OpenID Connect Core §5.7). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import {
  examine,
  type ExamineTerms,
  type MisbehaviourName,
  type MockOptions,
  type Need,
} from "../../../src/kit/mod.ts";
import { authorizeUrl, requestToken } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { challengeOf } from "../../world.ts";

const only = ["login.email_of_another_person", "login.email_unverified"] as const;

interface Userinfo {
  readonly sub: string;
  readonly email: string;
  readonly email_verified?: boolean;
  readonly preferred_username?: string;
  readonly name?: string;
}

/** Logs a person in, and returns what the server says about the person. */
async function logIn(
  { fetch }: Parameters<ExamineTerms["client"]>[0],
  { issuer, redirectUri, browse }: Parameters<ExamineTerms["client"]>[1],
  scope = "openid email",
): Promise<Userinfo> {
  const verifier = crypto.randomUUID() + crypto.randomUUID();
  const own = { scope, state: crypto.randomUUID(), code_challenge: challengeOf(verifier) };
  const { searchParams } = await browse(authorizeUrl(issuer, own));
  const form = { code: `${searchParams.get("code")}`, redirect_uri: redirectUri, code_verifier: verifier };
  const { access_token: token } = await (await requestToken({ issuer, fetch }, form)).json();
  return await (await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })).json();
}

/** Finds or makes an account. A new one has the next number. */
function createAccounts(choose: (person: Userinfo) => string) {
  const accounts = new Map<string, number>();
  return (issuer: string, person: Userinfo) => {
    const key = `${issuer} ${choose(person)}`;
    const account = accounts.get(key) ?? accounts.size + 1;
    accounts.set(key, account);
    return account;
  };
}

async function findOutcomes(client: ExamineTerms["client"], options: MockOptions = {}) {
  const { rows } = await examine({ client, only, options });
  return rows.map(({ outcome, because }) => [outcome, because]);
}

const keptBy = (choose: (person: Userinfo) => string): ExamineTerms["client"] => {
  const find = createAccounts(choose);
  return async (as, scenario) => ({ account: find(scenario.issuer, await logIn(as, scenario)) });
};

const another = ["noticed", "A person with another sub is signed in to another account."];
const same = [
  "fooled",
  "A person with another sub is signed in to the account of another person.",
];
const because = same[1]!;

const keepers: Readonly<
  Record<string, readonly [(person: Userinfo) => string, readonly (readonly string[])[]]>
> = {
  "its sub": [({ sub }) => sub, [another, another]],
  "its email": [({ email }) => email, [same, ["fooled", `With the variant false: ${because}`]]],
  "its verified email": [
    ({ sub, email, email_verified: isVerified }) => isVerified ? email : sub,
    [same, ["fooled", `With the variant text: ${because}`]],
  ],
  "its email, which is verified if it is true": [
    ({ sub, email, email_verified: isVerified }) => isVerified === true ? email : sub,
    [same, another],
  ],
  "its email, unless it is said not to be verified": [
    ({ sub, email, email_verified: isVerified }) => isVerified === false ? sub : email,
    [same, ["fooled", `With the variant absent: ${because}`]],
  ],
};

for (const [name, [choose, outcomes]] of Object.entries(keepers)) {
  test(`accounts: an application that finds a person by ${name} (OpenID Connect Core §5.7)`, async () => {
    assertEquals(await findOutcomes(keptBy(choose)), outcomes);
  });
}

const similarKeepers: Readonly<
  Record<string, readonly [(person: Userinfo) => string, readonly (string | undefined)[]]>
> = {
  "its sub": [({ sub }) => sub, another],
  "its sub in small letters": [
    ({ sub }) => sub.toLowerCase(),
    ["fooled", `With the variant capitals: ${same[1]}`],
  ],
  "the first characters of its sub": [
    ({ sub }) => sub.slice(0, 8),
    ["fooled", `With the variant suffix: ${same[1]}`],
  ],
  "its sub without white space": [
    ({ sub }) => sub.trim(),
    ["fooled", `With the variant white_space: ${same[1]}`],
  ],
  "the part of its sub after the last bar": [
    ({ sub }) => `${sub.split("|").pop()}`,
    ["fooled", `With the variant before_bar: ${same[1]}`],
  ],
  "the part of its sub after the last colon": [
    ({ sub }) => `${sub.split(":").pop()}`,
    ["fooled", `With the variant before_colon: ${same[1]}`],
  ],
  "the part of its sub after the last slash": [
    ({ sub }) => `${sub.split("/").pop()}`,
    ["fooled", `With the variant before_slash: ${same[1]}`],
  ],
  "the part of its sub before the @": [
    ({ sub }) => `${sub.split("@")[0]}`,
    ["fooled", `With the variant after_at: ${same[1]}`],
  ],
  "its sub without dots": [
    ({ sub }) => sub.replaceAll(".", ""),
    ["fooled", `With the variant punctuation: ${same[1]}`],
  ],
  "the first 254 characters of its sub": [
    ({ sub }) => sub.slice(0, 254),
    ["fooled", `With the variant long: ${same[1]}`],
  ],
  "its sub, as a number if it is one": [
    ({ sub }) => /^[0-9]+$/.test(sub) ? `${Number(sub)}` : sub,
    ["fooled", `With the variant digits: ${same[1]}`],
  ],
  "its sub, as an integer if it is one": [
    ({ sub }) => /^[0-9]+$/.test(sub) ? `${BigInt(sub)}` : sub,
    ["fooled", `With the variant leading_zero: ${same[1]}`],
  ],
  "the first 255 characters of its sub": [({ sub }) => sub.slice(0, 255), another],
  "its email": [({ email }) => email, another],
  "its name": [
    ({ sub, name = sub }) => name,
    ["fooled", `With the variant name: ${same[1]}`],
  ],
  "its sub in the form NFKC": [({ sub }) => sub.normalize("NFKC"), another],
  "its preferred_username": [
    ({ preferred_username }) => `${preferred_username}`,
    ["fooled", `With the variant preferred_username: ${same[1]}`],
  ],
};

for (const [name, [choose, outcome]] of Object.entries(similarKeepers)) {
  test(`accounts: an application that finds a person by ${name}, and people who are similar (OpenID Connect Core §5.7)`, async () => {
    const email = { email: "zoe@example.com", email_verified: true };
    for (const more of [{}, { preferred_username: "zo" }]) {
      const find = createAccounts(choose);
      const { rows: [row] } = await examine({
        only: ["login.similar_person"],
        options: {
          people: [{ username: "zoe", claims: { ...email, name: "Zoe", ...more } }],
        },
        // Many applications want a verified email of each person.
        async client(as, scenario) {
          const person = await logIn(as, scenario, "openid profile email");
          if (person.email_verified !== true) throw new Error("the person has no verified email");
          return { account: find(scenario.issuer, person) };
        },
      });
      assertEquals([row!.outcome, row!.because], outcome);
    }
  });
}

test("accounts: a client that asks for a second factor gets it of each person (OpenID Connect Core §3.1.2.1)", async () => {
  const { rows } = await examine({
    only: [...only, "login.similar_person", "login.two_people"],
    does: ["two_browsers"],
    within: 6,
    async client({ fetch }, { issuer, redirectUri, browse }) {
      const verifier = crypto.randomUUID() + crypto.randomUUID();
      const own = { scope: "openid email", acr_values: "mfa", code_challenge: challengeOf(verifier) };
      const code = `${(await browse(authorizeUrl(issuer, own))).searchParams.get("code")}`;
      const form = { code, redirect_uri: redirectUri, code_verifier: verifier };
      const { id_token: token } = await (await requestToken({ issuer, fetch }, form)).json();
      const { acr, sub } = decodeJwt(token);
      if (acr !== "mfa") throw new Error("the sign-in is too weak");
      return { account: `${sub}` };
    },
  });
  assertEquals(rows.map(({ outcome }) => outcome), ["noticed", "noticed", "noticed", "unharmed"]);
});

test("accounts: an application that refuses a known email has noticed", async () => {
  const owners = new Map<string, string>();
  const outcomes = await findOutcomes(async (as, scenario) => {
    const { sub, email } = await logIn(as, scenario);
    const key = `${scenario.issuer} ${email}`;
    const owner = owners.get(key) ?? sub;
    owners.set(key, owner);
    if (owner !== sub) throw new Error("the email is taken");
    return { account: sub };
  });
  const refused = "The client refused: Error: the email is taken";
  assertEquals(outcomes, [["noticed", refused], ["noticed", refused]]);
});

/** No correct application is said to be wrong, whatever its driver returns, and the reason is true of it. */
const unclear: Readonly<
  Record<string, readonly [(person: Userinfo, run: number) => string | number | undefined, why: string]>
> = {
  "the first number of a new database in each run": [
    () => 1,
    "Two people with a sub and an email of their own have one account.",
  ],
  "an id of a new database in each run": [
    () => crypto.randomUUID(),
    "A person who logs in twice has two accounts.",
  ],
  "the email that a page shows": [
    ({ email }) => email,
    "The runs name the email of the person as the account.",
  ],
  "the email beside another text": [
    ({ email }) => `Signed in as ${email}.`,
    "The runs name the email of the person as the account.",
  ],
  "an account in some logins only": [
    ({ sub }, run) => run === 1 || sub === "alice" ? sub : undefined,
    "A run names no account.",
  ],
};

for (const [title, [choose, why]] of Object.entries(unclear)) {
  test(`accounts: nothing is said of a run that names ${title}`, async () => {
    let runs = 0;
    const outcomes = await findOutcomes(async (as, scenario) => ({
      account: choose(await logIn(as, scenario), ++runs),
    }));
    const unknown = [
      "unknown",
      `${why} Name the account of each person, and keep the accounts between the runs.`,
    ];
    assertEquals(outcomes, [unknown, unknown]);
  });
}

test("accounts: a client that names no account, or asks for no email, is not judged, and no run is for it", async () => {
  let runs = 0;
  const count: ExamineTerms["client"] = async (as, scenario) => {
    runs += 1;
    await logIn(as, scenario);
  };
  const none = ["not_applicable", "The client does not say which account is signed in (account)."];
  assertEquals(await findOutcomes(count), [none, none]);
  // The usual run, and the last one, which shows that the client still works.
  assertEquals(runs, 2);
  const withoutEmail: ExamineTerms["client"] = async (as, scenario) => ({
    account: (await logIn(as, scenario, "openid")).sub,
  });
  const lacks = ["not_applicable", "The client does not ask for the scope email."];
  assertEquals(await findOutcomes(withoutEmail), [lacks, lacks]);
  const nameless = { people: [{ username: "zoe" }] };
  const noEmail = ["not_applicable", "No person of the server has an email."];
  assertEquals(await findOutcomes(keptBy(({ sub }) => sub), nameless), [noEmail, noEmail]);
});

test("accounts: a client that fails later is not judged", async () => {
  let runs = 0;
  const find = createAccounts(({ email }) => email);
  const { rows: [row] } = await examine({
    only: only.slice(0, 1),
    async client(as, scenario) {
      if (++runs === 3) throw new Error("database is locked");
      return { account: find(scenario.issuer, await logIn(as, scenario)) };
    },
  });
  assertEquals([row?.outcome, row?.because], [
    "unknown",
    "The client did not succeed although the server was right: Error: database is locked",
  ]);
});

type Tokens = Readonly<Record<"access_token" | "id_token" | "refresh_token", string>>;

/** Sends a token request: the code of a login, or a refresh. `loadKeys` sends another request. */
type Exchange = (send: () => Promise<Tokens>, loadKeys: () => Promise<void>) => Promise<Tokens>;

const atOnce = ["login.two_people", "login.two_people_refresh"] as const;

async function examineAtOnce(
  redeem: Exchange,
  refresh: Exchange,
  does: readonly Need[] = ["two_browsers"],
  only: readonly MisbehaviourName[] = atOnce,
  names:
    | "account of userinfo"
    | "account of the login"
    | "account of the login, and calls nothing"
    | "account of the login, and calls nothing for alice"
    | "account of the login, and calls with its token" = "account of userinfo",
) {
  const { rows } = await examine({
    only,
    does,
    within: 6,
    // The mistakes of this client concern all its runs.
    jobs: 1,
    async client(as, { issuer, redirectUri, browse, phase }) {
      const verifier = crypto.randomUUID() + crypto.randomUUID();
      const own = { scope: "openid email offline_access", state: crypto.randomUUID() };
      const url = authorizeUrl(issuer, { ...own, code_challenge: challengeOf(verifier) });
      const code = `${(await browse(url)).searchParams.get("code")}`;
      const send = (form: Readonly<Record<string, string>>) => async () =>
        await (await requestToken({ issuer, fetch: as.fetch }, form)).json();
      const loadKeys = async () => void await (await as.fetch(`${issuer}/oauth2/jwks`)).text();
      let tokens = await redeem(send({ code, redirect_uri: redirectUri, code_verifier: verifier }), loadKeys);
      const { sub } = decodeJwt(tokens.id_token);
      const ofLogin = tokens;
      if (phase === "refresh") {
        const { refresh_token } = tokens;
        const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token, client_id: "app" });
        tokens = await refresh(
          async () => await (await as.fetch(`${issuer}/oauth2/token`, { method: "POST", body })).json(),
          loadKeys,
        );
      }
      if (names === "account of the login, and calls nothing") return { account: `${sub}` };
      if (names.endsWith("for alice") && sub === "alice") return { account: sub };
      const { access_token } = names === "account of the login, and calls with its token" ? ofLogin : tokens;
      const headers = { authorization: `Bearer ${access_token}` };
      if (names !== "account of userinfo") {
        await as.fetch(`${issuer}/userinfo`, { headers });
        return { account: `${sub}` };
      }
      return { account: (await (await as.fetch(`${issuer}/userinfo`, { headers })).json()).sub };
    },
  });
  return rows.map(({ outcome, because }) => [outcome, because]);
}

const alone: Exchange = (send) => send();

/** All who wait get the one answer. */
function createSharing(): Exchange {
  let pending: Promise<Tokens> | undefined;
  return (send) => pending ??= send().finally(() => pending = undefined);
}

/** The first answer goes to the one who has waited longest. */
function createQueue(): Exchange {
  const waiting: ((tokens: Tokens) => void)[] = [];
  return (send) => {
    const result = new Promise<Tokens>((resolve) => waiting.push(resolve));
    void send().then((tokens) => waiting.shift()!(tokens));
    return result;
  };
}

/** One variable has the tokens of all. A request comes before they are used. */
function createVariable(): Exchange {
  let tokens: Tokens;
  return async (send, loadKeys) => {
    tokens = await send();
    await loadKeys();
    return tokens;
  };
}

/** The answer that comes first is the one of all who wait at that time. */
function createCache(): Exchange {
  let kept: Tokens | undefined;
  let waiting = 0;
  return async (send) => {
    waiting++;
    const own = await send();
    const tokens = kept ??= own;
    if (--waiting === 0) kept = undefined;
    return tokens;
  };
}

const apart = ["unharmed", "Two people who log in at once have an account each."];
const mixed = ["fooled", "Of two people who log in at once, one got the account of the other."];
const refreshedApart = ["unharmed", "Two people whose tokens are refreshed at once have an account each."];
const refreshedMixed = [
  "fooled",
  "Of two people whose tokens are refreshed at once, one got the account of the other.",
];

test("accounts: two people at once, and a client that keeps them apart", async () => {
  assertEquals(await examineAtOnce(alone, alone), [apart, refreshedApart]);
});

for (const create of [createSharing, createQueue, createVariable, createCache]) {
  test(`accounts: two people at once, and a client that mixes them up, also if one row is asked: ${create.name}`, async () => {
    assertEquals(await examineAtOnce(create(), alone), [mixed, refreshedApart]);
    assertEquals(await examineAtOnce(alone, create()), [apart, refreshedMixed]);
    for (const name of atOnce) {
      const expected = name === "login.two_people" ? mixed : refreshedMixed;
      assertEquals(await examineAtOnce(create(), create(), ["two_browsers"], [name]), [expected]);
    }
  });
}

test("accounts: two people at once, and a client that gives the second one another account than before", async () => {
  let logins = 0;
  const { rows: [row] } = await examine({
    only: ["login.two_people"],
    does: ["two_browsers"],
    within: 6,
    async client(as, scenario) {
      const { sub } = await logIn(as, scenario);
      return { account: sub === "alice" ? sub : `${sub} ${++logins}` };
    },
  });
  assertEquals(row!.outcome, "unknown");
  assertStringIncludes(row!.because, "Two people who log in at once have other accounts than before.");
});

test("accounts: two refreshes at once, and a client that names the account of the login", async () => {
  const examineRefresh = async (refresh: Exchange, names: Parameters<typeof examineAtOnce>[4]) =>
    (await examineAtOnce(alone, refresh, ["two_browsers"], ["login.two_people_refresh"], names))[0];
  assertEquals(await examineRefresh(alone, "account of the login"), refreshedApart);
  assertEquals(await examineRefresh(createSharing(), "account of the login"), [
    "fooled",
    "Of two people whose tokens are refreshed at once, the client used the new tokens of one only.",
  ]);
  const hidden = "Two people whose tokens are refreshed at once have an account each, but nothing shows";
  // Without a call in the usual run, one call of two says nothing.
  for (const calls of ["calls nothing", "calls nothing for alice", "calls with its token"] as const) {
    for (const refresh of [alone, createSharing()]) {
      assertEquals(await examineRefresh(refresh, `account of the login, and ${calls}`), [
        "unknown",
        `${hidden} whose tokens the client uses.`,
      ]);
    }
  }
});

test("accounts: each login of a run is that of its person, for a client that logs in twice", async () => {
  const { rows } = await examine({
    only: ["login.two_people", ...only],
    does: ["two_browsers"],
    within: 6,
    async client(as, scenario) {
      await logIn(as, scenario);
      return { account: (await logIn(as, scenario)).sub };
    },
  });
  assertEquals(rows.map(({ outcome, because }) => [outcome, because]), [another, another, apart]);
});

test("accounts: two runs at once may be one person, unless the caller says otherwise", async () => {
  const [login] = await examineAtOnce(createSharing(), alone, []);
  assertEquals(login, [
    "not_applicable",
    "The client is not said to have a browser of its own in each run (two_browsers).",
  ]);
});
