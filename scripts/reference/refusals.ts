/** docs/reference/refusals.md. */
import { type ErrorCode, OAuthError } from "../../src/oauth/error.ts";
import { unknown } from "./expression_texts.ts";
import { code, markNames, type Page, table } from "./markdown.ts";
import { findRefusals, type RefusalSite } from "./refusal_sites.ts";
import { expectedTexts, situations, specTexts } from "./refusal_texts.ts";

/** The sections, each with the start of the paths that belong to it. The first one that fits a file has it. */
const sections: readonly (readonly [title: string, starts: readonly string[]])[] = [
  ["Every request", ["server/", "oauth/error", "oauth/params", "http", "features/health"]],
  ["Who the client is", [
    ...["oauth/clients", "features/first_use", "features/client_secret", "features/private_key_jwt"],
    "oauth/tokens/redeem_for_client",
  ]],
  ["DPoP proofs", [
    ...[
      "features/dpop",
      "oauth/tokens/dpop",
      "features/par/bind_to_sender",
    ],
  ]],
  ["Registration", ["features/registration"]],
  ["Client documents", ["features/client_documents"]],
  ["Authorization requests", [
    ...["oauth/authorization", "features/authorize", "features/prompt", "features/claims_parameter"],
    ...[
      "features/id_token_hint",
      "features/home",
      "features/acr_values",
      "features/par",
      "features/request_object",
      "oauth/people/claims",
    ],
  ]],
  ["Signing in and consent", [
    ...[
      "features/sign_in",
      "features/account",
      "features/consent",
      "oauth/throttle",
      "oauth/people/sign_in",
    ],
  ]],
  ["Token requests", [
    ...[
      "features/token",
      "features/authorization_code",
      "features/refresh_token",
      "features/client_credentials",
    ],
    ...["oauth/tokens/prove_sender", "oauth/tokens/resource", "oauth/clients/scope"],
  ]],
  ["Introspection and revocation", ["features/introspection", "features/revocation"]],
  ["Access tokens at userinfo, and at an API with `protect`", [
    "features/userinfo",
    "oauth/tokens",
    "mock/tokens",
  ]],
  ["What a test asks for", ["mock/conditions"]],
  ["The buttons of `/authorized`", ["features/callback_page"]],
  ["Sign-out", ["features/logout", "features/back_channel_logout"]],
];

/** What the code decides in a way that its text does not show. */
const decidedElsewhere: Readonly<Record<string, Pick<RefusalSite, "errors" | "sentences">>> = {
  secret_not_encoded: { errors: ["invalid_client"], sentences: ["Client authentication failed"] },
  dpop_replayed: { errors: ["invalid_dpop_proof"], sentences: ["The DPoP proof was used before"] },
  parameter_unsupported: {
    errors: ["request_not_supported", "request_uri_not_supported", "registration_not_supported"],
    sentences: ["The parameter *name* is not supported"],
  },
};

export async function writeRefusals(): Promise<Page> {
  const { sites, unused } = await findRefusals();
  if (unused.length > 0) throw new Error(`Nothing refuses for these reasons: ${unused.join(", ")}`);
  const reasons = Map.groupBy(sites.map(complete), ({ reason }) => reason);
  for (const reason of [expectedTexts, situations, specTexts].flatMap(Object.keys)) {
    if (!reasons.has(reason)) {
      throw new Error(`Nothing refuses for ${reason}: remove it from refusal_texts.ts`);
    }
  }
  const advice = [...reasons.values()].filter((same) => same.every(({ isAdvice }) => isAdvice));
  const refusals = [...reasons.values()].filter((same) => !advice.includes(same));
  const rows = refusals.map((same) => ({ section: findSection(same), cells: describe(same) }));
  return {
    title: "Refusals",
    summary: "Every reason for which the server refuses a request, with the rule that the request breaks.",
    parts: [
      "The console prints the reason after the error: `✗ invalid_grant (verifier_missing) The code_verifier is missing`. " +
      "In a test, `as.requests.token.last?.refusal?.reason` has it, and so has the error that `as.login` and " +
      "`as.refresh` throw. A client gets the error and the first sentence, but neither the reason nor what was expected.",
      `There are ${refusals.length} reasons. A word in *italics* stands for a value of the request or of the ` +
      "configuration. If a reason has several messages, each has a line. The number after an error is the HTTP " +
      "status, which is 400 otherwise. An authorization error goes to the client by a redirect, or to a page.",
      ...sections.flatMap(([title]) => {
        const own = rows.filter(({ section }) => section === title).map(({ cells }) => cells);
        return [
          `## ${title}`,
          table(["reason", "error", "what it says, and what was expected", "rule"], sortByReason(own)),
        ];
      }),
      "## Advice",
      "The server answers these requests. The console and `as.explain()` say what is wrong, and the client does not " +
      "see it. `as.requests.introspect.last?.advice?.reason` has the reason.",
      table(
        ["reason", "what it says, and what was expected", "rule"],
        sortByReason(advice.map(describe)).map((
          [reason = "", , text = "", rule = ""],
        ) => [reason, text, rule]),
      ),
    ],
  };
}

