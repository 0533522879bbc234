/** Reads the challenges of an API (RFC 9110 §11.6.1; RFC 6750 §3; RFC 9728 §5.1). */

import { type Run, startleIf } from "./habits.ts";

/** The parameters of the challenge for a token, by their names in lower case. */
export type Challenge = Readonly<Record<string, string>>;

const noChallenge: Challenge = {};

/** Returns the parameters of the challenge. Without a readable challenge there are none. */
export function readChallenge({ headers }: Response, run: Run): Challenge {
  const header = headers.get("www-authenticate");
  startleIf(run, header === null, "the API does not challenge the client");
  startleIf(run, header !== null && !/^(Bearer|DPoP) [a-z_]+="/.test(header), `the challenge is ${header}`);
  if (header === null) return noChallenge;
  if (!run.habits.checks) return guessChallenge(header);
  const challenges = parseChallenges(header);
  startleIf(run, challenges === undefined, `the challenge cannot be read: ${header}`);
  return challenges?.find(({ scheme }) => schemes.has(scheme))?.params ?? noChallenge;
}

const schemes: ReadonlySet<string> = new Set(["bearer", "dpop"]);

/** Looks for the names of parameters, wherever they are. */
function guessChallenge(header: string): Challenge {
  const names = ["resource_metadata", "scope", "error"];
  const pairs = names.map((name) => [name, new RegExp(`${name}="?([^",]+)`).exec(header)?.[1] ?? ""]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ""));
}

interface Parsed {
  readonly scheme: string;
  readonly params: Record<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const param = new RegExp(`(${token}) *= *(?:"((?:[^"\\\\]|\\\\.)*)"|(${token})) *(?:,|$)[ ,]*`, "y");
const scheme = new RegExp(`(${token})(?: +|(?=,|$))(?:[A-Za-z0-9._~+/-]+=*(?= *(?:,|$)))?[ ,]*`, "y");

/** Returns all challenges, or `undefined` if the header breaks the grammar. */
function parseChallenges(header: string): readonly Parsed[] | undefined {
  const challenges: Parsed[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(header);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  while (at < header.length) {
    const found = challenges.length === 0 ? null : take(param);
    if (found === null) {
      const begun = take(scheme);
      if (begun === null) return undefined;
      challenges.push({ scheme: begun[1]!.toLowerCase(), params: {} });
    } else {
      const [, name, quoted, plain] = found;
      challenges.at(-1)!.params[name!.toLowerCase()] = plain ?? quoted!.replaceAll(/\\(.)/g, "$1");
    }
  }
  return challenges;
}
