/** Client authentication with a secret in the Authorization header (OAuth 2.1 §2.4.1; RFC 6749 §2.3.1). */

import { decodeBody } from "../../ground/http/body.ts";
import { decodePercent } from "../../ground/http/address.ts";
import { decodeOctets, encodeOctets } from "../../ground/values/octets.ts";
import { memberOf } from "../oauth/contracts/feature_values.ts";
import type { ClientMember, Credentials, Deviation, Feature } from "../oauth/contracts/feature.ts";
import { type AdviceRows, advices, type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";

const wellFormed = "Basic base64(urlencode(client_id):urlencode(client_secret))";

const refusal = refusals({ error: "invalid_client" }, {
  basic_malformed: {
    spec: "RFC 7617 §2",
    sentence: "The Authorization header has malformed Basic credentials",
    expected: wellFormed,
    change: "Send base64(client_id:client_secret) after Basic, with each part form-encoded.",
  },
  basic_secret_empty: {
    spec: "OAuth 2.1 §2.4.1",
    sentence: "The Basic credentials have an empty client_secret",
    expected: "a client_secret, or no Authorization header if the client is public",
    change:
      "Send the secret. A public client removes the line Authorization: Basic, and sends client_id in the body (golang.org/x/oauth2: AuthStyleInParams).",
  },
  secret_not_encoded: {
    spec: "RFC 6749 §2.3.1",
    sentence: "Client authentication failed",
    expected: wellFormed,
    change: "Form-encode the client_id and the secret before they are joined and base64-encoded.",
  },
});

const advice = advices({
  basic_not_encoded: {
    spec: "RFC 6749 §2.3.1",
    sentence: "The client_id and the client_secret in the Authorization header are not form-encoded",
    expected: wellFormed,
    change: "Form-encode the client_id and the secret before they are joined and base64-encoded.",
  },
});

export const refused: RefusalRows = refusal.rows;
export const advised: AdviceRows = advice.rows;

export function clientSecretBasic(): Feature {
  return {
    name: "client_secret_basic",
    spec: "RFC 6749 §2.3.1, RFC 7617",
    clientMembers: [encoding],
    clientAuth: [{
      name: "client_secret_basic",
      scheme: "Basic",
      read({ request }, _form, { readsBasicWithColon }) {
        const sent = request.header("authorization");
        const header = readsBasicWithColon ? sent?.replace(/^basic: /i, "Basic ") : sent;
        if (header === undefined || !/^basic(\s|$)/i.test(header)) return [];
        const readings = readBasic(header);
        if (typeof readings !== "string") return readings;
        throw refusal("basic_malformed", { received: readings, challenge: { scheme: "Basic" } });
      },
    }],
  };
}

const encoding: ClientMember<"encoded"> = {
  name: "client_secret_basic",
  schema: { type: "string", enum: ["encoded"] },
  check(_value, { authentication }) {
    const { method } = authentication!;
    return method === "client_secret_basic"
      ? undefined
      : `must be left out: the client authenticates with ${method}`;
  },
};

const notEncoded: Deviation = {
  advice: advice("basic_not_encoded"),
  findRefusal(client) {
    if (memberOf(client, encoding) !== "encoded") return undefined;
    return refusal("secret_not_encoded", { received: "the right secret, not encoded" });
  },
};

/** Also reads the raw pair of RFC 7617 §2, which many clients send. A text describes credentials that are malformed. */
function readBasic(header: string): readonly Credentials[] | string {
  const pair = readPair(header);
  if (typeof pair === "string") return pair;
  const encoded = decodePair(pair);
  const isSame = encoded?.clientId === pair.clientId && encoded.secret === pair.secret;
  // RFC 7617 §2: no control characters.
  const isRaw = !isSame && !/\p{Cc}/u.test(pair.clientId + pair.secret);
  if (!isRaw) return encoded === undefined ? "credentials with control characters" : [encoded];
  return [
    ...(encoded === undefined ? [] : [{ ...encoded, reading: "form-decoded" }]),
    { ...pair, reading: "as raw text", deviation: notEncoded },
  ];
}

interface Pair {
  readonly clientId: string;
  readonly secret: string;
}

function readPair(header: string): Pair | string {
  const encoded = /^basic +([^]+)$/i.exec(header)?.[1];
  if (encoded === undefined) return "no credentials";
  const notBase64 = "credentials that are not base64";
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return notBase64;
  const octets = decodeOctets(encoded, "base64");
  // The decoder ignores characters that are not base64, so the octets are encoded again and compared.
  if (encodeOctets(octets, "base64") !== encoded.padEnd(Math.ceil(encoded.length / 4) * 4, "=")) {
    return notBase64;
  }
  const decoded = decodeBody(octets);
  if ("problem" in decoded) return "credentials that are not UTF-8";
  const { text } = decoded;
  const colon = text.indexOf(":");
  if (colon === -1) return "credentials without a colon";
  if (colon === 0) return "an empty client_id";
  if (colon === text.length - 1) throw refusal("basic_secret_empty", { challenge: { scheme: "Basic" } });
  return { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Decodes a pair whose halves are form-urlencoded, and therefore ASCII (RFC 6749 appendix B). */
function decodePair(pair: Pair): Pair | undefined {
  const clientId = decodeHalf(pair.clientId);
  const secret = decodeHalf(pair.secret);
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret };
}

function decodeHalf(half: string): string | undefined {
  if (!/^[\x20-\x7e]*$/.test(half)) return undefined;
  if (!/[%+]/.test(half)) return half;
  return decodePercent(half.replaceAll("+", " "));
}
