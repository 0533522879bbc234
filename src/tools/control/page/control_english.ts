/** The English words of the pages of the control plane. */

export type ValueTypeName = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

export const englishControl = {
  title: "Control plane",
  heading: "Control plane",
  about:
    "The test kit over HTTP, for tests in any language: log in, move the clock, rotate keys, hold requests, read what happened.",
  safety:
    "Programs make these calls. Web pages of other sites cannot, and this page only describes the calls.",
  byHandHeading: "A person does the same on these pages:",
  byHand: {
    clock: "Turn the clock",
    misbehaviours: "Switch a misbehaviour on",
    gates: "Close a gate",
    people: "Change people",
    clients: "See clients",
    requests: "Read the requests",
    examine: "Examine an application",
  },
  noDashboard:
    "This server has no dashboard, so no page of it examines an application that you log in to by hand. Start it without --no-inspector, and with --inspector-key where other machines reach it.",
  rule: "Names of the calls",
  ruleNote:
    "A call has the name of the test kit's method, in lower case with underscores: nextSignIn is /next_sign_in. Options keep their names, such as redirectUri. Tokens have the names of OAuth, such as refresh_token. In every call, username names the person and client names the client. Bodies are JSON.",
  answers:
    "An answer is JSON, or has the status 204 and no body. A refused call changes nothing. Its answer has error and error_description, and often place, where the mistake is, and expected, which says the right value.",
  tenantPath: "/_postern/tenants/NAME",
  tenants:
    "Each tenant has the same calls below {path}. The first POST to a tenant that succeeds creates the tenant.",
  address: "All paths here are below {url}. A program reads the same from the {document}.",
  document: "OpenAPI document",
  calls: "Calls",
  member: "Member",
  type: "Type",
  meaning: "Meaning",
  inTypeScript: "In TypeScript",
  overHttp: "Over HTTP",
  allCalls: "All calls",
  only: { server: "Only for the server itself.", tenant: "Only for a tenant." },
  query: "In the query",
  body: "In the body",
  required: "required",
  answer: (status: number, members: string): string =>
    members === "" ? `Answers ${status}.` : `Answers ${status} with ${members}.`,
  example: "Example, for a POSIX shell",
  copy: (address: string): string => ` the example of ${address}`,
  /** The second text is for the values of a list. */
  types: {
    object: ["object", "objects"],
    array: ["list", "lists"],
    string: ["text", "texts"],
    number: ["number", "numbers"],
    integer: ["integer", "integers"],
    boolean: ["true or false", "booleans"],
    null: ["null", "nulls"],
  } as Readonly<Record<ValueTypeName, readonly [one: string, several: string]>>,
  listOf: (values: string): string => `list of ${values}`,
  anyOf: (types: readonly string[]): string => types.join(types.length > 2 ? ", or " : " or "),
} as const;
