/** The German words of the pages. The terms of OAuth stay English where developers use the English ones. */

import type { Words } from "./english.ts";
import { germanErrorsWords } from "./errors_german.ts";
import { germanWalkWords } from "./walk_german.ts";

const scopeWords: ReadonlyMap<string, string> = new Map([
  ["openid", "Erfahren, wer Sie sind"],
  ["profile", "Ihr Profil sehen: Name, Bild und Ähnliches"],
  ["email", "Ihre E-Mail-Adresse sehen"],
  ["address", "Ihre Postanschrift sehen"],
  ["phone", "Ihre Telefonnummer sehen"],
  ["offline_access", "Diesen Zugriff behalten, auch wenn Sie nicht da sind"],
  ["read", "Ihre Daten lesen"],
  ["write", "Ihre Daten ändern"],
]);

const refusalHeadings: ReadonlyMap<number, string> = new Map([
  [401, "Bitte weisen Sie sich aus"],
  [403, "Das ist nicht erlaubt"],
  [404, "Hier ist nichts"],
  [405, "Diese Methode ist hier nicht erlaubt"],
  [408, "Das hat zu lange gedauert"],
  [409, "Diese Anfrage wurde schon beantwortet"],
  [413, "Die Anfrage ist zu groß"],
  [415, "Diesen Inhaltstyp liest der Server nicht"],
  [421, "Dies ist nicht die Adresse dieses Servers"],
  [429, "Zu viele Versuche"],
  [503, "Der Server ist gerade ausgelastet"],
]);

function describeChosen(parts: readonly ("name" | "links")[]): string {
  const chosen = parts.map((part) => part === "name" ? "seinen Namen" : "seine Links");
  return chosen.length === 0 ? "" : ` und hat ${chosen.join(" und ")} selbst gewählt`;
}

const authenticationWords: ReadonlyMap<string, string> = new Map([
  ["none", "Public (PKCE)"],
  ["client_secret_basic", "Confidential: Secret per HTTP Basic"],
  ["client_secret_post", "Confidential: Secret im Body der Anfrage"],
  ["client_secret_jwt", "Confidential: ein JWT, signiert mit dem Secret"],
  ["private_key_jwt", "Confidential: ein JWT, signiert mit dem eigenen Schlüssel"],
  ["tls_client_auth", "Confidential: ein TLS-Zertifikat"],
  ["self_signed_tls_client_auth", "Confidential: ein selbst signiertes TLS-Zertifikat"],
]);

/** How a client must send its requests, in the accusative. */
const sourceWords: ReadonlyMap<string, string> = new Map([
  ["pushed request", "als Pushed Authorization Request"],
  ["signed request object", "als signiertes Request Object"],
]);

function inSeconds(seconds: number): string {
  return seconds === 1 ? "eine Sekunde" : `${seconds} Sekunden`;
}

function about(seconds: number): string {
  if (seconds < 45) return "in weniger als einer Minute";
  if (seconds < 90) return "in etwa einer Minute";
  return `in etwa ${Math.round(seconds / 60)} Minuten`;
}

function lasting(seconds: number): string {
  const [count, one, more] = seconds % 60 === 0
    ? [seconds / 60, "Minute", "Minuten"] as const
    : [seconds, "Sekunde", "Sekunden"] as const;
  return `${count} ${count === 1 ? one : more}`;
}

