/** The English words of the pages of the control plane. */

export const englishControl = {
  title: "Control plane",
  heading: "Control plane",
  about:
    "The test kit over HTTP, for tests in any language: run logins, move the clock, rotate keys, hold requests, read what happened.",
  safety: "Programs make these calls, and a person sends them from here. Web pages of other sites cannot.",
  noDashboard:
    "This server has no dashboard, so no page of it examines a client that you sign in to by hand. Start it without --no-inspector, and with --inspector-key where other machines reach it.",
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
  type: "Type",
  meaning: "Meaning",
  allCalls: "All calls",
  only: { server: "Only for the server itself.", tenant: "Only for a tenant." },
  value: "Value",
  path: "In the path",
  query: "In the query",
  body: "In the body",
  required: "required",
  send: "Send",
  asks: (call: string): string => `${call} cannot be undone.`,
  confirm: "Send it anyway",
  showSecrets: "Show the secrets",
  answer: (status: number, members: string): string =>
    members === "" ? `Answers ${status}.` : `Answers ${status} with ${members}.`,
  example: "Example, for a POSIX shell",
  copy: (address: string): string => ` the example of ${address}`,
} as const;
