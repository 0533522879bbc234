/** A person and a group, as Microsoft Graph describes them, and the permissions for them. */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import { groupsOf, guidFor } from "./differences.ts";
import { pagesOf, type ShownPerson, type Source } from "./look_alike.ts";

export const page: ReturnType<typeof pagesOf> = pagesOf("https://learn.microsoft.com/en-us/graph/");
export const user: Source = page("user resource type, Methods", "api/resources/user");

export const graphResource = "https://graph.microsoft.com";

export const userRead = "User.Read";

/** Names the set, or with `/$entity` the item, that an answer is of, as OData does. */
export function contextOf({ address }: IncomingRequest, set: string, end = ""): Members {
  const [, version] = address.path.split("/");
  const selected = new URLSearchParams(address.query).get("$select");
  const names = selected === null ? "" : `(${selected})`;
  return { "@odata.context": `${graphResource}/${version}/$metadata#${set}${names}${end}` };
}

/** Members and memberships are objects of a directory, unless the path names their type. */
export function setOf({ address }: IncomingRequest): string {
  const type = /graph\.(\w+)$/.exec(address.path)?.[1];
  return type === undefined ? "directoryObjects" : `${type}s`;
}

export const withResource = (name: string): readonly string[] => [name, `${graphResource}/${name}`];

/** With these, an application may read the person of the token. */
export const ownPermissions: readonly string[] = [userRead, "User.ReadWrite"].flatMap(withResource);

/** The permissions for which the application is registered. The address of Graph may end with a slash, or be left out. */
export const allPermissions: readonly string[] = [
  ...["/.default", "//.default"].map((name) => graphResource + name),
  ".default",
];

/** With these, an application may read other people, too. */
export const userPermissions: readonly string[] = [
  ...["User.ReadBasic.All", "User.Read.All", "User.ReadWrite.All"].flatMap(withResource),
  ...["Directory.Read.All", "Directory.ReadWrite.All"].flatMap(withResource),
  ...allPermissions,
];

export const groupPermissions: readonly string[] = [
  ...["GroupMember.Read.All", "Group.Read.All", "Directory.Read.All"].flatMap(withResource),
  ...allPermissions,
];

/** Libraries compare that of a token with that of Microsoft Graph. */
export function principalNameOf({ username, claims }: Pick<ShownPerson, "username" | "claims">): unknown {
  return claims["email"] ?? username;
}

export function userOf(person: ShownPerson): Members {
  const { username, subject, claims } = person;
  const { name = username, given_name = null, family_name = null, email = null } = claims;
  return {
    id: guidFor(`person ${subject}`),
    displayName: name,
    givenName: given_name,
    surname: family_name,
    mail: email,
    userPrincipalName: principalNameOf(person),
    businessPhones: [],
    jobTitle: null,
    mobilePhone: null,
    officeLocation: null,
    preferredLanguage: null,
  };
}

/** With `$select`, what is not set is null. */
export function select(item: Members, query: URLSearchParams): Members {
  const names = query.get("$select")?.split(",").map((each) => each.trim());
  const all: Members = { accountEnabled: true, userType: "Member", ...item };
  return names === undefined ? item : Object.fromEntries([
    ...Object.entries(item).filter(([name]) => name === "@odata.type"),
    ...[...new Set(["id", ...names])].map((name) => [name, all[name] ?? null]),
  ]);
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The default members of a group that are null here. */
const notSet =
  "deletedDateTime classification description expirationDateTime isAssignableToRole mail membershipRule " +
  "membershipRuleProcessingState onPremisesDomainName onPremisesLastSyncDateTime onPremisesNetBiosName " +
  "onPremisesSamAccountName onPremisesSecurityIdentifier onPremisesSyncEnabled preferredDataLocation " +
  "preferredLanguage securityIdentifier theme visibility";

/** The claim `groups` of a person has the ids or the names of the groups. */
export function describeGroup(name: string): Members {
  const id = guid.test(name) ? name : guidFor(`group ${name}`);
  return {
    ...{ id, displayName: name, mailNickname: id.slice(0, 8), mailEnabled: false, securityEnabled: true },
    ...{ createdDateTime: "2024-01-01T00:00:00Z", renewedDateTime: "2024-01-01T00:00:00Z", groupTypes: [] },
    ...{ proxyAddresses: [], resourceBehaviorOptions: [], resourceProvisioningOptions: [] },
    onPremisesProvisioningErrors: [],
    ...Object.fromEntries(notSet.split(" ").map((each) => [each, null])),
  };
}

export const groupsFor = (person: ShownPerson): readonly Members[] =>
  groupsOf(person).map((name) => ({ "@odata.type": "#microsoft.graph.group", ...describeGroup(name) }));
