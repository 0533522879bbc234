/** Prints a Go program for golang.org/x/oauth2 and go-oidc: a login at the terminal, or the client credentials grant. */

import { publicClientMethod } from "../../server/oauth/clients/client.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import {
  type Application,
  describePlainFlow,
  type LoginApplication,
  noteSecret,
  quote,
  secretName,
  urlOf,
} from "./application_terms.ts";
import { findServedAddress } from "./library_address.ts";

export function describeGo(application: Application, settings: Settings): readonly string[] {
  return describePlainFlow(application, {
    mark: "//",
    limit: "golang.org/x/oauth2 cannot sign an assertion",
    logIn,
    getToken: () => getToken(application, settings),
  });
}

function logIn(application: LoginApplication): readonly string[] {
  const { issuer, clientId, scope, method } = application;
  const { redirectUri, path, port, notes } = findServedAddress(application, "this program");
  const signsIn = scope.includes("openid");
  return [
    "// main.go: go mod init app && go mod tidy && go run .",
    ...notes.map((line) => `// ${line}`),
    ...noteSecret(application, "//"),
    "package main",
    "",
    ...describeImports(
      ["context", "fmt", "log", "net/http", ...(method === publicClientMethod ? [] : ["os"])],
      ["github.com/coreos/go-oidc/v3/oidc", "golang.org/x/oauth2"],
    ),
    "",
    "func main() {",
    "\tctx := context.Background()",
    `\tserver := must(oidc.NewProvider(ctx, ${quote(issuer)}))`,
    "\tendpoint := server.Endpoint()",
    `\tendpoint.AuthStyle = ${styleOf(method)}`,
    ...describeStruct("config := oauth2.Config", {
      ClientID: quote(clientId),
      ...(method === publicClientMethod ? {} : { ClientSecret: `os.Getenv("${secretName}")` }),
      RedirectURL: quote(redirectUri),
      Scopes: `[]string{${scope.map(quote).join(", ")}}`,
      Endpoint: "endpoint",
    }),
    "\tstate, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()",
    '\tfmt.Println("Open", config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))',
    `\thttp.HandleFunc(${quote(path)}, func(w http.ResponseWriter, r *http.Request) {`,
    `\t\tif r.FormValue("state") != state || r.FormValue("iss") != ${quote(issuer)} {`,
    '\t\t\thttp.Error(w, "not our answer", http.StatusBadRequest)',
    "\t\t\treturn",
    "\t\t}",
    '\t\ttoken := must(config.Exchange(ctx, r.FormValue("code"), oauth2.VerifierOption(verifier)))',
    ...(signsIn
      ? [
        '\t\trawIDToken, _ := token.Extra("id_token").(string)',
        "\t\tmust(server.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, rawIDToken))",
        "\t\tperson := must(server.UserInfo(ctx, config.TokenSource(ctx, token)))",
        "\t\tfmt.Fprintln(w, person.Subject, person.Email)",
      ]
      : ['\t\tfmt.Fprintln(w, token.Extra("scope"))']),
    "\t})",
    `\tlog.Fatal(http.ListenAndServe("localhost:${port}", nil))`,
    "}",
    ...must,
  ];
}

function getToken(application: Application, settings: Settings): readonly string[] {
  const { clientId, method } = application;
  return [
    "// main.go: go mod init app && go mod tidy && go run .",
    ...noteSecret(application, "//"),
    "package main",
    "",
    ...describeImports(
      ["context", "fmt", "log", "os"],
      ["golang.org/x/oauth2", "golang.org/x/oauth2/clientcredentials"],
    ),
    "",
    "func main() {",
    ...describeStruct("config := clientcredentials.Config", {
      ClientID: quote(clientId),
      ClientSecret: `os.Getenv("${secretName}")`,
      TokenURL: quote(urlOf("token", settings)),
      AuthStyle: styleOf(method),
    }),
    // Without scope the server grants what the client may have.
    "\tfmt.Println(must(config.Token(context.Background())).AccessToken)",
    "}",
    ...must,
  ];
}

function styleOf(method: string): string {
  return `oauth2.AuthStyleIn${method === "client_secret_basic" ? "Header" : "Params"}`;
}

function describeImports(standard: readonly string[], others: readonly string[]): readonly string[] {
  return [
    "import (",
    ...standard.map((name) => `\t${quote(name)}`),
    "",
    ...others.map((name) => `\t${quote(name)}`),
    ")",
  ];
}

/** Returns a composite literal, with its values in one column as gofmt has them. */
function describeStruct(begin: string, fields: Readonly<Record<string, string>>): readonly string[] {
  const width = Math.max(...Object.keys(fields).map((name) => name.length)) + 2;
  return [
    `\t${begin}{`,
    ...Object.entries(fields).map(([name, value]) => `\t\t${`${name}:`.padEnd(width)}${value},`),
    "\t}",
  ];
}

const must: readonly string[] = [
  "",
  "func must[T any](value T, err error) T {",
  "\tif err != nil {",
  "\t\tlog.Fatal(err)",
  "\t}",
  "\treturn value",
  "}",
];
