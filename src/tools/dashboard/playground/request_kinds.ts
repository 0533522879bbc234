/** Lists the requests that a person can build. The list comes from the endpoints and the features of the server. */

import { publicClientMethod } from "../../../server/oauth/contracts/client.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import { describeServer } from "../../../server/oauth/endpoints/describe_server.ts";
import { isSecretName } from "../../../server/oauth/secrets/redaction.ts";
import { present } from "../../../ground/values/present.ts";
import { pathOf } from "../../../server/oauth/requests/server_urls.ts";

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
  /** It is shown at once. The page folds others. */
  readonly isUsual?: true;
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
  const describe = createDescribe(services);
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
      fields: fieldsOf(endpoint, services, describe),
    } as const;
    if (name !== "token") return [kind];
    return [...slots.grantTypes.values()].map(({ name: grantType, params }) => ({
      ...kind,
      id: `${name}.${grantType}`,
      grantType,
      fields: [...describeOwn(params, describe), ...clientFields(services), ...proofFields(services), more],
    }));
  });
}

function fieldsOf(endpoint: Endpoint, services: Services, describe: Describe): readonly Field[] {
  const { name, method, params, announcesClientAuth } = endpoint;
  switch (name) {
    case "authorize":
      return [...authorizationFields(services, describe), more];
    case "par":
      return [
        ...authorizationFields(services, describe).filter((field) => field.name !== "request_uri"),
        ...clientFields(services).filter((field) => field.name !== "client_id"),
        ...proofFields(services),
        more,
      ];
    case "device_authorization":
      return [
        ...describeOwn(["scope", "resource"], describe),
        ...["login_hint", ...services.slots.requestParams.keys()].map(describe),
        ...clientFields(services),
        ...proofFields(services),
        more,
      ];
    case "device_verification":
      return describeOwn(["user_code"], describe);
    case "register":
      return [
        { name: "metadata", role: "json", isLong: true },
        { name: "initial_access_token", role: "header", isSecret: true },
      ];
    default:
      if (params === undefined) {
        return [accessToken, ...proofFields(services), ...(method === "GET" ? [] : [more])];
      }
      if (params.length === 0) return [];
      return [
        ...describeOwn(params, describe),
        ...(announcesClientAuth === undefined ? [] : clientFields(services)),
        more,
      ];
  }
}

function authorizationFields({ slots }: Services, describe: Describe): readonly Field[] {
  const core = [
    ...["client_id", "redirect_uri", "response_type", "scope", "resource", "state", "response_mode"],
    ...["pkce", "code_challenge", "code_challenge_method", "login_hint", "ui_locales"],
  ];
  const added = [
    ...slots.requestParams.keys(),
    ...slots.requestSources.map(({ param }) => param),
    ...[...slots.senderProofs.values()].flatMap(({ requestParam }) => requestParam ?? []),
  ];
  return [...new Set([...core, ...added])].map((name) =>
    name === "pkce" ? { name, role: "choice", known: pkceChoices } : describe(name)
  );
}

type Describe = (name: string) => Field;

function describeOwn(params: readonly string[], describe: Describe): readonly Field[] {
  return params.map((name) => ({ ...describe(name), isUsual: true }));
}

/** These names only look like those of secrets. */
const openNames: ReadonlySet<string> = new Set([
  ...["state", "nonce", "login_hint", "token_type_hint"],
  ...["subject_token_type", "actor_token_type", "requested_token_type"],
]);

const longNames = /(token|assertion|id_token_hint|claims|details|^request|^request_uri)$/;

/** The metadata says which values the server knows: `acr_values_supported`, `response_types_supported`. */
function createDescribe(services: Services): Describe {
  const { slots, settings } = services;
  const metadata = describeServer(services);
  const repeatable = new Set([...slots.grantTypes.values()].flatMap(({ repeatable = [] }) => repeatable));
  const exchangeable = [...new Set(slots.exchangeable.flatMap(({ types }) => types))];
  const known = new Map([
    ["resource", [...settings.resources]],
    ["subject_token_type", exchangeable],
    ["actor_token_type", exchangeable],
    ["token_type_hint", ["access_token", ...slots.tokenReaders.map(({ kind }) => kind)]],
  ]);
  return (name) => {
    const announced = ["", "s", "_values"].map((ending) => metadata[`${name}${ending}_supported`]);
    const values = known.get(name) ?? announced.find(Array.isArray);
    return {
      name,
      ...present({
        role: name === "resource" || repeatable.has(name) ? "words" : undefined,
        isSecret: isSecretName(name) && !openNames.has(name) ? true : undefined,
        isLong: longNames.test(name) || undefined,
        known: values,
      }),
    };
  };
}

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
  return slots.senderProofs.has("jkt") ? [proof] : [];
}
