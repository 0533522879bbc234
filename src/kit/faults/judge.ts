/** Judges from the client's requests, and from what the client said, whether the client noticed a misbehaviour. */

import { describeThrown, isThrownByProgram, listCauses, readThrownParts } from "./describe_thrown.ts";
import { hasEngineName, isEngineError, isRefusalByRuntime } from "./engine_errors.ts";
import { listLogoutAnswers, redeemsCode } from "./finds.ts";
import {
  isProtected,
  listLogins,
  listRepeatedGuards,
  type Login,
  loginParameters,
  readLogin,
} from "./logins.ts";
import { attempt } from "../../ground/values/attempt.ts";
import { gotNothing, sentAfterwards } from "./mends.ts";
import { isAdvice, isTolerance, type Level, type Watch } from "./misbehaviour.ts";
import { neverReached, type Outcome } from "./outcome.ts";
import { orderByArrival, type Seen } from "./seen.ts";

/** What the client said at the end: it succeeded, it refused with an error, its code failed, or nothing that counts. */
export type Word =
  | { readonly kind: "success" }
  | { readonly kind: "refusal"; readonly error: string }
  | { readonly kind: "crash"; readonly error: string }
  | { readonly kind: "nothing"; readonly error?: string };

interface Trial {
  /** The requests to which the server gave a wrong answer. */
  readonly acted: readonly Seen[];
  /** The requests that arrived after the first wrong answer had left. */
  readonly later: readonly Seen[];
  /** The requests before the first wrong answer. */
  readonly earlier: readonly Seen[];
  /** The requests of another run of the client, in which the server was right. */
  readonly usual: readonly Seen[];
  readonly word: Word;
  readonly isHung: boolean;
  /** Other misbehaviours are on and have acted, so the client's word may be about them. */
  readonly othersActed: boolean;
}

export interface Judgement {
  readonly outcome: Exclude<Outcome, "pending">;
  /** One sentence. */
  readonly because: string;
  /** The requests that show it: the ones with wrong answers first, and each of them once. */
  readonly evidence: readonly Seen[];
}

// A client may ask again and again.
const mostLater = 20;

export function judge(terms: JudgeTerms, trial: Trial): Judgement {
  const judged = judgeAnswers(terms, trial);
  if (terms.watch.mayKeepKeys !== true || !isAccusation(judged.outcome)) return judged;
  const hasLoaded = [...trial.acted, ...trial.later].some(({ endpoint }) => endpoint === "jwks");
  if (hasLoaded) return judged;
  const because = `The client ${keptKeys}${describeEnd(trial.word, "It ended with")}`;
  return { ...judged, outcome: "unknown", because };
}

interface JudgeTerms {
  readonly level: Level;
  readonly watch: Watch;
}

const isAccusation = (outcome: Outcome): boolean => outcome === "fooled" || outcome === "broke";

/** Of a client, or an API. */
export const keptKeys = "did not load the keys again, and it may limit how often it does.";

function judgeAnswers({ level, watch }: JudgeTerms, trial: Trial): Judgement {
  const { acted, later, isHung, othersActed } = trial;
  if (acted.length === 0) {
    return conclude("not_reached", neverReached + describeEnd(trial.word), trial.earlier);
  }
  const wrong = findWrong(watch, trial);
  if (wrong.length > 0) {
    const outcome = isTolerance(level) ? "broke" : "fooled";
    const { neverSays } = watch;
    const because = (neverSays === undefined
      ? explain(wrong, acted, sentAfterwards)
      : `The client ${neverSays}: ${nameRequests(wrong)}.`) +
      describeGuards(watch, wrong, trial) +
      // The error may be that of the server, which the client hands on.
      describeEnd(trial.word, "It ended later with");
    return conclude(outcome, because, acted, wrong);
  }
  const elsewhere = watch.elsewhere?.(later, acted) ?? [];
  if (elsewhere.length > 0) {
    return conclude("not_applicable", "The test kit met the fault instead of the client.", acted, elsewhere);
  }
  if (isHung) return concludeHung({ level, watch }, acted);
  const signs = watch.sign?.(later, acted) ?? [];
  const word: Word = othersActed ? { kind: "nothing" } : trial.word;
  const judged = isTolerance(level)
    ? judgeTolerance(signs, trial, word, watch)
    : judgeNotice(signs, trial, word, watch);
  // Without a sign, the verdict rests on what the client did not send.
  const others = signs.length > 0 ? signs : later.slice(0, mostLater);
  if (judged !== undefined) return conclude(judged.outcome, judged.because, acted, others);
  if (word.kind === "crash") {
    return conclude("crashed", `The client's own code failed: ${word.error}`, acted, others);
  }
  const isSilent = watch.wordProvesNothing || watch.successProvesNothing && word.kind === "success";
  const because = isSilent ? explainSilence(trial) : explainUnknown(trial);
  return conclude("unknown", because, acted, others);
}

