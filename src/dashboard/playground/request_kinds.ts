/** Lists the requests that a person can build. The list comes from the endpoints and the features of the server. */

import { publicClientMethod } from "../../oauth/clients/client.ts";
import { pathOf } from "../../server/endpoint_router.ts";
import type { Endpoint } from "../../oauth/feature.ts";
import type { Services } from "../../oauth/services.ts";

/** A request that a person can build. */
export interface RequestKind {
  /** The name of the endpoint and, at the token endpoint, the grant type: `token.refresh_token`. */
  readonly id: string;
  readonly endpoint: string;
  readonly grantType?: string;
  readonly method: "GET" | "POST";
  /** The path on this server. */
  readonly path: string;
  /** The address as the issuer names it. */
  readonly url: string;
  /** Where the parameters are. */
  readonly parametersIn: "query" | "form" | "json";
  /** A browser opens the address, because people see pages there. */
  readonly isOpenedByBrowser: boolean;
  readonly fields: readonly Field[];
}

/** A field of the form. Unless it has another role, it is a parameter of the request. */
export interface Field {
  readonly name: string;
  /** `words`: words that become one parameter each. `choice`: it decides how the request is made. */
  readonly role?: "words" | "choice" | "header" | "json" | "more";
  /** It holds a credential or a part of a login, so it never becomes part of an address of the playground. */
  readonly isSecret?: true;
  readonly isLong?: true;
  /** Values that the server knows. */
  readonly known?: readonly string[];
}

/** How an authorization request gets its PKCE pair. `page`: the page makes it. `own`: the person types the challenge. */
export const pkceChoices = ["page", "own", "none"] as const;

const more: Field = { name: "more", role: "more", isLong: true };
const proof: Field = { name: "dpop", role: "header", isSecret: true, isLong: true };
const accessToken: Field = { name: "access_token", role: "header", isSecret: true, isLong: true };

export function listRequestKinds(services: Services): readonly RequestKind[] {
  const { settings, slots } = services;
  const seen = new Set<string>();
  const named = slots.endpoints.filter(({ name, path, method, refusal, isRoutine }) => {
    if (name === undefined || isRoutine || path.includes("{") || seen.has(name)) return false;
    // Only a page of the server can create the form that such an endpoint takes.
    if (refusal === "page" && method !== "GET") return false;
    seen.add(name);
    return true;
  });
  return named.flatMap((endpoint): readonly RequestKind[] => {
    const path = pathOf(endpoint, settings);
    const name = endpoint.name!;
    const method: RequestKind["method"] = endpoint.method === "GET" ? "GET" : "POST";
    const kind = {
      id: name,
      endpoint: name,
      method,
      path,
      url: new URL(path, settings.issuer).href,
      parametersIn: name === "register" ? "json" : method === "GET" ? "query" : "form",
      isOpenedByBrowser: endpoint.refusal === "page",
      fields: fieldsOf(endpoint, services),
    } as const;
    if (name !== "token") return [kind];
    return [...slots.grantTypes.keys()].map((grantType) => ({
      ...kind,
      id: `${name}.${grantType}`,
      grantType,
      fields: [...redemptionFields(grantType), ...clientFields(services), ...proofFields(services), more],
    }));
  });
}

function fieldsOf({ name, method }: Endpoint, services: Services): readonly Field[] {
  switch (name) {
    case "authorize":
      return [...authorizationFields(services), more];
    case "par":
      return [
        ...authorizationFields(services).filter((field) => field.name !== "request_uri"),
        ...clientFields(services).filter((field) => field.name !== "client_id"),
        ...proofFields(services),
        more,
      ];
    case "revoke":
    case "introspect":
      return [
        { name: "token", isSecret: true, isLong: true },
        { name: "token_type_hint", known: ["access_token", "refresh_token"] },
        ...clientFields(services),
        more,
      ];
    case "register":
      return [
        { name: "metadata", role: "json", isLong: true },
        { name: "initial_access_token", role: "header", isSecret: true },
      ];
    case "logout":
      return [
        { name: "id_token_hint", isSecret: true, isLong: true },
        { name: "client_id" },
        { name: "post_logout_redirect_uri" },
        { name: "state" },
        { name: "ui_locales", known: services.pages.languages },
        more,
      ];
    case "jwks":
    case "metadata":
      return [];
    default:
      return [accessToken, ...proofFields(services), ...(method === "GET" ? [] : [more])];
  }
}

function authorizationFields({ slots, settings, pages }: Services): readonly Field[] {
  const scopes = [...new Set([...slots.scopes, ...settings.scopes.keys()])];
  const core: readonly Field[] = [
    { name: "client_id" },
    { name: "redirect_uri" },
    { name: "response_type", known: [...slots.responseTypes.keys()] },
    { name: "scope", known: scopes },
    { name: "resource", role: "words", known: [...settings.resources] },
    { name: "state" },
    { name: "response_mode", known: [...slots.responseModes.keys()] },
    { name: "pkce", role: "choice", known: pkceChoices },
    { name: "code_challenge" },
    { name: "code_challenge_method", known: ["S256"] },
    { name: "login_hint" },
    { name: "ui_locales", known: pages.languages },
  ];
  const names = new Set(core.map(({ name }) => name));
  const added = [
    ...slots.requestParams.keys(),
    ...slots.requestSources.map(({ param }) => param),
    ...[...slots.senderProofs.values()].flatMap(({ requestParam }) => requestParam ?? []),
  ].filter((name) => !names.has(name) && names.add(name));
  return [...core, ...added.map((name) => describeAdded(name, settings.acrValues))];
}

function describeAdded(name: string, acrValues: readonly string[]): Field {
  if (["request", "request_uri", "id_token_hint"].includes(name)) {
    return { name, isSecret: true, isLong: true };
  }
  if (name === "prompt") return { name, known: ["none", "login", "consent", "select_account"] };
  if (name === "acr_values") return { name, known: acrValues };
  return name === "claims" ? { name, isLong: true } : { name };
}

function redemptionFields(grantType: string): readonly Field[] {
  switch (grantType) {
    case "authorization_code":
      return [
        { name: "code", isSecret: true },
        { name: "redirect_uri" },
        { name: "code_verifier", isSecret: true },
        { name: "resource", role: "words" },
      ];
    case "refresh_token":
      return [
        { name: "refresh_token", isSecret: true, isLong: true },
        { name: "scope" },
        { name: "resource", role: "words" },
      ];
    default:
      return [{ name: "scope" }, { name: "resource", role: "words" }];
  }
}

/** The fields by which a client authenticates. */
function clientFields({ slots }: Services): readonly Field[] {
  const methods = [...slots.clientAuth.values()];
  const names = methods.map(({ name }) => name);
  return [
    { name: "client_id" },
    {
      name: "client_authentication",
      role: "choice",
      known: slots.acceptsPublicClients ? [publicClientMethod, ...names] : names,
    },
    { name: "client_secret", role: "choice", isSecret: true },
    ...(methods.some(({ assertionAlgorithms }) => assertionAlgorithms !== undefined)
      ? [{ name: "client_assertion", role: "choice", isSecret: true, isLong: true } as const]
      : []),
  ];
}

function proofFields({ slots }: Services): readonly Field[] {
  return slots.senderProofs.size === 0 ? [] : [proof];
}