export const german: Words = {
  language: "de",

  frame: {
    name: "Postern",
    title: (page) => `${page} · Postern`,
    skip: "Zum Inhalt springen",
    misbehaving: "Dieser Server macht absichtlich etwas falsch:",
    looksLike: (titles) => `Dieser Server verhält sich wie ${titles.join("; ")}.`,
    footer: "Postern, ein OAuth-2.1-Autorisierungsserver im Taschenformat",
    pages: "Seiten",
    links: {
      home: "Start",
      playground: "Playground",
      inspector: "Inspector",
      people: "Personen",
      clients: "Clients",
      misbehaviours: "Fehlverhalten",
      api: "API",
    },
    search: "Client, Person, Anfrage oder Regel suchen",
    searchHint: "Suchen",
    badges: {
      stoppedClock: (now) => `Uhr angehalten um ${now}`,
      turnedClock: (by, isAhead) => `Uhr geht ${by} ${isAhead ? "vor" : "nach"}`,
      gate: (endpoints) => `Sperre geschlossen: ${endpoints.join(", ")}`,
      misbehaviour: (count) => count === 1 ? "1 Fehlverhalten aktiv" : `${count} Fehlverhalten aktiv`,
    },
  },

  search: {
    heading: "Suche",
    label: "Teil eines Namens, einer ID, eines Fehlers oder einer Regel",
    send: "Suchen",
    nothing: (query) => `Nichts gefunden für „${query}“.`,
    kinds: {
      client: "Clients",
      person: "Personen",
      rule: "Regeln, gegen die Anfragen verstoßen haben",
      request: "Anfragen",
    },
  },

  readOnly: {
    needs_flag: (flag) => [
      "Auf dieser Seite kann man nur lesen. Zum Ändern starten Sie den Server mit ",
      flag,
      ".",
    ],
    needs_option: (option) => [
      "Auf dieser Seite kann man nur lesen. Zum Ändern öffnen Sie das Dashboard mit ",
      option,
      ".",
    ],
    never: (flag) => [
      "Auf dieser Seite kann man nur lesen. Ändern lässt sich hier nur der Mock eines Tests oder ein Server mit ",
      flag,
      ".",
    ],
  },

  session: {
    inspector: {
      heading: "Geheime Werte anzeigen",
      about:
        "Der Schlüssel steht in der Adresse des Inspectors, nach #key=. Mit ihm zeigt der Inspector Codes, Tokens und Verifier, und er exportiert. Jeder Tab fragt einmal danach.",
      label: "Schlüssel",
      wrong: "Das ist nicht der Schlüssel dieses Servers.",
      send: "Geheime Werte anzeigen",
    },
    control: {
      heading: "Diesen Server ändern",
      about:
        "Die Seiten, die diesen Server ändern, brauchen das Token seiner Control Plane. Jeder Tab fragt einmal danach.",
      label: "Token von --control",
      wrong: "Das ist nicht das Token, mit dem der Server gestartet wurde.",
      send: "Weiter",
    },
    opened: "Dieser Tab darf den Server ändern",
    goOn: "Weiter",
  },

  copy: {
    action: "Kopieren",
    done: (what) => `Kopiert${what}.`,
    failed: (what) => `Markiert${what}. Bitte mit der Tastatur kopieren.`,
    rest: "… steht für den Rest eines langen Wertes. Eine Kopie enthält den ganzen Wert.",
  },

  client: {
    unverified: "Nicht geprüft",
    unverifiedReason:
      "Dieser Client ist nicht konfiguriert, und jedes Programm kann seine ID verwenden. Stimmen Sie nur zu, wenn Sie ihn selbst gestartet haben.",
    describesItselfIn: {
      registration: {
        reason: (chosen) =>
          `Dieser Client hat sich selbst registriert${
            describeChosen(chosen)
          }. Stimmen Sie nur zu, wenn Sie ihn selbst gestartet haben.`,
        tag: "Selbst registriert",
        note: "Dieser Client ist nicht konfiguriert. Er hat sich selbst bei diesem Server registriert.",
      },
      document: {
        reason: (chosen) =>
          `Dieser Client beschreibt sich in dem Dokument unter seiner ID${
            describeChosen(chosen)
          }. Stimmen Sie nur zu, wenn Sie ihn selbst gestartet haben.`,
        tag: "Client-Dokument",
        note: "Dieser Client ist nicht konfiguriert. Das Dokument unter seiner ID beschreibt ihn.",
      },
    },
    links: { site: "Website", policy: "Datenschutzerklärung", terms: "Nutzungsbedingungen" },
    firstUse: "Erste Verwendung",
    firstUseReason:
      "Dieser Client ist nicht konfiguriert. Er behält die Redirect-URI, mit der seine erste Verwendung erlaubt wurde.",
    secretOpen: "Dieses Secret dient der Vorführung und schützt nichts.",
  },

  destination: {
    web: (host) => ["Die Antwort geht an ", host, "."],
    here: (host) => ["Die Antwort geht an ", host, ", auf diesem Computer."],
    app: (scheme) => ["Die Antwort geht an die App auf diesem Gerät, die ", scheme, "-Links öffnet."],
  },

  home: {
    signedIn: "In diesem Browser angemeldet:",
    signOut: "Abmelden",
    title: "Die kleine Pforte neben dem großen Tor",
    heading: "Die kleine Pforte neben dem großen Tor",
    about:
      "Postern ist ein OAuth-2.1-Autorisierungsserver im Taschenformat: von Haus aus streng und klein genug, um in einem Test zu leben.",
    start: "Neue Autorisierung starten",
    startWith: (client) => ` mit ${client}`,
    startNote: (client) => [
      "Führt als ",
      client,
      " durch den ganzen Ablauf: anmelden, zustimmen und mit einem Code zurückkommen.",
    ],
    startNoteElsewhere: (client, uri) => [
      "Führt als ",
      client,
      " durch den Ablauf: anmelden, zustimmen und mit einem Code weiter zu ",
      uri,
      ".",
    ],
    startInApplication: (sources) =>
      `Starten Sie in der Anwendung: Dieser Client muss jede Anfrage ${
        sources.map((source) => sourceWords.get(source) ?? `als ${source}`).join(" und ")
      } senden.`,
    hidden:
      "Clients und Personen sind hier nicht aufgeführt. Das ist die Voreinstellung, wenn andere Rechner den Server erreichen können.",
    automatic: (person) => [
      "Anmeldung und Zustimmung geschehen hier automatisch: Jede Anfrage wird als ",
      person,
      " beantwortet.",
    ],
    issuer: "Issuer",
    issuerNote: "Geben Sie diese Adresse einer Client-Bibliothek, und sie findet alles Weitere.",
    metadata: (link) => ["Discovery-Dokument: ", link],
    tryClient: "Einen Client ausprobieren",
    playground: "Selbst eine Anfrage bauen",
    testApi: "Eine API testen",
    testApiNote: "Mit diesen Schlüsseln prüft eine API die Access-Tokens dieses Issuers:",
    getToken: "Ein Token für Ihre API holen",
    seeWhat: "Sehen, was geschehen ist",
    seeWhatNote: "Der Inspector zeigt jede Anfrage mit ihrer Antwort und erklärt jede Ablehnung.",
    inspector: "Inspector öffnen",
    recent: "Letzte Anfragen",
    snippets: "Ihre Anwendung anbinden",
    snippetsNote: "Einstellungen und Programme für die üblichen Bibliotheken, mit den Werten dieses Servers.",
    copySnippet: (name) => `: ${name}`,
    cannotStart: {
      no_code_grant:
        "Bei diesem Client kann sich niemand anmelden: In seinen grant_types fehlt authorization_code.",
      no_redirect_uri: "Hier kann kein Ablauf beginnen: Dieser Client hat keine redirect_uris.",
    },
    clients: "Clients",
    noClients: "Es ist kein Client konfiguriert.",
    firstUse: (worksForApps) =>
      `Jede andere Client-ID geht auch: Verwenden Sie sie einmal mit einer Redirect-URI auf diesem Computer${
        worksForApps ? " oder einer App" : ""
      }, und stimmen Sie der Anfrage zu. Von da an muss der Client diese URI verwenden.`,
    clientId: "Client-ID",
    authentication: "Art",
    authenticationOf: (method) => authenticationWords.get(method) ?? `Authentifiziert sich per ${method}`,
    secret: "Secret",
    redirectUris: "Redirect-URIs",
    noRedirectUris: "Keine registriert",
    people: "Personen",
    noPeople: "Es sind keine Personen konfiguriert.",
    oneClick: "ein Klick, kein Passwort",
    password: "meldet sich mit einem Passwort an",
    endpoints: "Endpunkte",
    copyIssuer: ": Issuer",
    copyEndpoint: (name) => `: ${name}`,
    copyClientId: (client) => `: ID von ${client}`,
    copySecret: (client) => `: Secret von ${client}`,
  },

  signIn: {
    title: "Anmelden",
    titleAgain: "Anmelden: bitte noch einmal versuchen",
    heading: "Anmelden",
    asks: (client) => [client, " möchte wissen, wer Sie sind."],
    people: "Wer möchten Sie sein?",
    find: "Name, Benutzername, E-Mail",
    findSend: "Weiter",
    morePeople: (shown, all) =>
      `Das sind ${shown} von ${all} Personen. Für die übrigen geben Sie oben den Benutzernamen oder die E-Mail-Adresse ein.`,
    continueAs: "Weiter als ",
    addPerson: "Person hinzufügen",
    passwordInstead: "Oder mit einem Passwort",
    withPassword: "Mit einem Passwort",
    username: "Benutzername",
    password: "Passwort",
    passwordNote: (
      people,
    ) => ["Passwörter stehen bei den ", people, ", die dieser Server bekommen hat."],
    passwordFileNote: (flag, file) => ["Passwörter stehen in ", file, ", der Datei von ", flag, "."],
    signIn: "Anmelden",
    deny: "Ablehnen",
    denyNote: "„Ablehnen“ führt zurück, ohne dass Sie sich anmelden.",
    problems: {
      wrong_password: "Das Passwort stimmt nicht. Bitte versuchen Sie es noch einmal.",
      unknown_person: "Keine Person hat diesen Benutzernamen. Bitte prüfen Sie die Schreibweise.",
      password_needed: "Diese Person meldet sich mit einem Passwort an.",
      password_not_set: "Diese Person hat kein Passwort und meldet sich mit einem Klick an.",
      disabled: "Dieses Konto ist gesperrt und kann sich nicht anmelden. Bitte nehmen Sie ein anderes.",
      too_many_attempts: (seconds) =>
        `Das waren zu viele Versuche. Bitte warten Sie ${
          inSeconds(seconds)
        } und versuchen Sie es dann noch einmal.`,
      busy: (seconds) =>
        `Gerade melden sich zu viele Personen an. Bitte warten Sie ${
          inSeconds(seconds)
        } und versuchen Sie es dann noch einmal.`,
    },
  },

  accounts: {
    title: "Konto wählen",
    heading: "Konto wählen",
    people: "In diesem Browser angemeldet",
    anotherPerson: "Anderes Konto verwenden",
    denyNote: "„Ablehnen“ führt zurück. Die Anwendung erfährt nicht, wer Sie sind.",
  },

  signOut: {
    title: "Abmelden",
    heading: "Abmelden?",
    asks: (client) => [client, " fragt, ob Sie sich auch hier abmelden möchten."],
    people: "In diesem Browser angemeldet",
    signOut: "Abmelden",
    signOutAll: "Alle abmelden",
    note:
      "Anwendungen können Ihre Daten hier dann nicht mehr verwenden. Ausgenommen sind Anwendungen, denen Sie erlaubt haben, ihren Zugriff zu behalten, auch wenn Sie nicht da sind.",
    stay: "Angemeldet bleiben",
  },

  signedOut: {
    signed_out: {
      heading: "Abgemeldet",
      text: "Ihre Anmeldung in diesem Browser ist beendet.",
    },
    not_signed_in: { heading: "Abgemeldet", text: "Sie waren in diesem Browser nicht angemeldet." },
    stayed: { heading: "Weiterhin angemeldet", text: "Es wurde nichts geändert." },
    told: "Anwendungen, bei denen Sie angemeldet waren",
    outcomes: {
      told: "weiß, dass Sie sich abgemeldet haben.",
      no_address:
        "wurde nicht informiert, weil die Anwendung keine backchannel_logout_uri hat. Vielleicht sind Sie dort noch angemeldet.",
      no_answer: "wurde informiert, hat aber nicht geantwortet. Vielleicht sind Sie dort noch angemeldet.",
      not_allowed:
        "wurde nicht informiert, weil dieser Server ihre Adresse nicht aufrufen darf. Vielleicht sind Sie dort noch angemeldet.",
      refused: (status) =>
        `wurde informiert, hat aber mit Status ${status} geantwortet. Vielleicht sind Sie dort noch angemeldet.`,
    },
    home: "Zur Startseite",
  },

  request: {
    details: "Einzelheiten der Anfrage",
    client: "Client",
    links: "Seiten des Clients",
    goesTo: "Der Code geht an",
  },

  consent: {
    title: (client) => `Zugriff für ${client} erlauben?`,
    heading: (client) => ["Zugriff für ", client, " erlauben?"],
    signedInAs: "Angemeldet als",
    goesToApp: "Jede App auf diesem Gerät, die Links mit diesem Schema öffnet, kann ihn bekommen.",
    answersOnLoopback: (host) => [
      "Der Code geht an ein Programm auf diesem Rechner. Der Server kann nicht prüfen, ob dieses Programm von ",
      host,
      " stammt.",
    ],
    scopes: "Der Client könnte dann",
    leftOut:
      "Beim letzten Mal haben Sie ausgelassen, was hier nicht angekreuzt ist. Darum werden Sie noch einmal gefragt.",
    claims: "Und über Sie erfahren",
    problems: {
      no_scope_granted: "Lassen Sie mindestens einen Punkt stehen, oder lehnen Sie die Anfrage ab.",
    },
    noScopes: "Er bittet um keinen bestimmten Zugriff.",
    scope: (name) => ["Den Scope ", name, " verwenden"],
    scopeOf: (name) => scopeWords.get(name),
    resources: "Bei diesen Ressourcen",
    approve: "Zustimmen",
    deny: "Ablehnen",
    denyNote: "„Ablehnen“ gibt dem Client keinen Zugriff.",
    changePerson: "Konto wechseln",
    fromAnotherSite:
      "Die Zustimmung geschieht hier sonst automatisch. Diesmal hat Sie aber eine andere Website hierher geschickt, und dieser Client ist nicht konfiguriert. Darum werden Sie gefragt. Für einen Browser sind 127.0.0.1 und localhost zwei Websites.",
  },

  callback: {
    success: "Autorisierung erfolgreich!",
    successLead:
      "Schritt 1 ist geschafft: Der Client hat einen Autorisierungscode. Schritt 2 tauscht ihn gegen Tokens.",
    unknownLead:
      "Diese Adresse enthält einen Code, den der Server nicht oder nicht mehr kennt. Der Token-Endpunkt wird ihn ablehnen. Starten Sie eine neue Autorisierung.",
    expiredLead: "Schritt 1 endete mit einem Autorisierungscode, der inzwischen abgelaufen ist.",
    usedLead: "Schritt 1 endete mit einem Autorisierungscode, und Schritt 2 wurde mit ihm schon versucht.",
    failure: "Autorisierung fehlgeschlagen",
    failureLead: "Schritt 1 endete ohne Autorisierungscode.",
    declinedLead: "Die Person hat abgelehnt.",
    noResponseLead: "Diese Adresse enthält weder Code noch Fehler: Hier wurde nichts autorisiert.",
    foreignHeading: "Ein Code eines anderen Issuers",
    foreignCodeLead: "Hier hält ein Client an und startet eine neue Autorisierung.",
    foreignIssuer: (issuer) => [
      "Diese Antwort nennt einen anderen Issuer: ",
      issuer,
      ". Senden Sie den Code nirgendwohin. Er kann Teil eines Angriffs sein, der zwei Server verwechselt (RFC 9207).",
    ],
    error: "Fehler",
    errorDescription: "Beschreibung",
    code: "Autorisierungscode",
    state: "State",
    codeVerifier: "PKCE-Code-Verifier",
    redirectUri: "Redirect-URI",
    tokenEndpoint: "Token-Endpunkt",
    copyCode: ": Code",
    copyState: ": State",
    copyRedirectUri: ": Redirect-URI",
    copyTokenEndpoint: ": Token-Endpunkt",
    shell: "POSIX-Shell",
    copyVerifier: ": Code-Verifier",
    copyPublic: ": Anfrage eines Public Clients",
    copyConfidential: ": Anfrage eines Confidential Clients",
    endsAt: (time) => ["Der Code läuft um ", time, " ab."],
    ends: (time, left) => ["Der Code läuft um ", time, " ab, ", left],
    endsAbout: (seconds) => `${about(seconds)}.`,
    localTime: "{time} auf diesem Gerät.",
    endsIn: "in {left}.",
    endsNow:
      "Der Code ist gerade abgelaufen. Der Token-Endpunkt wird ihn ablehnen. Starten Sie eine neue Autorisierung.",
    ended: (time) => [
      "Der Code ist um ",
      time,
      " abgelaufen. Der Token-Endpunkt wird ihn ablehnen. Starten Sie eine neue Autorisierung.",
    ],
    used: "Der Code wurde schon eingelöst. Er gilt nur einmal: Der Token-Endpunkt lehnt ihn von nun an ab.",
    steps: "Nächste Schritte",
    stepCopy: (code) => ["Kopieren Sie oben den ", code, "."],
    stepCopyWords: "Autorisierungscode",
    stepVerifier:
      "Verwenden Sie den PKCE-Code-Verifier, dessen Challenge in der Autorisierungsanfrage stand. Nur der Client, der sie gesendet hat, kennt ihn.",
    stepVerifierKnown: (verifier) => [
      "Verwenden Sie den PKCE-Code-Verifier, dessen Challenge in der Autorisierungsanfrage stand. Der Ablauf begann auf diesem Server, darum steht er hier: ",
      verifier,
    ],
    stepPost: (endpoint) => [
      "Senden Sie beides per POST an den Token-Endpunkt ",
      endpoint,
      ", wie eine dieser beiden Anfragen es tut.",
    ],
    examples: "Beispiele für Token-Anfragen",
    examplesNote: (sample) => [
      "Zum Einfügen in eine POSIX-Shell. Ersetzen Sie vorher, was als ",
      sample,
      " markiert ist.",
    ],
    sample: "<PLATZHALTER>",
    publicHeading: "Public Client",
    publicNote: (id, verifier) => [
      "Er hat kein Secret: Er sendet seine ",
      id,
      " im Body und muss den ",
      verifier,
      " senden.",
    ],
    confidentialHeading: "Confidential Client",
    basicNote: (option, header) => [
      "Er weist sich per HTTP Basic aus. curl macht aus ",
      option,
      " den Header ",
      header,
      ". ID und Secret darin sind form-encoded (RFC 6749 §2.3.1).",
    ],
    basicHeader: "Authorization: Basic <base64(client_id:client_secret)>",
    postNote: (id, secret) => ["Er sendet seine ", id, " und sein ", secret, " im Body."],
    assertionNote: (
      assertion,
    ) => ["Er weist sich mit einem signierten JWT aus, gesendet als ", assertion, "."],
    yours: "Ihrer",
    yoursNote: "Der Code wurde einem Client dieser Art gegeben. ",
    others: "Für die andere Art von Client",
    othersNote:
      "Nur zum Vergleich: Der Code wurde einem Client der anderen Art gegeben, darum nimmt der Server ihn von diesem nicht an. ",
    neither: (method) => [
      "Der Client dieses Codes authentifiziert sich per ",
      method,
      ". Das zeigt keine der beiden Anfragen.",
    ],
    notes: "Hinweise",
    noteOnce: "Der Code gilt nur einmal: Er kann nur ein Mal eingetauscht werden.",
    noteQuick: (seconds) => `Der Code läuft schnell ab: ${lasting(seconds)}, nachdem er ausgestellt wurde.`,
    noteQuickUnknown:
      "Der Code läuft schnell ab: Der Autorisierungsserver entscheidet, wann; üblich sind 5 bis 10 Minuten.",
    noteRedirect: (parameter) => [
      "Die ",
      parameter,
      " muss mit der in der Autorisierungsanfrage übereinstimmen.",
    ],
    noteVerifier: (parameter) => [
      "Public Clients müssen den ",
      parameter,
      " senden. Ohne ihn lehnt der Token-Endpunkt den Code ab.",
    ],
    onward: "Wie es von hier aus weitergeht",
    home: "Zur Startseite",
    start: "Neue Autorisierung starten",
  },

  refusal: {
    headingOf: (status) =>
      refusalHeadings.get(status) ??
        (status >= 500 ? "Hier ist etwas schiefgegangen" : "Diese Anfrage wurde abgelehnt"),
    startAgain: "Bitte in der Anwendung neu beginnen",
    startAgainAdvice:
      "Diese Adresse nimmt die Formulare dieses Servers an und zeigt selbst keine Seite. Gehen Sie zurück zu der Anwendung, die Sie hierher geschickt hat, und beginnen Sie dort noch einmal. Es wurde nichts erlaubt.",
    startAgainHere: "Dieselbe Anfrage noch einmal starten",
    tryAgain: "Noch einmal versuchen",
    endpoints: "Was es hier gibt",
    statusOf: (status) => `Status ${status}`,
    error: "Fehler",
    spec: "Regel",
    expected: "Erwartet",
    received: "Erhalten",
    wouldHaveGoneTo: "Wäre gegangen an",
    wouldHaveGoneToNote: "Diese Adresse ist nicht konfiguriert, darum bleibt die Antwort hier.",
    remedy: "Was es erlauben würde",
    remedyNote: (flag, call) => [
      "Wenn diese Anfrage funktionieren soll, fügen Sie dies der Konfiguration hinzu: einer Datei für ",
      flag,
      " oder den Optionen von ",
      call,
      ". Ein Server mit konfigurierten Clients hat keine Demo-Clients.",
    ],
    remedyKind: "Konfiguration",
    copyRemedy: ": Konfiguration",
    exchange: "Vorgang",
    exchangeNote: "Unter dieser ID steht mehr im Log des Servers.",
    home: "Zur Startseite",
  },

  resource: {
    title: "Eine kleine API zum Ausprobieren von Tokens",
    lead:
      "Sie sagt, wer sie aufruft und mit welchem Access-Token. Ein Browser, der ihre Adresse öffnet, sendet kein Token. Deshalb hat diese Antwort den Status 401.",
    call: "So wird sie aufgerufen",
    copyCall: ": Anfrage",
    proofNote: (header) => [
      "Clients dieses Servers müssen einen Schlüssel nachweisen (RFC 9449). Deshalb hat jeder Aufruf einen neuen Nachweis im Header ",
      header,
      ".",
    ],
    audienceNote: (param) => [
      "Das Token muss für diese Adresse sein: Der Client nennt sie im Parameter ",
      param,
      " der Autorisierungsanfrage.",
    ],
    metadata: "Metadaten",
  },

  walk: germanWalkWords,

  errors: germanErrorsWords,

  formPost: {
    title: "Einen Moment",
    heading: "Einen Moment",
    about: (host) => ["Sie werden zurückgeleitet zu ", host, "."],
    aboutApp: (scheme) => ["Sie werden zurückgeleitet zu der App, die ", scheme, "-Links öffnet."],
    stuck: "Wenn nichts geschieht, wählen Sie „Weiter“.",
    proceed: "Weiter",
  },
};