function findWrong({ never, unlessProtected, unlessRefused }: Watch, trial: Trial): readonly Seen[] {
  if (unlessRefused && trial.word.kind !== "success") return [];
  const found = never?.(trial.later, trial.acted) ?? [];
  if (!unlessProtected) return found;
  return found.filter((seen) => {
    const [login, others] = readLoginAndOthers(seen, trial);
    return !isProtected(login, others);
  });
}

function readLoginAndOthers(
  seen: Seen,
  { earlier, acted, later, usual }: Trial,
): readonly [login: Login, others: readonly Login[]] {
  const run = [...earlier, ...acted, ...later];
  const login = readLogin(seen, run);
  return [login, [...listLogins(run).filter(({ code }) => code !== login.code), ...listLogins(usual)]];
}

/** Says why PKCE or a nonce does not protect a login that has it. */
function describeGuards({ unlessProtected }: Watch, [wrong]: readonly Seen[], trial: Trial): string {
  if (!unlessProtected || wrong === undefined) return "";
  const names = listRepeatedGuards(...readLoginAndOthers(wrong, trial)).map((name) => loginParameters[name]);
  return names.length === 0 ? "" : ` Another login has the same ${names.join(" and ")}.`;
}

/** Hanging is the fault only where the client has to stop waiting. Elsewhere it has broken no rule. */
function concludeHung({ level, watch }: JudgeTerms, acted: readonly Seen[]): Judgement {
  const { refusalSays, timeoutIsRefusal } = watch;
  const because = "The client did not end within the limit.";
  // RFC 6749 §7 and the like demand a check, and no limit for the wait before it.
  if (timeoutIsRefusal && !isAdvice(level)) {
    return conclude("unknown", `${because} No rule says how long it may wait.`, acted);
  }
  return refusalSays === undefined || timeoutIsRefusal
    ? conclude("hung", because, acted)
    : conclude("unknown", `${because} Until then it ${refusalSays}.`, acted);
}

/** A wrong answer can also show what the client did with it: a sign-out has the client's answer to the logout token. */
function explain(shown: readonly Seen[], acted: readonly Seen[], otherwise: string): string {
  const [answer] = shown.flatMap(listLogoutAnswers);
  if (answer !== undefined) {
    return `The client ${answer === "told" ? "accepted the logout token" : `${answer} to the logout token`}.`;
  }
  return shown.length > 0 && shown.every((each) => acted.includes(each))
    ? `The journal entry of ${nameRequests(shown)} shows it.`
    : `${otherwise} ${nameRequests(shown)}.`;
}

type Short = Omit<Judgement, "evidence"> | undefined;

function judgeTolerance(
  signs: readonly Seen[],
  { acted }: Trial,
  word: Word,
  { wordProvesNothing }: Watch,
): Short {
  if (word.kind === "refusal" && !wordProvesNothing) {
    return { outcome: "broke", because: `The client refused: ${word.error}` };
  }
  if (signs.length > 0) {
    return { outcome: "tolerated", because: explain(signs, acted, "The client went on with") };
  }
  if (word.kind === "success" && !wordProvesNothing) {
    return { outcome: "tolerated", because: "The client went on and succeeded." };
  }
  return undefined;
}

function judgeNotice(signs: readonly Seen[], { acted, later }: Trial, word: Word, watch: Watch): Short {
  const { signSays, refusalSays, wordProvesNothing, successProvesNothing } = watch;
  const trusting = watch.trusts?.(later, acted) ?? [];
  if (trusting.length > 0 && trusting.every(isRefused) && (word.kind === "refusal" || signs.length > 0)) {
    const because = `The client sent ${nameRequests(trusting)}, and only the server refused.${
      describeEnd(word, "It ended with")
    }`;
    return { outcome: "unharmed", because };
  }
  if (word.kind === "refusal" && !wordProvesNothing) {
    const because = refusalSays === undefined
      ? `The client refused: ${word.error}`
      : `The client ${refusalSays}. It ended with ${word.error}`;
    return { outcome: "noticed", because };
  }
  if (signs.length > 0) {
    const because = signSays === undefined
      ? explain(signs, acted, "The client sent")
      : `The client ${signSays}: ${nameRequests(signs)}.`;
    return { outcome: "noticed", because };
  }
  if (word.kind !== "success") return undefined;
  if (lacksTokens(acted, later)) {
    return { outcome: "fooled", because: `${gotNothing}, but it got no tokens.` };
  }
  if (wordProvesNothing || successProvesNothing) return undefined;
  return watch.invisible ? { outcome: "fooled", because: "The client succeeded with the wrong answer." } : {
    outcome: "unharmed",
    because: "The client succeeded, and sent nothing wrong. Its requests do not show whether it checks this.",
  };
}

function isRefused({ entry: { response } }: Seen): boolean {
  return response.status >= 400;
}

/** Whether the server refused each code that the client has sent. */
function lacksTokens(acted: readonly Seen[], later: readonly Seen[]): boolean {
  return redeemsCode(acted, []).length === acted.length && acted.every(isRefused) &&
    redeemsCode(later, []).every(isRefused);
}

