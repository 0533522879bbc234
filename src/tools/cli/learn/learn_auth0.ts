/** Learns a configuration from the folder that `a0deploy export --format=directory` writes: JSON files for each kind. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../../server/schema/json_object.ts";
import { CommandError } from "../command_error.ts";
import { readJsonFile } from "../json_file.ts";
import {
  createContext,
  type LearnContext,
  learnLifetimes,
  type LearnOptions,
  learnSecret,
  learnUris,
  readObjects,
  readTexts,
} from "./learn_parts.ts";
import { learnClaims, scopeName } from "./learn_metadata.ts";
import { objectOf, type Part, part, type Parts } from "./part.ts";
import type { Learned } from "./write_learned.ts";

export async function learnAuth0(folder: string, options: LearnOptions): Promise<Learned> {
  const [clients, apis, roles] = await Promise.all(
    ["clients", "resource-servers", "roles"].map((kind) => readKind(join(folder, kind))),
  ) as [readonly JsonObject[], readonly JsonObject[], readonly JsonObject[]];
  if (clients.length === 0) {
    throw new CommandError(
      `${folder} has no folder clients with JSON files, as a0deploy export --format=directory writes`,
    );
  }
  const context = createContext(options);
  const scopes = apis.flatMap(({ scopes }) => readObjects(scopes)).filter(({ value }) =>
    scopeName.test(String(value))
  );
  const identifiers = readTexts(apis.map(({ identifier }) => identifier));
  const resources = identifiers.filter((each) => /^https?:\/\/[^#\s]+$/.test(each) && URL.canParse(each));
  if (resources.length < identifiers.length) {
    const others = identifiers.filter((each) => !resources.includes(each));
    context.leaveOut("Identifiers of APIs that are no URLs.", ...others);
  }
  if (resources.length > 0) {
    context.leaveOut("Clients name an API with resource (RFC 8707), and not with audience.");
  }
  const names = readTexts(roles.map(({ name }) => name));
  const sentences = scopes.map(({ value, description }) =>
    [String(value), part(String(description ?? value), "From a scope of an API.")] as const
  );
  const parts: Parts = {
    issuer: part(`${options.origin}/`, "The issuer of a tenant ends with a slash."),
    paths: part("auth0", "The paths of a tenant, and the typ of its access tokens."),
    scopes: objectOf(Object.fromEntries(sentences), "Of the APIs."),
    resources: part(resources, "The identifiers of the APIs."),
    lifetimes: learnLifetimes({
      accessToken: part(apis[0]?.["token_lifetime"], "From token_lifetime of the first API."),
    }),
    clients: {
      items: clients.filter(({ global }) => global !== true).map((client) => learnClient(client, context)),
      from: "The clients of the tenant.",
    },
    ...(names.length === 0 ? {} : learnClaims(
      { roles: names },
      { accessToken: ["roles"], idToken: ["roles"] },
      "Where an action of the tenant would write them. Its name for the claim may differ.",
      "The names of the roles, or invented: the export has no people.",
    )),
  };
  return { parts, leftOut: context.leftOut };
}

async function readKind(folder: string): Promise<readonly JsonObject[]> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
  const values = await Promise.all(
    files.map(async (name) => (await readJsonFile(join(folder, name), "learn")).value),
  );
  return values.filter(isJsonObject);
}

function learnClient(client: JsonObject, context: LearnContext): Part {
  const { name, client_id, client_secret, app_type, token_endpoint_auth_method: announced } = client;
  const id = String(client_id ?? name);
  if (client_id === undefined) {
    context.leaveOut("A client without client_id has its name as id: export with --export_ids.", id);
  }
  const isPublic = announced === "none" ||
    client_secret === undefined && /^(spa|native)$/.test(String(app_type));
  const method = isPublic ? "none" : ["client_secret_basic", "client_secret_post"]
    .find((each) => each === announced) ?? "client_secret_post";
  const members: Parts = {
    client_id: part(id, "From client_id, or else from name."),
    client_name: part(name, "From name."),
    client_secret: isPublic ? undefined : learnSecret(client_secret, context),
    token_endpoint_auth_method: part(method, "From token_endpoint_auth_method, or else from app_type."),
    ...learnUris(id, {
      redirect_uris: readTexts(client["callbacks"]),
      post_logout_redirect_uris: readTexts(client["allowed_logout_urls"]),
    }, context),
  };
  return { members, from: "A client of the tenant." };
}
