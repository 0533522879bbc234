/** Trouble between client and server. Most of it happens at the token endpoint, where a repeated request does harm. */

import { compress } from "../../../ground/http/content_coding.ts";
import { textOf } from "../../../ground/http/body.ts";
import { utf8Of } from "../../../ground/values/octets.ts";
import { type Answer, withHeaders } from "../../../ground/http/message.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import { answerGrant, busyAnswer, type Change, changeAt, changeResponse, errorAnswer } from "../changes.ts";
import { moreThan, repeatsCode, usesAccessToken, usesReceivedToken } from "../finds.ts";
import type { ActContext, CreateActs } from "../misbehaviour.ts";
import type { Seen } from "../seen.ts";

// How long the server asks a client to wait.
const busySeconds = 30;

const refusalSays = "did not send the code again";

const mostCodings = 100;

export const transport: FaultsOf<"transport"> = faultsOf("transport", {
  level: "hardening",
  phase: "login",
}, {
  compressed_bomb: {
    server: "The token response is compressed: 16 kilobytes become 16 megabytes of spaces after the JSON.",
    client: "Limits how much of a response it reads after the decompression.",
    rule: "RFC 9110 §8.4: no rule limits the size; CWE-409",
    // No other token response is readable, so each token is from a wrong one.
    isLarge: true,
    watch: { never: usesAccessToken, invisible: true },
    acts: compressRedeemed((text) => text + " ".repeat(16 * 2 ** 20)),
  },
  compressed_chain: {
    server: "The token response is compressed a hundred times, and names each time in its Content-Encoding.",
    client: "Limits how often it decompresses a response.",
    rule: "RFC 9110 §8.4: no rule limits the number of codings; CWE-409",
    bugs: ["CVE-2026-22036"],
    // A client that reads one coding only refuses two, too.
    control: "itself",
    prepares: ["response"],
    watch: { never: usesAccessToken, invisible: true },
    acts(tools) {
      let codings = 2;
      return {
        ...changeAt("token_response", (value, _tools, { exchange }) => {
          if (!isRedeemed(value, exchange) || !decodesGzip(exchange)) return value;
          codings = mostCodings;
          return { ...value };
        })(tools),
        ...compressRedeemed((text) => text, () => codings)(tools),
      };
    },
  },
  huge_body: {
    server: "The token response has four megabytes of spaces after its JSON.",
    client: "Limits how much of a response it reads.",
    rule: "RFC 8259 §9",
    isLarge: true,
    control: "token_response.escapes",
    watch: { never: usesReceivedToken, invisible: true },
    acts: changeRedeemed((answer) => ({ ...answer, body: textOf(answer.body) + " ".repeat(4 * 2 ** 20) })),
  },
  internal_error: {
    level: "must",
    server: "The token endpoint answers with the status 500 after it has used the code.",
    client: "Begins a new login, and does not send the code a second time.",
    rule: "RFC 6749 §4.1.2",
    watch: { never: repeatsCode, refusalSays },
    acts: changeRedeemed(() => errorAnswer(500, "server_error")),
  },
  invalid_client: {
    server: "The token endpoint says that the client authentication failed, and asks for Basic.",
    client: "Tries once more at most, and then reports its configuration as wrong.",
    rule: "RFC 6749 §5.2",
    watch: { never: moreThan(1, repeatsCode), refusalSays: "sent the code once more at most" },
    acts: answerGrant(
      "authorization_code",
      errorAnswer(401, "invalid_client", { "www-authenticate": 'Basic realm="token"' }),
    ),
  },
  length_wrong: {
    level: "must",
    server: "The Content-Length of the token response is wrong, and the code is used.",
    client: "Begins a new login, and does not send the code a second time.",
    rule: "RFC 6749 §4.1.2, §10.5; RFC 9112 §6.3 (6), §8: such a response is not complete",
    watch: { never: repeatsCode, refusalSays, lossIsRefusal: true },
    acts: changeRedeemed((answer, { variant }, { exchange: { request } }) => {
      const text = textOf(answer.body);
      const length = variant === "smaller" ? Math.ceil(text.length / 2) : text.length + 20;
      // Without a socket, no bytes are counted: the client gets what it would read.
      if (request.peer === undefined) {
        return { ...answer, body: variant === "smaller" ? text.slice(0, length) : breakBody(text) };
      }
      const headers = { "content-length": `${length}`, connection: "close" };
      return withHeaders({ ...answer, body: streamText(text) }, headers);
    }),
  },
  response_lost: {
    level: "must",
    server: "The connection breaks in the middle of the token response, and the code is used.",
    client: "Begins a new login, and does not send the code a second time.",
    rule: "RFC 6749 §4.1.2, §10.5",
    watch: { never: repeatsCode, refusalSays, lossIsRefusal: true },
    // Without any response, the fetch of Deno would repeat the request by itself.
    acts: changeRedeemed((answer) => ({ ...answer, body: breakBody(textOf(answer.body).slice(0, 20)) })),
  },
  stalled: {
    server: "The token response stops after a few bytes and never ends.",
    client: "Gives up after a time, and does not send the code a second time.",
    rule: "RFC 6749 §4.1.2",
    watch: { never: repeatsCode, refusalSays, timeoutIsRefusal: true },
    acts: changeRedeemed((answer, { switchedOff }) => ({
      ...answer,
      body: startBody(textOf(answer.body), switchedOff),
    })),
  },
  too_many_requests: {
    server: "The token endpoint answers with the status 429, and names a time in Retry-After.",
    client: "Waits until that time, or gives up.",
    rule: "RFC 6585 §4; RFC 9110 §10.2.3",
    watch: { never: repeatsEarly, refusalSays: "did not send the code again before that time" },
    acts: answerGrant(
      "authorization_code",
      ({ now }) => busyAnswer(429, new Date((now() + busySeconds) * 1000).toUTCString()),
    ),
  },
  unavailable: {
    server: "The token endpoint answers with the status 503, and names seconds in Retry-After.",
    client: "Waits as long, or gives up.",
    rule: "RFC 9110 §15.6.4, §10.2.3",
    watch: { never: repeatsEarly, refusalSays: "did not send the code again before that time" },
    acts: answerGrant("authorization_code", busyAnswer(503, `${busySeconds}`)),
  },
});

