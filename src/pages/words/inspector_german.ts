/** The German words of the inspector. */

import type { BrowserResult, CheckName, Outcome, Relation } from "../inspector/exchange_props.ts";
import { germanExplanations } from "./explanations_german.ts";
import type { InspectorWords } from "./inspector_english.ts";
import { germanLevels } from "./levels_german.ts";

const endpointWords: ReadonlyMap<string, string> = new Map([
  ["authorize", "Autorisierungsanfrage"],
  ["par", "Pushed Authorization Request"],
  ["sign_in", "Anmeldung"],
  ["account", "Wahl eines Kontos"],
  ["consent", "Zustimmung"],
  ["token", "Token-Anfrage"],
  ["register", "Registrierung eines Clients"],
  ["userinfo", "Userinfo"],
  ["revoke", "Widerruf"],
  ["introspect", "Introspection"],
  ["logout", "Abmeldung"],
  ["jwks", "Öffentliche Schlüssel"],
  ["metadata", "Discovery-Dokument"],
  ["resource", "API-Anfrage"],
  ["page", "Seite"],
]);

const grantWords: ReadonlyMap<string, string> = new Map([
  ["authorization_code", "Eintausch des Codes"],
  ["refresh_token", "Erneuerung"],
  ["client_credentials", "Token für den Client selbst"],
]);

const relationWords: Readonly<Record<Relation, (value: string) => string>> = {
  verifier_of: () => "Der Verifier gehört zu dieser anderen Anmeldung",
  used_first: (value) => `Die erste Anfrage mit ${value}`,
  ended: () => "Die Anfrage, die Code oder Token beendet hat",
  issued: (value) => `Die Antwort mit ${value}`,
  authorization: () => "Die Autorisierungsanfrage dieser Anmeldung",
  other_login: () => "Eine andere Anmeldung desselben Clients, die inzwischen begann",
  same_client: () => "Die letzte Anfrage, bei der sich dieser Client ausgewiesen hat",
};

const checkWords: Readonly<Record<CheckName, string>> = {
  state: "state ist der Wert der Anfrage",
  response_iss: "iss ist der Issuer",
  iss: "iss des ID-Tokens ist der Issuer",
  aud: "aud des ID-Tokens nennt den Client",
  nonce: "nonce des ID-Tokens ist der Wert der Anfrage",
  exp: "exp liegt in der Zukunft",
  iat: "iat liegt nicht in der Zukunft",
  at_hash: "at_hash passt zum Access-Token",
  algorithm: "Das ID-Token ist signiert",
  access_token_aud: "aud des Access-Tokens ist die verlangte API",
};

const filterWords: ReadonlyMap<string, string> = new Map([
  ["client", "die client_id"],
  ["person", "der Benutzername"],
  ["outcome", "ok, refused (abgelehnt) oder failed (Fehler des Servers)"],
  ["rule", "eine Regel: 7636 oder oauth2.1, oder 4.6 für einen Abschnitt"],
  ["endpoint", "token, authorize, par, userinfo, introspect, revoke, logout, resource"],
  ["reason", "die genaue Ursache: verifier_wrong"],
  ["error", "der Fehlercode: invalid_grant"],
  ["flow", "eine Anmeldung, mit ihrer ID"],
  ["trace", "ein Trace, mit der ID aus dem Header traceparent"],
  ["misbehaviour", "was absichtlich falsch war, als Name oder Bereich: id_token, oder * für jedes"],
  ["look_alike", "was ein nachgeahmter Anbieter anders macht: * für jedes"],
  ["hook", "was ein Hook eines Tests geändert hat, mit seinem Namen: * für jeden"],
  ["status", "der HTTP-Status: 401 oder 4xx"],
  ["method", "die HTTP-Methode"],
  ["path", "der Anfang des Pfads"],
  ["grant", "der Grant-Typ: refresh_token"],
  ["id", "ein einzelner Vorgang"],
]);

const failedCheckWords: Readonly<Record<CheckName, string>> = {
  state: "state ist nicht der Wert der Anfrage",
  response_iss: "iss ist nicht der Issuer",
  iss: "iss des ID-Tokens ist nicht der Issuer",
  aud: "aud des ID-Tokens nennt den Client nicht",
  nonce: "nonce des ID-Tokens ist nicht der Wert der Anfrage",
  exp: "exp liegt nach der Uhr dieses Rechners in der Vergangenheit",
  iat: "iat liegt nach der Uhr dieses Rechners in der Zukunft",
  at_hash: "at_hash passt nicht zum Access-Token",
  algorithm: "Das ID-Token ist nicht signiert",
  access_token_aud: "aud des Access-Tokens nennt die verlangte API nicht",
};

