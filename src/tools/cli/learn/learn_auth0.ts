/** Learns a configuration from the folder that `a0deploy export --format=directory` writes: JSON files for each kind. */

import { isAbsoluteUri } from "../../../ground/http/address.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../../ground/schema/json_object.ts";
import { CommandError } from "../terminal/command_error.ts";
import { readJsonFile } from "../configuration/json_file.ts";
import {
  chooseScopes,
  type LearnContext,
  learnLifetimes,
  learnSecret,
  learnUris,
  readObjects,
  readTexts,
} from "./learn_parts.ts";
import { learnClaims } from "./learn_metadata.ts";
import { objectOf, type Part, part, type Parts } from "./part.ts";
import { writeValue } from "../../../ground/values/write_value.ts";

export async function learnAuth0(folder: string, context: LearnContext): Promise<Parts> {
  const readKind = (kind: string) => readFolder(join(folder, kind));
  const clients = await readKind("clients");
  if (clients.length === 0) {
    throw new CommandError(
      `${folder} has no folder clients with JSON files, as a0deploy export --format=directory writes`,
    );
  }
  const apis = await readKind("resource-servers");
  const all = apis.flatMap(({ scopes }) => readObjects(scopes));
  const names = chooseScopes(readTexts(all.map(({ value }) => value)), context);
  const scopes = all.filter(({ value }) => names.includes(writeValue(value)))
    .map((
      { value, description = value },
    ) => [value, part(writeValue(description), "From a scope of an API.")]);
  const roles = readTexts((await readKind("roles")).map(({ name }) => name));
  return {
    issuer: part(`${context.origin}/`, "The issuer of a tenant ends with a slash."),
    paths: part("auth0", "The paths of a tenant, and the typ of its access tokens."),
    scopes: objectOf(Object.fromEntries(scopes), "Of the APIs."),
    resources: part(chooseResources(apis, context), "The identifiers of the APIs."),
    lifetimes: learnLifetimes({
      accessToken: part(apis[0]?.["token_lifetime"], "From token_lifetime of the first API."),
    }),
    clients: {
      items: clients.filter(({ global }) => global !== true).map((client) => learnClient(client, context)),
      from: "The clients of the tenant.",
    },
    ...(roles.length === 0 ? {} : learnClaims(
      { roles },
      { accessToken: ["roles"], idToken: ["roles"] },
      "Where an action of the tenant would write them. Its name for the claim may differ.",
      "The names of the roles, or invented: the export has no people.",
    )),
  };
}

async function readFolder(folder: string): Promise<readonly JsonObject[]> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
  const read = files.map((name) => readJsonFile(join(folder, name), "learn"));
  return (await Promise.all(read)).map(({ value }) => value).filter(isJsonObject);
}

function chooseResources(apis: readonly JsonObject[], { leaveOut }: LearnContext): readonly string[] {
  const identifiers = readTexts(apis.map(({ identifier }) => identifier));
  const resources = identifiers.filter((each) => /^https?:/.test(each) && isAbsoluteUri(each));
  leaveOut("Identifiers of APIs that are no URLs.", identifiers.filter((each) => !resources.includes(each)));
  if (resources.length > 0) {
    leaveOut("Clients name an API with resource (RFC 8707), and not with audience.");
  }
  return resources;
}

function learnClient(client: JsonObject, context: LearnContext): Part {
  const { name, client_id, client_secret, app_type, token_endpoint_auth_method: announced } = client;
  const id = writeValue(client_id ?? name);
  if (client_id === undefined) {
    context.leaveOut("A client without client_id has its name as id: export with --export_ids.", [id]);
  }
  const isPublic = announced === "none" ||
    client_secret === undefined && (app_type === "spa" || app_type === "native");
  const method = isPublic ? "none" : announced === "client_secret_basic" ? announced : "client_secret_post";
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