/** A call without a socket has no Accept-Encoding, but its answer is decoded as by fetch. */
function decodesGzip({ request }: ActContext["exchange"]): boolean {
  return request.peer === undefined || request.header("accept-encoding")?.includes("gzip") === true;
}

/** Compresses successful responses to token requests with a code, as often as `count` says. */
function compressRedeemed(change: (text: string) => string, count: () => number = () => 1): CreateActs {
  return changeRedeemed(async (answer, _tools, { exchange }) => {
    if (!decodesGzip(exchange)) return answer;
    const codings = count();
    let body: Uint8Array = utf8Of(change(textOf(answer.body)));
    for (let done = 0; done < codings; done++) body = await compress(body);
    return withHeaders({ ...answer, body }, {
      "content-encoding": Array(codings).fill("gzip").join(", "),
    });
  });
}

/** Changes successful responses to token requests with a code. */
function changeRedeemed(change: Change<Answer, Answer | Promise<Answer>>): CreateActs {
  return changeResponse("token", (answer, tools, at) => {
    return isRedeemed(answer, at.exchange) ? change(answer, tools, at) : answer;
  });
}

function isRedeemed({ status }: { readonly status: number }, { facts }: ActContext["exchange"]): boolean {
  return status === 200 && facts.grantType === "authorization_code";
}

/** Creates a body that has the first bytes of the text and ends only after `end`. */
function startBody(text: string, end: Promise<void>): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text.slice(0, 20));
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      // The client may have cancelled the stream by then.
      void end.then(() => controller.close()).catch(() => {});
    },
  });
}

/** Listeners do not count the octets of a stream. */
function streamText(text: string): ReadableStream<Uint8Array> {
  return new Blob([text]).stream();
}

/** Creates a body that has the text and then breaks. */
function breakBody(text: string): ReadableStream<Uint8Array> {
  const chunks = [new TextEncoder().encode(text)];
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.error(new TypeError("terminated: the connection broke"));
      else controller.enqueue(chunk);
    },
  }, { highWaterMark: 0 });
}

function repeatsEarly(later: readonly Seen[], acted: readonly Seen[]): readonly Seen[] {
  const [first] = acted;
  if (first === undefined) return [];
  return repeatsCode(later, acted).filter(({ entry }) =>
    entry.receivedAt < first.entry.receivedAt + busySeconds - 1
  );
}
