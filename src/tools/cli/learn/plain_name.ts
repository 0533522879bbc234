/** Tells the names of claims that programs chose from names of persons and ids, which `learn` does not take over. */

/** Words of claims. None is usual as the name of a person. */
const words: ReadonlySet<string> = new Set(
  [
    "access account accounts acr act active address admin age allowed amr api app application applications apps area",
    "assigned at attribute attributes aud auth authentication authorisation authorities authority authorization azp",
    "billing birth birthdate business by category center centre city claim claims client clients code codes color",
    "colour company confirmation connection contact contacts contract cost count country created currency customer",
    "data date default department departments description detail details device devices directory display division",
    "domain domains email emails employee enabled entitlement entitlements environment event events exp expires",
    "expiry external factor family features federated first flags format formatted full gender given group groups has",
    "hash hint iat id identifier identities identity idp ids info internal is iss issuer item items job jti key keys",
    "kind label language languages last level levels license licenses limit limits list locale locality location",
    "locations login logins manager mapping member members membership memberships metadata method methods middle",
    "mobile mode modified name names namespace nbf nickname nonce number numbers object office oid operations order",
    "orders org organisation organisations organization organizations orgs owner parent partner path payment",
    "permission permissions personal phone picture plan plans platform policies policy postal preferences preferred",
    "primary principal private product products profile profiles project projects properties provider providers",
    "public quota read realm realms reference region regions repos resource resources rights role roles rule rules",
    "scope scopes secondary section security service services session settings shop sid site sites source start state",
    "states status store street sub subject subscription subscriptions system tag tags team teams tenant tenants tier",
    "time timezone title token tokens total type types unit units updated uri url urls usage use user username users",
    "uuid value values verification verified version website work workspace workspaces write zip zone zoneinfo",
  ].flatMap((line) => line.split(" ")),
);

/** Returns the words of a name such as `cost_centre`, `costCentre` and `https://shop.example/cost-centre`. */
function splitName(name: string): readonly string[] {
  const own = name.slice(Math.max(...["/", ":", "#"].map((mark) => name.lastIndexOf(mark))) + 1);
  return listNameWords(own.replaceAll(/[a-z](?=[A-Z])/g, "$& "));
}

export function listNameWords(text: string): readonly string[] {
  return text.toLowerCase().split(/[^\p{L}\p{M}\d]+/u).filter((word) => word !== "");
}

/** Whether each word is one of claims. Other names inside of a claim may be ids, or those of persons. */
export function isPlainName(name: string): boolean {
  const all = splitName(name);
  return /^[\w-]{1,80}$/.test(name) && all.length > 0 && all.every((word) => words.has(word));
}

/**
 * Whether the name may be that of a claim: a program chose it, so one word is enough, and more are no name of a person if
 * one of them is a word of claims. `ofPersons` are words of what the claims say about persons.
 */
export function mayNameClaim(name: string, ofPersons: ReadonlySet<string>): boolean {
  const all = splitName(name);
  return !all.some((word) => ofPersons.has(word) && !words.has(word)) &&
    (all.length === 1 || all.some((word) => words.has(word)));
}