const resultWords: Readonly<Record<BrowserResult, string>> = {
  page: "zeigt eine Seite",
  sign_in: "zur Anmeldung",
  account: "zur Kontowahl",
  consent: "zur Zustimmung",
  next: "geht weiter",
  code: "Code zum Client",
  error: "Fehler zum Client",
};

const valueWords: ReadonlyMap<string, string> = new Map([
  ["authorization_code", "diesem Code"],
  ["refresh_token", "diesem Refresh-Token"],
]);

const headlineWords: ReadonlyMap<string, string> = new Map([
  ["secret_wrong", "Das Client-Secret ist falsch."],
  ["public_client_sent_secret", "Dieser Client ist öffentlich und hat ein Secret gesendet."],
]);

function describeSequence(): string {
  return "Die erste Anfrage war schon beantwortet, als diese eintraf. Die beiden liefen also nicht gleichzeitig.";
}

const hintWords: InspectorWords["hints"] = {
  challenge_unknown: () =>
    "Keine aufgezeichnete Anmeldung hat die code_challenge, die zu diesem Verifier gehört. Der Client hat ihn also erfunden oder geändert, oder er gehört zu einer Anmeldung, die nicht aufgezeichnet ist, etwa aus der Zeit vor dem Start dieses Servers.",
  resource_missing: () =>
    "Das Token wurde ohne den Parameter resource verlangt und ist darum für die Standard-Audience.",
  resource_to_add: () =>
    "Das Token wurde ohne den Parameter resource verlangt und ist darum für die Standard-Audience.",
  clock_turned: (turned, passed) =>
    `Die Uhr wurde dazwischen um ${turned} vorgestellt. Ohne dieses Vorstellen vergingen ${passed}.`,
  clock_alone: (turned, passed) =>
    `Die Uhr wurde dazwischen um ${turned} vorgestellt. Ohne dieses Vorstellen vergingen nur ${passed}. Der Client war also nicht langsam.`,
  used_at_once: () =>
    "Die erste Anfrage wurde unmittelbar vor dem Eintreffen dieser beantwortet. Der Client hat vielleicht beide gleichzeitig gesendet.",
  code_kept: describeSequence,
  refresh_kept: describeSequence,
  refresh_raced: () =>
    "Beide Anfragen liefen gleichzeitig. Für einen Client, der das nicht vermeiden kann, lässt lifetimes.refreshGrace der Konfiguration den Server das ältere Token nach einer Erneuerung noch einige Sekunden lang annehmen.",
  assertion_sent_before: () => "Eine frühere Anfrage hatte dieselbe client_assertion.",
  assertion_behind: (time) =>
    `iat der client_assertion liegt fast auf die Sekunde ${time} hinter der Uhr des Servers, und keine aufgezeichnete frühere Anfrage hatte diese client_assertion. Also stimmt wahrscheinlich die Uhr oder die Zeitzone des Clients nicht.`,
  assertion_ahead: (time) =>
    `iat der client_assertion liegt fast auf die Sekunde ${time} vor der Uhr des Servers. Also stimmt wahrscheinlich die Uhr oder die Zeitzone des Clients nicht.`,
};

const hintChangeWords: InspectorWords["hintChanges"] = {
  challenge_unknown: () =>
    "Behalten Sie den code_verifier der Autorisierungsanfrage und senden Sie genau diesen mit dem Code.",
  resource_to_add: (resource) =>
    `Fügen Sie resource=${resource} in der Autorisierungsanfrage und in der Token-Anfrage hinzu, oder lassen Sie die API die empfangene Audience annehmen.`,
  clock_alone: () =>
    "Stellen Sie die Uhr richtig und beginnen Sie von vorn. Wurde die Uhr für einen Test vorgestellt, ist die Ablehnung richtig.",
  assertion_sent_before: () => "Erzeugen Sie für jede Anfrage eine neue client_assertion.",
  assertion_behind: () =>
    "Stellen Sie die Uhr des Clients richtig, oder korrigieren Sie, wie er iat und exp aus der Ortszeit berechnet.",
  assertion_ahead: () =>
    "Stellen Sie die Uhr des Clients richtig, oder korrigieren Sie, wie er iat und exp aus der Ortszeit berechnet.",
  refresh_kept: () =>
    "Speichern Sie das Refresh-Token jeder Antwort und senden Sie nur das letzte. Die Person muss sich jetzt neu anmelden.",
  refresh_raced: () =>
    "Lassen Sie nur eine Anfrage gleichzeitig erneuern. Die Person muss sich jetzt neu anmelden.",
};

