/** Reads the authorization response from the last page of a visit: a redirect to the client, or a form. */

import { textOf } from "../../../ground/http/body.ts";
import { withoutQuery } from "../../../ground/http/address.ts";
import { findFields, findFormAction } from "./html.ts";
import { describeChange, type Received } from "../journal/explain.ts";
import { NotCalled } from "../journal/harness_error.ts";
import { refusedBy } from "../journal/refused.ts";
import type { RunningTenant } from "../running_tenant.ts";
import type { Visit } from "./visit.ts";
import { judgeResponseJwt } from "../../../server/client/judge_token.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { isEncryptedJwt, parseJwt, unwrapResponse } from "../../../ground/crypto/jwt_parts.ts";
import { decryptJwt } from "./decrypt_jwt.ts";

export function requireCallback(doing: string, visited: Visit): URL {
  if (visited.leftFor !== undefined) return visited.leftFor;
  const action = findClientForm(visited);
  if (action === undefined) throw isMessage(visited) ? inMessage(doing) : notSentBack(doing, visited);
  // If the server refused the request, the refusal explains more than the form with its error code.
  const error = showsForm(visited)
    ? new NotCalled(
      `Cannot ${doing}: the response comes in a form (response_mode=form_post); use as.authorizeForm()`,
    )
    : notSentBack(doing, visited);
  throw Object.assign(error, { formRequest: createFormRequest(action, visited) });
}

/** Returns the request with the form, if this error of `requireCallback` is about a response in a form. */
export function formRequestOf(error: unknown): Request | undefined {
  return error instanceof Error
    ? (error as Error & { readonly formRequest?: Request }).formRequest
    : undefined;
}

export function requireReturn(doing: string, visited: Visit): URL {
  const { leftFor, answer: { status }, facts } = visited;
  if (leftFor !== undefined) return leftFor;
  if (status >= 400) throw refusedBy(doing, facts, { status });
  throw new NotCalled(
    showsForm(visited)
      ? `Cannot ${doing}: the server asks the person to confirm the sign-out, because the URL has no ` +
        "id_token_hint of a session in this browser; give the ID token as id_token_hint, or use as.endSession()"
      : `Cannot ${doing}: the server shows its own page after the sign-out` +
        (facts?.altered === undefined
          ? ", because the URL has no post_logout_redirect_uri; give one of the client's post_logout_redirect_uris, " +
            "and client_id or id_token_hint"
          : describeChange(facts.altered)),
  );
}

export function requireForm(doing: string, visited: Visit): Request {
  if (visited.leftFor !== undefined) {
    throw new Error(`Cannot ${doing}: the response comes as a redirect, not in a form; use as.authorize()`);
  }
  const action = findClientForm(visited);
  if (action === undefined) throw notSentBack(doing, visited);
  return createFormRequest(action, visited);
}

function createFormRequest(action: string, { answer: { body } }: Visit): Request {
  const fields = findFields(textOf(body)).map(([name, value]) => [name, value]);
  return new Request(action, { method: "POST", body: new URLSearchParams(fields) });
}

export async function requireCode(
  doing: string,
  visited: Visit,
  reader: ResponseReader,
  running: Pick<RunningTenant, "clock" | "services">,
): Promise<string> {
  const { searchParams, hash } = requireCallback(doing, visited);
  // A redirect URI has no fragment of its own (OAuth 2.1 §2.3), so a fragment holds the authorization response.
  const sent = hash === "" ? searchParams : new URLSearchParams(hash.slice(1));
  const jwt = sent.get("response");
  const params = jwt === null ? sent : await readResponseJwt(doing, jwt, reader, running);
  const code = params.get("code");
  if (code !== null && jwt === null && isJwtMode(reader.responseMode)) {
    throw plainCode(doing, visited, sent, reader);
  }
  if (code !== null) return code;
  const [error, description] = ["error", "error_description"].map((name) => params.get(name) ?? undefined);
  throw notSentBack(doing, visited, { status: visited.answer.status, error, description });
}

/** Whether the authorization response is a JWT (JARM §2.3). */
function isJwtMode(responseMode = "query"): boolean {
  return responseMode === "jwt" || responseMode.endsWith(".jwt");
}

/** JARM §2.4: the client takes the parameters from the JWT only, because nothing else is signed. */
function plainCode(
  doing: string,
  { facts }: Visit,
  sent: URLSearchParams,
  { responseMode }: ResponseReader,
): Error {
  return new Error(
    `Cannot ${doing}: a client must refuse this authorization response (JARM §2.4), because its code is not in ` +
      `a JWT: expected the parameter response, as response_mode=${responseMode} demands, but got ` +
      [...sent.keys()].join(", ") + describeChange(facts?.altered ?? []),
  );
}

/** The forms on the server's own pages have a path as their action, and not a URL. */
function findClientForm({ answer: { status, body } }: Visit): string | undefined {
  const action = status === 200 ? findFormAction(textOf(body)) : undefined;
  return action !== undefined && URL.canParse(action) ? action : undefined;
}

function isMessage({ answer: { body }, facts }: Visit): boolean {
  return facts?.refusal === undefined && textOf(body).includes(' id="web-message" ');
}

function inMessage(doing: string): NotCalled {
  return new NotCalled(
    `Cannot ${doing}: the response comes in a message to a window (response_mode=web_message): use a browser`,
  );
}

/** A form is a question of the server to the person, or an authorization response. */
function showsForm({ answer: { status, body }, facts }: Visit): boolean {
  return facts?.refusal === undefined && status === 200 && textOf(body).includes("<form");
}

function notSentBack(
  doing: string,
  visited: Visit,
  received: Received = { status: visited.answer.status },
): Error {
  if (visited.leftFor === undefined && showsForm(visited)) {
    return new NotCalled(
      `Cannot ${doing}: the server shows a page of its own at ${withoutQuery(visited.url)}; ` +
        "expected a client's authorization URL, which sends the browser back",
    );
  }
  const expected = "the browser to be sent back to the client, with a code or an OAuth error";
  return refusedBy(doing, visited.facts, received, expected);
}

interface ResponseReader {
  readonly clientId: string;
  readonly responseMode: string | undefined;
  /** The private key, if the response may be encrypted. */
  readonly decryptionKey: Jwk | undefined;
}

/** Checks the JWT as the client must (JARM §2.4). */
async function readResponseJwt(
  doing: string,
  received: string,
  { clientId, decryptionKey }: ResponseReader,
  { clock, services: { keys, settings } }: Pick<RunningTenant, "clock" | "services">,
): Promise<URLSearchParams> {
  const text = await decryptJwt(received, decryptionKey);
  const jwt = parseJwt(text);
  if (jwt === undefined) {
    throw new Error(
      `Cannot ${doing}: expected the authorization response to be a signed JWT, but it is ` +
        (isEncryptedJwt(text)
          ? "encrypted: set decryptionKey to the private JWK of the client that decrypts it"
          : "none"),
    );
  }
  const checks = await judgeResponseJwt(text, jwt, {
    issuer: settings.issuer,
    clientId,
    now: clock.now,
    keys: await keys.publicKeys(),
  });
  const failed = checks.find(({ result }) => result === "failed");
  if (failed !== undefined) {
    const [expected, received] = [failed.expected, failed.received].map((each) => JSON.stringify(each));
    throw new Error(
      `Cannot ${doing}: a client must refuse this authorization response (${failed.rule}), because its ` +
        `${failed.name} is wrong: expected ${expected}, but got ${received}`,
    );
  }
  return new URLSearchParams(unwrapResponse([["response", text]]).map(([name, value]) => [name, value]));
}
