/** Builds a request from the fields of the form. */

import { deriveVerifier } from "../../../server/client/flow.ts";
import {
  type Identification,
  identify,
  proofHeaders,
  tokenHeaders,
} from "../../../server/client/client_request.ts";
import { fromBase64url } from "../../../ground/crypto/bytes.ts";
import { sha256 } from "../../../ground/crypto/platform.ts";
import type { RequestKind } from "./request_kinds.ts";
import { formatParams, type Pair } from "../../../ground/http/form.ts";
import type { Browser } from "../../../server/oauth/people/browser.ts";
import type { PkcePair, RequestProps } from "./playground_request.tsx";

/** The values of the form, by the names of the fields. Values that a field does not have are absent. */
export type Values = ReadonlyMap<string, string>;

/** A request of the page. The names of its headers are in lower case. */
export type BuiltRequest = Omit<RequestProps, "copies">;

export function buildRequest(kind: RequestKind, values: Values, pair: PkcePair | undefined): BuiltRequest {
  const params = listParams(kind, values, pair);
  const headers = listHeaders(kind, values);
  const query = kind.parametersIn === "query" && params.length > 0 ? `?${formatParams(params)}` : "";
  const address = { method: kind.method, url: kind.url + query, target: kind.path + query };
  switch (kind.parametersIn) {
    case "query":
      return { ...address, headers };
    case "json":
      return {
        ...address,
        headers: [["content-type", "application/json"], ...headers],
        body: values.get("metadata") ?? "",
      };
    case "form":
      return {
        ...address,
        headers: [["content-type", "application/x-www-form-urlencoded"], ...headers],
        form: params,
        body: formatParams(params),
      };
  }
}

function listParams(
  { fields, grantType }: RequestKind,
  values: Values,
  pair: PkcePair | undefined,
): readonly Pair[] {
  const choosesPkce = fields.some(({ name }) => name === "pkce");
  const pkce = values.get("pkce") ?? "page";
  return [
    ...(grantType === undefined ? [] : [["grant_type", grantType] as const]),
    ...fields.flatMap(({ name, role }): readonly Pair[] => {
      const value = values.get(name) ?? "";
      if (name === "client_id" && value !== "" && sendsBasic(fields, values)) return [];
      if (choosesPkce && name.startsWith("code_challenge") && pkce !== "own") return [];
      if (role === "words") {
        return value.split(/\s+/).filter((word) => word !== "").map((word) => [name, word]);
      }
      if (role === "more") return readMore(value);
      if (name === "pkce" && pkce === "page" && pair !== undefined) {
        return [["code_challenge", pair.challenge], ["code_challenge_method", "S256"]];
      }
      if (name === "client_authentication") return listCredentials(values);
      return role === undefined && value !== "" ? [[name, value]] : [];
    }),
  ];
}

/** A form without a client field, such as that of a pushed request, sends client_id as well. */
function sendsBasic(fields: RequestKind["fields"], values: Values): boolean {
  return values.get("client_authentication") === "client_secret_basic" &&
    !fields.some(({ name }) => name === "response_type");
}

/** The parameters by which the client authenticates, without empty ones. Its id is a field of its own. */
function listCredentials(values: Values): readonly Pair[] {
  return identifyBy(values).form.filter(([name, value]) => name !== "client_id" && value !== "");
}

function identifyBy(values: Values): Identification {
  const get = (name: string) => values.get(name) ?? "";
  const method = get("client_authentication");
  const assertion = method.endsWith("_jwt") && get("client_assertion") || undefined;
  return identify({ clientId: get("client_id"), method, secret: get("client_secret") }, assertion);
}

function listHeaders({ fields }: RequestKind, values: Values): readonly Pair[] {
  const token = values.get("access_token") || values.get("initial_access_token");
  const proof = values.get("dpop") || undefined;
  const authenticates = fields.some(({ name }) => name === "client_authentication");
  return [
    ...(authenticates ? identifyBy(values).headers : []),
    ...(token
      ? tokenHeaders(oneLine(token), proof && oneLine(proof))
      : proofHeaders(proof && oneLine(proof))),
  ];
}

/** A header cannot hold a line break, and no token has white space. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Reads lines such as `name=value`. A line without an equals sign is a parameter without a value. */
export function readMore(text: string): readonly Pair[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "").map((line) => {
    const equals = line.indexOf("=");
    return equals === -1 ? [line.trim(), ""] : [line.slice(0, equals).trim(), line.slice(equals + 1)];
  });
}

/** Nothing stores the pair. The callback page of this server derives the same verifier, and can exchange the code. */
export function createPkcePair(browser: Browser, state: string): PkcePair {
  const verifier = deriveVerifier(browser, state);
  const challenge = sha256(verifier);
  const octets = [...fromBase64url(challenge)];
  return { verifier, hash: octets.map((octet) => octet.toString(16).padStart(2, "0")).join(""), challenge };
}