function explainSilence({ word }: Trial): string {
  return `The client sent no request that shows the fault, but this does not prove that it is right.${
    describeEnd(word)
  }`;
}

/** The error may say that the client, or what is around it, does not work at all. */
function describeEnd(word: Word, ended = word.kind === "refusal" ? "It refused:" : "It ended with"): string {
  return word.kind === "success" || word.error === undefined ? "" : ` ${ended} ${word.error}`;
}

function explainUnknown({ word, othersActed }: Trial): string {
  if (othersActed) {
    return "Another misbehaviour is on and has acted, so the client's word may be about that one: switch it off first.";
  }
  return word.kind === "nothing" && word.error !== undefined
    ? `The client failed, but not with a refusal: ${word.error}`
    : "The client sent nothing that shows what it did, and it is not known whether it succeeded.";
}

function conclude(
  outcome: Judgement["outcome"],
  because: string,
  acted: readonly Seen[],
  others: readonly Seen[] = [],
): Judgement {
  const all = [...orderByArrival(acted), ...orderByArrival(others)];
  return { outcome, because, evidence: [...new Map(all.map((seen) => [seen.entry.id, seen])).values()] };
}

function nameRequests(requests: readonly Seen[]): string {
  const names = requests.map(({ endpoint, entry: { request, facts: { grantType } } }) =>
    `${request.method} ${endpoint}${grantType === undefined ? "" : ` (${grantType})`}`
  );
  const [first, ...others] = [...new Set(names)];
  const count = requests.length > 1 && others.length === 0 ? ` ${requests.length} times` : "";
  return [first, ...others].join(", ") + count;
}

/**
 * The names of the errors of all languages that say that a wait has ended, or that a connection has failed. Such a name may
 * have that of its package before it: `java.net.ConnectException`.
 */
const timeout = /^(?:\w+\.)*(?:AbortError|timeout|\w*Timeout(?:Error|Exception)?)$/;
const loss = new RegExp(
  String
    .raw`^(?:\w+\.)*(?:(?:Client)?Connect(?:ion|or)?(?:Refused|Reset|Aborted|Closed)?(?:Error|Exception)|` +
    "(?:BrokenPipe|Network|Read|RemoteProtocol|ServerDisconnected|URL|Write)Error|gaierror|" +
    "(?:ClosedChannel|NoRouteToHost|ResourceAccess|Socket|UnknownHost|WebClientRequest)Exception|" +
    "IncompleteRead|RemoteDisconnected)$",
);

/** Reads what the client threw. `isOfOthers` says of an error that the client has only passed it on. */
export function readThrown(
  thrown: unknown,
  { timeoutIsRefusal, lossIsRefusal }: Watch,
  isOfOthers: (error: unknown) => boolean = () => false,
): Exclude<Word, { readonly kind: "success" }> {
  const error = describeThrown(thrown);
  const isForeign = (each: unknown) => attempt(() => isOfOthers(each)) ?? false;
  if (isForeign(thrown)) return { kind: "nothing", error };
  if (timeoutIsRefusal && timeout.test(readThrownParts(thrown).name)) return { kind: "refusal", error };
  if (lossIsRefusal && isLoss(thrown)) return { kind: "refusal", error };
  // An application puts the error into one of its own.
  const chain = listCauses(thrown);
  if (!chain.some(isForeign) && chain.some(isRefusalByRuntime)) return { kind: "refusal", error };
  const found = chain.find((each) => isForeign(each) || !isWrapper(each)) ?? chain.at(-1);
  const { name } = readThrownParts(found);
  if (isForeign(found) || timeout.test(name) || isNetworkError(found)) return { kind: "nothing", error };
  if (isEngineError(found)) return { kind: "crash", error };
  // An error that the client itself throws is its refusal. The runtime throws a `TypeError`, too, when the network fails.
  const isOfRuntime = hasEngineName(name) && (isLossMessage(found) || !isThrownByProgram(found));
  return { kind: isOfRuntime ? "nothing" : "refusal", error };
}

function isWrapper(thrown: unknown): boolean {
  return readThrownParts(thrown).name === "Error" && !isNetworkError(thrown);
}

function isNetworkError(thrown: unknown): boolean {
  const { name, code } = readThrownParts(thrown);
  return /^(E[A-Z]{4,}|UND_ERR_\w+)$/.test(code) || loss.test(name);
}

/** Whether the error says that a connection broke. The runtimes use different errors, and libraries wrap them. */
function isLoss(thrown: unknown): boolean {
  return listCauses(thrown).some((each) => isNetworkError(each) || isLossMessage(each));
}

function isLossMessage(thrown: unknown): boolean {
  const { name, message } = readThrownParts(thrown);
  // The browsers say no more than the host.
  return name === "TypeError" &&
    (/fetch failed|terminated|network|connection|error sending request/i.test(message) ||
      /^(?:Failed to fetch|Load failed)(?: \(\S+\))?$/.test(message));
}
