/** A person, as the People API of Google shows it. */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { describeProfile, emailScope, profileScope, usualPicture } from "./google_answers.ts";
import type { ShownPerson } from "./look_alike.ts";

const refusal = refusals({
  provider_fields_missing: {
    error: "invalid_request",
    sentence: "The People API of Google needs the parameter personFields",
    expected: "personFields with names, emailAddresses and photos, separated by commas",
    change: "Add personFields to the query, for example personFields=names,emailAddresses.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The access token needs one of these scopes. */
export const personScopes: readonly string[] = ["profile", "email", profileScope, emailScope];

/** Shows the fields that the request names, as far as the scope gives them. */
export function describeGooglePerson(
  person: ShownPerson,
  scope: readonly string[],
  { address }: IncomingRequest,
): Members {
  const fields = new URLSearchParams(address.query).getAll("personFields").flatMap((each) => each.split(","));
  if (fields.every((each) => each === "")) throw refusal("provider_fields_missing");
  const { sub: id, name, given_name: givenName, family_name: familyName, picture, email, email_verified } =
    describeProfile(person, scope);
  const listOf = (type: string, value: Members, verified?: unknown) => [{
    metadata: { primary: true, ...present({ verified }), source: { type, id }, sourcePrimary: true },
    ...value,
  }];
  const known = present({
    names: name && listOf("PROFILE", {
      ...{ displayName: name, ...present({ familyName, givenName }), unstructuredName: name },
      displayNameLastFirst: [familyName, givenName].filter((each) => each !== undefined).join(", "),
    }),
    photos: picture &&
      listOf("PROFILE", { url: picture, ...present({ default: picture === usualPicture || undefined }) }),
    emailAddresses: email && listOf("ACCOUNT", { value: email }, email_verified),
    metadata: { sources: [describeSource(`${id}`)], objectType: "PERSON" },
  });
  return {
    resourceName: `people/${id}`,
    etag: `%${id}`,
    ...Object.fromEntries(Object.entries(known).filter(([field]) => fields.includes(field))),
  };
}

function describeSource(id: string): Members {
  const profileMetadata = { objectType: "PERSON", userTypes: ["GOOGLE_USER"] };
  return { type: "PROFILE", id, etag: `#${id}`, profileMetadata, updateTime: "2024-01-01T00:00:00Z" };
}
