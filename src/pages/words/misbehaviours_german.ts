/** The German words of the pages on which the server is made wrong. The sentences of the catalogue stay English. */

import { germanLevels } from "./levels_german.ts";
import type { MisbehaviourWords } from "./misbehaviours_english.ts";

const outcomeWords: ReadonlyMap<string, string> = new Map([
  ["pending", "Noch kein Urteil."],
  ["noticed", "Bemerkt."],
  ["unharmed", "Unbeschadet."],
  ["fooled", "Getäuscht."],
  ["tolerated", "Hingenommen."],
  ["broke", "Gescheitert."],
  ["crashed", "Abgestürzt."],
  ["hung", "Hängen geblieben."],
  ["not_applicable", "Nicht anwendbar."],
  ["not_reached", "Nicht erreicht."],
  ["unknown", "Unbekannt."],
]);

const areaWords: ReadonlyMap<string, string> = new Map([
  ["metadata", "Metadaten des Servers"],
  ["keys", "Veröffentlichte Schlüssel (JWKS)"],
  ["authorization_response", "Antwort an die Redirect-URI"],
  ["token_response", "Token-Antwort"],
  ["id_token", "ID-Token"],
  ["userinfo", "Userinfo-Endpunkt"],
  ["access_token", "Access-Token"],
  ["refresh", "Erneuern der Tokens"],
  ["introspection", "Introspection-Endpunkt"],
  ["revocation", "Widerruf"],
  ["logout", "Abmeldung"],
  ["registration", "Registrierung von Clients"],
  ["client_document", "Dokumente von Clients"],
  ["pushed_request", "Pushed Authorization Requests"],
  ["dpop", "DPoP am Server"],
  ["proof", "DPoP-Proofs, an eine API gesendet"],
  ["resource", "APIs und ihre Metadaten"],
  ["transport", "Langsam, gestört und überlastet"],
]);

const phaseWords: ReadonlyMap<string, string> = new Map([
  ["login", "Während sich eine Person anmeldet"],
  ["refresh", "Wenn er seine Tokens erneuert"],
  ["call_api", "Wenn er eine API aufruft"],
  ["logout", "Wenn sich eine Person abmeldet"],
  ["register", "Wenn er sich registriert"],
]);

