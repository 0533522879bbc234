/** The German words of the pages of the control plane. What the OpenAPI document says stays English. */

import type { ControlWords } from "./control_english.ts";

export const germanControl: ControlWords = {
  title: "Control Plane",
  heading: "Control Plane",
  about:
    "Das Test-Kit über HTTP, für Tests in jeder Sprache: anmelden, die Uhr stellen, Schlüssel wechseln, Anfragen anhalten, lesen, was geschehen ist.",
  safety:
    "Diese Aufrufe machen Programme. Webseiten anderer Websites können es nicht, und diese Seite beschreibt die Aufrufe nur.",
  examine: (page) => ["Für eine Anwendung, in der Sie sich von Hand anmelden: ", page, "."],
  noDashboard:
    "Dieser Server hat kein Dashboard. Darum prüft keine seiner Seiten eine Anwendung, in der Sie sich von Hand anmelden. Starten Sie ihn ohne --no-inspector, und wo andere Rechner ihn erreichen, mit --inspector-key.",
  examinePage: "den Server falsch machen und sehen, was die Anwendung tut",
  rule: "Namen der Aufrufe",
  ruleNote:
    "Ein Aufruf heißt wie die Methode des Test-Kits, klein und mit Unterstrichen: nextSignIn ist /next_sign_in. Optionen behalten ihre Namen, zum Beispiel redirectUri. Tokens heißen wie in OAuth, zum Beispiel refresh_token. In jedem Aufruf nennt username die Person und client den Client. Bodys sind JSON.",
  answers:
    "Eine Antwort ist JSON, oder sie hat den Status 204 und keinen Body. Ein abgelehnter Aufruf ändert nichts. Seine Antwort hat error und error_description und oft place, die Stelle des Fehlers, und expected, den richtigen Wert. Diese Texte sind Englisch, wie auch die Beschreibungen der Aufrufe.",
  tenantPath: "/_postern/tenants/NAME",
  tenants: (path) => [
    "Jeder Tenant hat dieselben Aufrufe unter ",
    path,
    ". Das erste erfolgreiche POST an einen Tenant legt ihn an.",
  ],
  address: (url, document) => [
    "Alle Pfade hier liegen unter ",
    url,
    ". Ein Programm liest dasselbe aus dem ",
    document,
    ".",
  ],
  document: "OpenAPI-Dokument",
  calls: "Aufrufe",
  allCalls: "Alle Aufrufe",
  groups: {
    sign_in: "Anmelden und abmelden",
    tokens: "Tokens und Schlüssel",
    clock: "Uhr",
    directory: "Personen und Clients",
    client_documents: "Client-Dokumente",
    resources: "APIs",
    journal: "Anfragen",
    gates: "Verspätete, angehaltene und verlorene Antworten",
    hooks: "Geänderte Antworten",
    misbehaviours: "Absichtlich falsch",
    environment: "Einstellungen einer Anwendung",
    servers: "Server und Tenants",
  },
  only: { server: "Nur für den Server selbst.", tenant: "Nur für einen Tenant." },
  query: "In der Query",
  body: "Im Body",
  required: "nötig",
  answer: (status, members) =>
    members === "" ? `Antwortet ${status}.` : `Antwortet ${status} mit ${members}.`,
  example: "Beispiel, für eine POSIX-Shell",
  copy: (address) => `: Beispiel für ${address}`,
  expected: "Erwartet:",
  openDirectly:
    "Wenn Sie einem Link gefolgt sind, tippen Sie die Adresse dieser Seite in die Adresszeile eines Browsers auf demselben Rechner.",
  useCommands:
    "Ein Browser kann das Token nicht senden. Diese Befehle lesen die Liste der Aufrufe, als JSON und als Seite:",
  typeOrSend:
    "Geben Sie das Token hier ein, oder senden Sie es mit jeder Anfrage. Diese Befehle lesen die Liste der Aufrufe, als JSON und als Seite:",
  copyCommands: ": Befehle",
  giveToken: "Token eingeben",
  types: {
    object: ["Objekt", "Objekten"],
    array: ["Liste", "Listen"],
    string: ["Text", "Texten"],
    number: ["Zahl", "Zahlen"],
    integer: ["ganze Zahl", "ganzen Zahlen"],
    boolean: ["true oder false", "Wahrheitswerten"],
    null: ["null", "null"],
  },
  listOf: (values) => `Liste von ${values}`,
  anyOf: (types) => types.join(" oder "),
};