function sortByReason(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return rows.toSorted(([a = ""], [b = ""]) => a < b ? -1 : 1);
}

function complete(site: RefusalSite): RefusalSite {
  const known = decidedElsewhere[site.reason];
  const isUnknown = (texts: readonly string[]) =>
    texts.length === 0 || texts.some((text) => /^\*.*\*$/.test(text));
  if (site.isAdvice || !isUnknown(site.errors)) return site;
  if (known === undefined) {
    throw new Error(`${site.file}: the error of the reason ${site.reason} is not known`);
  }
  return { ...site, ...known };
}

/** Returns the section of the first place that has one. */
function findSection(same: readonly RefusalSite[]): string {
  for (const [title, starts] of sections) {
    if (same.some(({ file }) => starts.some((start) => file.startsWith(`src/${start}`)))) return title;
  }
  throw new Error(`Add ${same[0]?.file} to a section of refusals.ts`);
}

function describe(same: readonly RefusalSite[]): readonly string[] {
  // a sentence that begins a longer one says nothing more
  const lines = (texts: readonly string[]) =>
    [...new Set(texts)].filter((text) => !texts.some((other) => other !== text && other.startsWith(text)))
      .join("<br>");
  return [
    code(same[0]!.reason),
    lines(same.flatMap(describeErrors)),
    lines(describeSituations(same)),
    specTexts[same[0]!.reason] ?? lines(same.flatMap(({ spec }) => spec ?? [])),
  ];
}

function describeErrors({ errors, status }: RefusalSite): readonly string[] {
  return errors.map((error) => {
    const usual = new OAuthError(error as ErrorCode, "", { reason: "" }).status;
    const shown = status ?? usual;
    return shown === 400 ? code(error) : `${code(error)} ${shown}`;
  });
}

/** Returns a text for each situation in which the server refuses for this reason. */
function describeSituations(same: readonly RefusalSite[]): readonly string[] {
  const { reason } = same[0]!;
  const written = situations[reason];
  const texts = written === undefined ? same.flatMap(describeSentences) : checkSituations(same, written);
  const remedy = "The console shows the configuration that allows it.";
  return same.some(({ hasRemedy }) => hasRemedy) ? [...texts, remedy] : texts;
}

const allSituations = Object.values(situations).flat().map((text) => text.replaceAll("`", ""));

function checkSituations(same: readonly RefusalSite[], written: readonly string[]): readonly string[] {
  for (const { reason, sentences } of same) {
    for (const sentence of sentences) {
      const [start = ""] = sentence.split("*");
      if (!allSituations.some((text) => text.startsWith(start))) {
        throw new Error(`${reason} now says "${sentence}": change its text in refusal_texts.ts`);
      }
    }
  }
  return written.map(mark);
}

function describeSentences({ reason, sentences, expected }: RefusalSite): readonly string[] {
  const text = expectedTexts[reason] ?? (expected === `*${unknown}*` ? "" : expected) ?? "";
  const said = text === "" ? "" : ` Expected: ${mark(text)}.`;
  return sentences.map((sentence) => `${mark(sentence).replace(/\.$/, "")}.${said}`);
}

function mark(text: string): string {
  const marked = markNames(text.replaceAll(`*${unknown}*`, unknown).replaceAll("**", "* *"));
  // `name`=value and prompt=none become `name=value` and `prompt=none`
  return marked.replace(
    /`(\w+)`=(\w+)|(?<![`\w])([a-z]+=\w+)/g,
    (_all, name, value, pair) => code(pair ?? `${name}=${value}`),
  );
}