function plural(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

const adviceWords: ReadonlyMap<string, string> = new Map([
  ["fooled", "Die Anwendung machte weiter, als wäre nichts falsch."],
  ["broke", "Die Anwendung brach ab, wo eine richtige weitermacht."],
  ["unharmed", "Die Anwendung zeigte keine Prüfung. Sie tat diesmal nichts Falsches."],
  ["crashed", "Ein Fehler im Code der Anwendung trat auf. Das ist keine Ablehnung."],
  [
    "not_reached",
    "Vielleicht war die Anwendung noch angemeldet, oder sie hat eine frühere Antwort behalten. Melden Sie sich dort ab oder starten Sie sie neu, und wiederholen Sie den Versuch.",
  ],
  [
    "unknown",
    "Vielleicht prüft die Anwendung das später oder nie. Ihr eigenes Log kann es verraten.",
  ],
]);

export const germanMisbehaviours: MisbehaviourWords = {
  sections: {
    label: "Den Server falsch machen",
    misbehaviours: "Fehlverhalten",
    clock: "Uhr",
    gates: "Sperren",
    look_alikes: "Nachahmungen",
    examine: "Anwendung prüfen",
  },
  access: {
    needsToken: (link) => ["Auf dieser Seite kann man nur lesen. Zum Ändern: ", link, "."],
    giveSecret: { needs_token: "das Token von --control eingeben", needs_key: "den Schlüssel eingeben" },
  },
  lookAgain: "Neu laden",
  problem: "Das wurde nicht ausgeführt:",

  catalogue: {
    title: "Fehlverhalten",
    heading: "Fehlverhalten",
    about: (count) =>
      `Der Server kann auf ${count} Arten falsch sein und sagt, ob ein Client es bemerkt. Wählen Sie eine, schalten Sie sie ein, und verwenden Sie Ihren Client. Was der Katalog darüber sagt, ist Englisch.`,
    search: "Suche",
    hint: "zum Beispiel nonce",
    area: "Bereich",
    level: "Stufe",
    any: "Beliebig",
    find: "Ein Fehlverhalten suchen",
    send: "Zeigen",
    found: (count) => count === 0 ? "Nichts passt." : `${count} Fehlverhalten`,
    tooMany: "Wählen Sie einen Bereich, um seine Fehlverhalten zu sehen:",
    all: "Alles zeigen",
    on: "Jetzt eingeschaltet",
    nothingOn: "Nichts ist eingeschaltet: Der Server antwortet, wie die Standards es sagen.",
    areas: (area) => areaWords.get(area) ?? area,
    isOn: "ein",
    restore: "Alles wieder richtig machen",
    restoreNote: "Schaltet alles aus, öffnet alle Sperren und stellt die Uhr richtig.",
    gates: (count) => plural(count, "Sperre ist geschlossen", "Sperren sind geschlossen"),
    clock: "Die Uhr ist verstellt",
  },
  levels: germanLevels,
  entry: {
    server: "Der Server",
    client: "Ein richtiger Client",
    request: "Die Anfrage",
    correctApi: "Eine richtige API",
    rule: "Regel",
    level: "Der Standard",
    phase: "Wann ein Client es trifft",
    phases: (phase) => phaseWords.get(phase) ?? phase,
    needs: "Nur für Clients mit",
    needed: "Braucht",
    api: "Eine API antwortet",
    bugs: "Gesehen in",
    area: "Mehr aus diesem Bereich",
    switchHeading: "Einschalten",
    switchAgain: "Noch einmal einschalten",
    switchOn: "Einschalten",
    client_id: "Für diesen Client",
    username: "Für diese Person",
    times: "Antworten",
    probability: "Wie wahrscheinlich",
    everyClient: "jeder Client",
    everyone: "alle",
    everyTime: "alle",
    always: "1 (immer)",
    onlyApi:
      "Das ist ein Fehler einer Anfrage an eine API und keiner des Servers. Darum lässt er sich hier nicht einschalten. Die Befehle unten senden ihn an Ihre API.",
    try: "Anderswo ausprobieren",
    cli: "Kommandozeile: ein Server, der von Anfang an falsch ist",
    examine: "Kommandozeile: ein Testbefehl, mit Urteil",
    examineApi: "Kommandozeile: eine API, mit Urteil",
    kit: "TypeScript, in einem Test",
    http: "Jede Sprache, über HTTP",
    copy: (kind) => `: ${kind}`,
  },
  on: {
    heading: "Eingeschaltet",
    terms: ({ client, person, times, probability }) =>
      [
        client === undefined ? "für jeden Client" : `für den Client ${client}`,
        ...(person === undefined ? [] : [`für die Person ${person}`]),
        ...(times === undefined ? [] : [plural(times, "Antwort", "Antworten")]),
        ...(probability === undefined ? [] : [`mit der Wahrscheinlichkeit ${probability}`]),
      ].join(", "),
    count: (count) =>
      count === 0
        ? "Der Server hat noch keine falsche Antwort gegeben."
        : `Der Server hat ${plural(count, "falsche Antwort", "falsche Antworten")} gegeben.`,
    likeCount: (count) =>
      count === 1
        ? "1 Antwort war so, wie der Anbieter sie sendet."
        : `${count} Antworten waren so, wie der Anbieter sie sendet.`,
    outcomes: (outcome) => outcomeWords.get(outcome) ?? outcome,
    waiting: "Verwenden Sie jetzt Ihren Client. Die Anfragen, die etwas beweisen, erscheinen hier.",
    evidence: "Die Anfragen, die es zeigen, zuerst die mit der falschen Antwort:",
    question: "Was hat der Client getan?",
    results: {
      success: "Er hat weitergemacht",
      error: "Er hat abgelehnt",
      unknown: "Ich weiß es nicht",
    },
    settledNote: "Dieses Urteil ist endgültig. Der Server ist weiter falsch, bis Sie es ausschalten.",
    wasOn: "Es war eingeschaltet",
    ended: "Ausgeschaltet",
    off: "Ausschalten",
    offName: (name) => `: ${name}`,
  },
  clock: {
    steps: { "1m": "1 Minute", "5m": "5 Minuten", "1h": "1 Stunde", "1d": "1 Tag", "30d": "30 Tage" },
    title: "Uhr",
    heading: "Uhr",
    about:
      "Mit dieser Zeit stellt der Server Tokens aus und prüft sie. Stellen Sie die Uhr vor, damit ein Code, ein Token oder eine Anmeldung abläuft, ohne zu warten. Die Uhr Ihres Computers und die Ihrer Anwendung bleiben, wie sie sind.",
    server: "Zeit des Servers",
    local: "{time} in Ihrer Zeitzone",
    state: "Zustand",
    states: {
      right: "richtig",
      running: "verstellt, und läuft",
      frozen: "angehalten",
    },
    skew: "Die Uhr des Servers geht falsch",
    ahead: (text) => `${text} vor der richtigen Zeit`,
    behind: (text) => `${text} hinter der richtigen Zeit`,
    advance: "Die Uhr vorstellen",
    by: "Um",
    byHint: "90s, 15m, 2h, 1d 3h",
    advanceSend: "Vorstellen",
    set: "Die Uhr stellen",
    to: "Auf, in UTC",
    setSend: "Stellen",
    freeze: "Die Uhr anhalten",
    freezeSend: "Uhr anhalten",
    resumeSend: "Wieder laufen lassen",
    freezeNote:
      "Eine angehaltene Uhr behält ihre Zeit, bis sie wieder läuft. Verstellen können Sie sie weiterhin.",
    skewHeading: "Die Uhr des Servers falsch gehen lassen",
    skewNote:
      "Mit -90s glaubt der Server, es sei 90 Sekunden früher, als es ist. Das iat eines neuen Tokens liegt dann in der Vergangenheit. Mit 0 geht die Uhr wieder richtig.",
    skewSend: "Falsch gehen lassen",
    reset: "Die Uhr richtig stellen",
    resetNote: "Das macht jede Änderung der Uhr seit dem Start des Servers rückgängig.",
  },
  gates: {
    title: "Sperren",
    heading: "Sperren",
    about:
      "Lassen Sie Anfragen an einen Endpunkt warten, spät ankommen, scheitern oder ihre Antwort verlieren, und sehen Sie, was Ihr Client tut.",
    closed: "Jetzt geschlossen",
    none: "Keine Sperre ist geschlossen: Jede Anfrage kommt durch.",
    kinds: {
      hold: "Anhalten: Anfragen warten, bis Sie sie freigeben",
      delay: "Verzögern: Anfragen warten eine Zeit lang",
      fail: "Scheitern: Anfragen bekommen einen Fehler, und der Server bearbeitet sie nicht",
      drop: "Verlieren: Der Server bearbeitet die Anfragen, und die Antworten gehen verloren",
    },
    describe: {
      hold: "Anfragen warten bei",
      delay: "Anfragen kommen verspätet an bei",
      fail: "Anfragen scheitern bei",
      drop: "Antworten gehen verloren bei",
    },
    waiting: (count) =>
      count === 0 ? "Keine Anfrage wartet." : `${plural(count, "Anfrage wartet", "Anfragen warten")}.`,
    used: (count) => `Bisher ${plural(count, "Anfrage", "Anfragen")}.`,
    remaining: (count) =>
      count === undefined
        ? "Sie gilt für jede weitere Anfrage."
        : count === 0
        ? "Sie gilt für keine weitere Anfrage."
        : `Sie gilt für ${plural(count, "weitere Anfrage", "weitere Anfragen")}.`,
    terms: ({ by, status, retryAfter }) =>
      [
        ...(by === undefined ? [] : [`um ${by}`]),
        ...(status === undefined ? [] : [`mit dem Status ${status}`]),
        ...(retryAfter === undefined ? [] : [`Retry-After ${retryAfter}`]),
      ].join(", "),
    releaseOne: "Die erste freigeben",
    releaseAll: "Alle wartenden freigeben",
    open: "Öffnen",
    openAll: "Alle öffnen",
    of: (name) => ` (${name})`,
    close: "Eine Sperre schließen",
    endpoint: "Anfragen an",
    kind: "Was mit den Anfragen geschieht",
    count: "Anfragen",
    countHint: "alle",
    by: "Zeit (Verzögern)",
    byHint: "zum Beispiel 3s",
    status: "Status (Scheitern)",
    statusHint: "503",
    retryAfter: "Retry-After (Scheitern)",
    retryAfterHint: "zum Beispiel 2s",
    send: "Schließen",
    pageNote: "Der Endpunkt „page“ ist jede Seite des Servers, ausgenommen die Seiten mit dieser Navigation.",
  },
  lookAlikes: {
    title: "Nachahmungen",
    heading: "Nachahmungen",
    about:
      "Der Server antwortet wie ein bekannter Anbieter, wo dieser von den Standards abweicht. Probieren Sie ohne ein Konto dort aus, ob Ihr Client damit zurechtkommt.",
    differences: (count) => plural(count, "Unterschied", "Unterschiede"),
    same: "dasselbe wie",
    leftOut: "Nicht nachgeahmt",
    provider: "Antworten wie",
    switchOn: "Einschalten",
    off: "Ausschalten",
    on: "Der Server antwortet jetzt so",
  },

  examine: {
    title: "Eine Anwendung prüfen",
    heading: "Eine Anwendung prüfen",
    about:
      "Dieser Server gibt jeweils eine Art von falscher Antwort. Sie beginnen die Anmeldung in Ihrer Anwendung, und diese Seite sagt, ob die Anwendung es bemerkt hat.",
    safety:
      "Verwenden Sie eine Person und einen Client dieses Servers, die für Tests gemacht sind. Die falschen Antworten gehen an jeden Client dieses Servers, aber nur, solange diese Seite sagt, dass sie eingeschaltet sind.",
    headings: {
      choose: "Was Sie versuchen möchten",
      baseline: "Zuerst eine Anmeldung ohne Fehler",
      offer: "Als Nächstes:",
      running: "Jetzt eingeschaltet:",
      judged: "Urteil:",
    },
    nothingLeft: "Nichts ist übrig",
    level: "Was der Standard sagt",
    area: "Wo der Server falsch ist",
    count: (count) => `(${count})`,
    begin: "Mit einer Anmeldung ohne Fehler beginnen",
    problems: {
      no_login:
        "Der Server hat keine vollständige Anmeldung gesehen: Kein Autorisierungscode wurde gegen Tokens eingetauscht. Prüfen Sie, ob die Anwendung diesen Issuer verwendet, und versuchen Sie es noch einmal.",
      error:
        "Die Anwendung scheitert, obwohl der Server richtig ist. Darum ließe sich nichts auf eine falsche Antwort zurückführen. Die Anfragen der nächsten Anmeldung helfen, den Grund zu finden.",
      altered:
        "Manche Antworten waren absichtlich falsch: Ein Hook, ein Fehlverhalten oder eine Nachahmung ist eingeschaltet. Entfernen Sie es, und melden Sie sich noch einmal an.",
      nothing:
        "Die Anwendung bleibt hängen, obwohl der Server richtig ist. Darum ließe sich nichts auf eine falsche Antwort zurückführen. Die Anfragen der nächsten Anmeldung helfen, den Grund zu finden.",
    },
    baseline: (issuer) => [
      "Der Server ist richtig. Melden Sie sich in Ihrer Anwendung an, die diesen Issuer verwenden muss: ",
      issuer,
      ". Diese Anmeldung zeigt, dass die Anwendung funktioniert und welche Teile des Servers sie verwendet.",
    ],
    server: "Der Server",
    client: "Ein richtiger Client",
    rule: "Regel",
    needs: "Nur für Clients mit",
    readAtStart:
      "Die meisten Anwendungen lesen die Metadaten und die Schlüssel des Servers nur einmal. Schalten Sie die falsche Antwort ein, und starten Sie die Anwendung neu, bevor Sie sich anmelden.",
    signOutFirst:
      "Bevor Sie sie einschalten, melden Sie sich in der Anwendung ab oder öffnen Sie ein privates Fenster, damit die Anwendung eine neue Anmeldung beginnt.",
    switchOn: "Einschalten",
    skip: "Überspringen",
    startNow: "Beginnen Sie jetzt die Anmeldung in Ihrer Anwendung.",
    isOn: "Der Server ist falsch, bis Sie unten antworten.",
    stop: "Abbrechen: ausschalten ohne Urteil",
    next: "Weiter",
    repeat: "Wiederholen",
    nothingLeftNote:
      "Jedes Fehlverhalten, das Sie gewählt haben und das diese Anmeldung erreichen kann, hat ein Urteil oder wurde übersprungen.",
    wrongAnswers: (count) =>
      count === 0
        ? "Der Server hat noch keine falsche Antwort gegeben."
        : `Der Server hat ${plural(count, "falsche Antwort", "falsche Antworten")} gegeben.`,
    noRequests: "Noch ist keine Anfrage der Anwendung angekommen.",
    requests: (older) =>
      older === 0
        ? "Der Server hat gesehen:"
        : `Der Server hat ${plural(older, "ältere Anfrage", "ältere Anfragen")} gesehen, und dann:`,
    evidence: "Die Anfragen, die es zeigen, zuerst die mit der falschen Antwort:",
    evidenceSummary: "Die Anfragen, die es zeigen",
    question: "Was hat Ihre Anwendung gezeigt?",
    shown: {
      success: "Sie hat mich angemeldet",
      error: "Sie hat einen Fehler gezeigt",
      nothing: "Nichts, sie hängt",
    },
    takeProven: "Die Anmeldung ist vorbei: dieses Urteil übernehmen",
    advice: (outcome) => adviceWords.get(outcome),
    card: "Das Zeugnis bisher",
    summary: ({ failed, advice, unjudged, passed }) => {
      const all = failed + advice + unjudged + passed;
      return [
        failed === 0 ? "Nichts ist durchgefallen." : `${failed} von ${all} durchgefallen.`,
        [
          ...(advice === 0 ? [] : [`${advice} zu bedenken`]),
          ...(unjudged === 0 ? [] : [`${unjudged} ohne Urteil`]),
          `${passed} bestanden.`,
        ].join(", "),
      ].join(" ");
    },
    waiting: (count) => count === 0 ? "Nichts ist übrig." : `Noch ${count} übrig.`,
    skipped: (count) => `${count} übersprungen`,
    offer: "Anbieten",
    openCard: "Zeugnis öffnen",
    download: "Zeugnis herunterladen",
    downloadNote: "Das Zeugnis enthält nichts Geheimes.",
    cardHeading: "Zeugnis",
    emptyCard: "Es gibt noch kein Urteil.",
    grades: {
      failed: "Durchgefallen",
      unjudged: "Ohne Urteil",
      advice: "Zu bedenken",
      passed: "Bestanden",
    },
    goOn: "Die Prüfung fortsetzen",
    options: "Optionen",
    unused: (areas) => `Ausgelassen, weil die erste Anmeldung sie nicht verwendet hat: ${areas}.`,
    change: "Andere Stufen und Bereiche wählen",
    changeAction: "Diese anbieten",
    restart: "Von vorn beginnen",
    restartNote: "Ein neuer Anfang vergisst das Zeugnis und beginnt mit einer Anmeldung ohne Fehler.",
  },
};