const lossWords: ReadonlyMap<string, string> = new Map([
  ["grant_revoked", "eine Freigabe, die widerrufen wurde"],
  ["client_gone", "eine Freigabe, deren Client es nicht mehr gibt"],
  ["person_gone", "eine Freigabe, deren Person es nicht mehr gibt"],
  ["person_disabled", "eine Freigabe, deren Person gesperrt ist"],
  ["password_changed", "eine Freigabe, deren Person jetzt ein anderes Passwort hat"],
  ["scope_removed", "eine Freigabe, deren Scope es nicht mehr gibt"],
  ["signed_out", "eine Freigabe, deren Person sich abgemeldet hat"],
]);

const outcomeWords: Readonly<Record<Outcome, string>> = {
  ok: "beantwortet",
  refused: "abgelehnt",
  failed: "gescheitert",
};

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function countBad(refused: number, failed: number): string {
  return [refused > 0 ? `${refused} abgelehnt` : "", failed > 0 ? `${failed} fehlgeschlagen` : ""]
    .filter(Boolean).join(", ");
}

export const germanInspector: InspectorWords = {
  language: "de",
  explanations: germanExplanations,
  endpoint: (endpoint, grantType) =>
    (endpoint === "token" ? grantWords.get(grantType ?? "") : undefined) ?? endpointWords.get(endpoint) ??
      endpoint,
  results: resultWords,
  hints: hintWords,
  hintChanges: hintChangeWords,
  losses: lossWords,
  outcomes: outcomeWords,
  relations: relationWords,
  values: valueWords,
  otherValue: "diesem Code oder Token",
  headlines: headlineWords,
  checks: checkWords,
  failedChecks: failedCheckWords,
  levels: germanLevels,
  lane: {
    flow: "Anmeldung",
    noFlow: "Anfragen außerhalb einer Anmeldung",
    anonymous: "unbekannter Client",
    of: (client, person) => person === undefined ? client : `${client}, ${person}`,
    count: (number) => count(number, "Anfrage", "Anfragen"),
    refused: (refused, failed) => countBad(refused, failed) || "nichts abgelehnt",
    older: (number) => `${count(number, "ältere Anfrage", "ältere Anfragen")} dieser Gruppe`,
  },
  line: {
    first: "zuerst",
    browser: "Browser",
    turnedAhead: (time) => `Die Uhr wurde um ${time} vorgestellt.`,
    turnedBack: (time) => `Die Uhr wurde um ${time} zurückgestellt.`,
    clockAhead: (time) => `Die Uhr des Servers ging gegenüber der Uhr dieses Rechners ${time} vor.`,
    clockBehind: (time) => `Die Uhr des Servers ging gegenüber der Uhr dieses Rechners ${time} nach.`,
    oneChange: "Abhilfe:",
    setClock: "Die Uhr stellen",
    expected: "Erwartet",
    received: "Erhalten",
    follows: "Das folgt aus einer früheren Ablehnung:",
    followed: "die Ablehnung, die Code oder Token beendet hat",
    alteredBy: "Absichtlich geändert durch",
    accepted: "weitergegeben",
    lost:
      "Die Antwort ging verloren: Ein Abbruch hat sie entfernt, nachdem der Server die Anfrage bearbeitet hatte.",
  },
  exchange: {
    error: "Fehlercode",
    rule: "Regel",
    expected: "Erwartet",
    received: "Erhalten",
    oneChange: "Abhilfe",
    remedy: "Oder ändern Sie die Konfiguration. Das kann den Client unsicherer machen",
    settings: new Map([
      [
        "require_pkce",
        "Mit require_pkce: false darf dieser Client PKCE weglassen, wenn er openid verlangt und eine nonce sendet.",
      ],
      ["oauth_version", "Mit oauth_version 2.0 darf dieser Client auch die nonce weglassen."],
    ]),
    related: "Was es erklärt",
    origins: "Woher es kommt",
    hint: "Andere Anfragen zeigen",
    before: (time) => `${time} vorher`,
    atTheSameTime: "zur gleichen Zeit: Beide Anfragen liefen zusammen, ein Wettlauf",
    arithmetic: "PKCE, nachgerechnet",
    verifier: "code_verifier dieser Anfrage",
    hash: "S256 davon",
    challenge: "code_challenge der Autorisierungsanfrage",
    matches: "Beide sind gleich: Der Verifier stimmt.",
    differs: "Beide sind verschieden: Dieser Verifier gehört nicht zu diesem Code.",
    noChallenge: "Es ist keine Autorisierungsanfrage mit einer code_challenge aufgezeichnet.",
    checks: "Was ein Client vergleichen kann",
    checksNote:
      "Diese Vergleiche macht ein Client selbst, und der Server sieht ihr Ergebnis nicht. Hier sind sie mit dem gemacht, was der Server gesendet hat, und mit der Uhr dieses Rechners.",
    holds: "erfüllt",
    fails: "nicht erfüllt",
    noExpectation: "es wurde nichts verlangt",
    notReceived: "nichts",
    noRequest: "die Autorisierungsanfrage ist nicht aufgezeichnet",
    noResource: "es wurde keine resource verlangt, darum ist das Token für die Standard-Audience",
    open: "nichts zu vergleichen",
    facts: "Der Vorgang",
    client: "Client",
    person: "Person",
    authentication: "Authentifizierung des Clients",
    scope: "Scope",
    resource: "Resource",
    arrivedBy: "Gesendet als",
    provenKey: "Bewiesener Schlüssel",
    trace: "Trace",
    parentSpan: "Span des Aufrufers",
    calls: "Aufrufe",
    at: "Zeit des Servers",
    clock: "Uhr",
    took: "Dauer",
    alteredAt: (seam) => `bei ${seam}`,
    fault: "Fehler im Server oder in einem Hook",
    notified: "Über die Abmeldung informierte Clients",
    request: "Anfrage",
    response: "Antwort",
    headers: "Header",
    hiddenBody: (length) => `Ein Body mit ${length.toLocaleString("de")} Zeichen, der nicht gezeigt wird.`,
    omitted: (number) =>
      `${
        count(number, "weiterer Wert fehlt", "weitere Werte fehlen")
      } hier. In einem Export ist alles enthalten.`,
    noStatus: "Der Test beantwortet diese Anfrage selbst.",
    copy: "Anfrage kopieren",
    copyNote: "Ein Platzhalter wie <code> steht für einen Wert, der nicht gezeigt wird.",
    copies: { curl: "curl", fetch: "JavaScript", http: ".http-Datei" },
  },
  client: {
    heading: "Der Client bei diesem Server",
    id: "Client",
    authentication: "Authentifizierung",
    isPublic: "none: ein Public Client, der kein Secret hat",
    isConfidential: (method) => `${method}: ein Confidential Client`,
    redirectUris: "Registrierte Redirect-URIs",
    grantTypes: "Grant-Typen",
    scope: "Scopes, die er verlangen darf",
    pkce: "PKCE",
    needsPkce: "erforderlich",
    mayOmitPkce: "mit nonce nicht erforderlich",
    none: "keine",
  },
  page: {
    heading: "Inspector",
    title: (refused, failed) => countBad(refused, failed).replace(/^.+$/, "($&) ") + "Inspector",
    summary: (shown, all, refused, failed) =>
      `${shown >= all ? "" : `${shown} von `}${count(Math.max(shown, all), "Anfrage", "Anfragen")}, ${
        countBad(refused, failed) || "keine abgelehnt"
      }`,
    filter: "Filter",
    filterExample: "Zum Beispiel client:shop outcome:refused rule:7636",
    apply: "Anzeigen",
    all: "Alle",
    problem: "Dieses Wort wurde nicht verwendet:",
    problems: {
      similar: ([filter = ""]) => `ist unbekannt. Meinten Sie ${filter}?`,
      names: (names) => `ist unbekannt. Bekannt sind: ${names.join(", ")}`,
      values: (filters) => `ist unbekannt. Schreiben Sie ${filters.join(" oder ")}`,
    },
    tooManyWords: (words, most) =>
      `Der Filter hat ${words} verschiedene Wörter und darf ${most} haben. Es wurde nichts gesucht.`,
    help: "Wonach kann man filtern?",
    helpText:
      "Mehrere Wörter müssen alle zutreffen. Ein Minus davor bedeutet „nicht“. Ein Wert mit Leerzeichen steht in geraden Anführungszeichen. Ein Wort ohne Doppelpunkt wird in allem gesucht, was die Liste zeigt.",
    filterWord: (name) => filterWords.get(name) ?? "",
    noneYet: "Noch ist keine Anfrage angekommen. Diese Seite zeigt jede Anfrage, sobald sie beantwortet ist.",
    begin: "Eine Anmeldung auf der Startseite beginnen",
    none: "Keine Anfrage passt zu diesem Filter.",
    older: "Ältere Anfragen",
    newest: "Neueste Anfragen",
    reload: "Aktualisieren",
    live: "Live: Neue Anfragen erscheinen hier.",
    away: "Die Verbindung zum Server ist abgebrochen. Es wird wieder versucht.",
    notify: "Ablehnungen melden",
    notification: "Abgelehnte oder fehlgeschlagene Anfragen: #",
    diagram: "Sequenzdiagramm",
    exports: "Exportieren",
    exportNote: "Ohne Codes, Tokens, Verifier, Passwörter und Cookies:",
    completeNote: "Mit Codes, Tokens und Verifiern, weil Sie den Schlüssel gezeigt haben:",
    export: {
      html: "HTML-Datei",
      har: "HAR",
      jsonl: "JSON-Zeilen",
      mermaid: "Mermaid",
      text: "Text",
    },
    complete: "Vollständige HTML-Datei",
    back: "Alle Anfragen",
    wholeLogin: "Die ganze Anmeldung",
    earlier: "Davor",
    later: "Danach",
    position: "Andere Vorgänge dieser Anmeldung",
    gone: "Dieser Vorgang ist nicht mehr aufgezeichnet",
    goneNote:
      "Der Server behält 10.000 Anfragen. Eine ältere ist weg, und ein Neustart oder Zurücksetzen entfernt alle.",
    showSecrets: "Codes, Tokens und Verifier dieses Vorgangs anzeigen",
    secretsShown:
      "Codes, Tokens und Verifier dieses Vorgangs sind zu sehen, weil Sie den Schlüssel gezeigt haben.",
  },
  again: {
    heading: "Noch einmal senden",
    about:
      "Der Server beantwortet dieselbe Anfrage noch einmal. Ändern Sie, was Sie möchten. Werte, die nicht gezeigt werden, bleiben unverändert.",
    needsSecret: {
      needs_token: "Dafür ist das Token von --control nötig.",
      needs_key: "Dafür ist der Schlüssel nötig.",
    },
    giveSecret: { needs_token: "Token eingeben", needs_key: "Schlüssel eingeben" },
    asBefore: "wie zuvor",
    leaveOut: "weglassen",
    change: "Anfrage ändern",
    addName: "Ein weiterer Parameter",
    addValue: "Sein Wert",
    body: "Body",
    send: "Senden",
    elsewhere: "Diese Anfrage ging an eine API eines Tests. Nur der Test selbst kann sie noch einmal senden.",
    parameters: { query: "Parameter in der Adresse", form: "Parameter im Formular", header: "Header" },
  },
  secret: {
    hidden: "verborgen",
    hiddenLength: (length) => `verborgen, ${length} Zeichen`,
    fingerprint: (text) => `SHA-256 beginnt mit ${text}`,
    outerSpace: "beginnt oder endet mit Leerraum",
    cut: (length) => `gekürzt: insgesamt ${length.toLocaleString("de")} Zeichen`,
    empty: "leer",
  },
  foreignLink: {
    heading: "Das Journal dieses Servers",
    about: "Ein Link auf einer anderen Website hat hierher geführt.",
    show: "Journal anzeigen",
  },
  diagram: {
    title: "Sequenzdiagramm",
    asList: "Diese Anfragen als Liste",
    numbered: (number) => `Sequenzdiagramm ${number}`,
    label: "Wer was an wen gesendet hat, in zeitlicher Reihenfolge. Jeder Pfeil führt zu seinem Vorgang.",
    browser: "Browser",
    server: "Postern",
    unknown: "Unbekannter Client",
    brings: { code: "bringt den Code", error: "bringt den Fehler" },
    older: (number) => `${count(number, "ältere Anfrage fehlt", "ältere Anfragen fehlen")} hier.`,
  },
  file: {
    title: (requests, refused, failed) =>
      `${count(requests, "Anfrage", "Anfragen")}, ${countBad(refused, failed) || "keine abgelehnt"}`,
    heading: "Was geschehen ist",
    about: (issuer) => `Anfragen an ${issuer}, in zeitlicher Reihenfolge, jede Anmeldung für sich.`,
    redacted:
      "Geschwärzt: Diese Datei enthält keine Codes, Tokens, Verifier, Passwörter oder Cookies. Geheime Werte sind mit Länge und Hash beschrieben.",
    withSecrets: "Diese Datei enthält Codes, Tokens und Verifier. Veröffentlichen Sie sie nicht.",
    dropped: (number) =>
      `${count(number, "frühere Anfrage ist", "frühere Anfragen sind")} nicht in dieser Datei.`,
    empty: "Es ist keine Anfrage aufgezeichnet.",
    details: "Einzelheiten",
  },
};
