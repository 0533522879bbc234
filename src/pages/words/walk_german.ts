/** The German words of the pages that follow `/authorized`. */

import { germanExplanations } from "./explanations_german.ts";
import type { WalkWords } from "./walk_english.ts";

const kinds = { access_token: "Access-Token", refresh_token: "Refresh-Token", id_token: "ID-Token" } as const;

export const germanWalkWords: WalkWords = {
  steps: {
    exchange: {
      button: "Code eintauschen",
      about: "Sendet die Token-Anfrage dieses Clients und zeigt Anfrage, Antwort und Tokens.",
      done: [
        "Der Code wurde eingetauscht",
        "Code, Verifier und Client passen zusammen, darum hat der Server Tokens ausgestellt. Der Code ist jetzt verbraucht.",
      ],
      refused: [
        "Der Server hat den Code abgelehnt",
        "Die Antwort sagt, was nicht passt. Es wurden keine Tokens ausgestellt.",
      ],
    },
    userinfo: {
      button: "Userinfo abrufen",
      about: "Sendet das Access-Token und bekommt die Angaben zur Person, die der Scope erlaubt.",
      done: [
        "Userinfo hat geantwortet",
        "Das Access-Token ist gültig und hat den Scope openid, darum hat der Server die Angaben zur Person geliefert.",
      ],
      refused: ["Userinfo hat das Access-Token abgelehnt", "Der Header www-authenticate sagt, warum."],
    },
    refresh: {
      button: "Tokens erneuern",
      about: "Sendet das Refresh-Token und bekommt ein neues Access-Token und ein neues Refresh-Token.",
      done: [
        "Die Tokens wurden erneuert",
        "Die Antwort hat ein neues Access-Token. Ihr Refresh-Token ersetzt das gesendete, das nicht noch einmal verwendet werden darf.",
      ],
      refused: [
        "Der Server hat das Refresh-Token abgelehnt",
        "Die Antwort sagt, was nicht passt: das Refresh-Token oder die Zugangsdaten des Clients.",
      ],
    },
    introspect: {
      button: "Introspection",
      about: "Fragt den Server im Namen dieses Clients, ob das Access-Token aktiv ist.",
      done: [
        "Der Server hat das Access-Token beschrieben",
        "Der Wert active sagt, ob das Token jetzt gilt. Zu einem inaktiven Token gibt es keine weiteren Angaben.",
      ],
      refused: [
        "Der Server hat die Introspection abgelehnt",
        "Nur Clients, die sich ausweisen, dürfen nach Tokens fragen.",
      ],
    },
    revoke: {
      button: "Widerrufen",
      about:
        "Sagt dem Server, dass die Tokens nicht mehr gebraucht werden. Ein Refresh-Token beendet alle Tokens des Ablaufs.",
      done: [
        "Das Token wurde widerrufen",
        "Der Server antwortet genauso, wenn er das Token nicht kennt. Die Antwort allein beweist also nichts.",
      ],
      refused: [
        "Der Server hat den Widerruf abgelehnt",
        "Ein Client darf nur seine eigenen Tokens widerrufen.",
      ],
    },
    call_api: {
      button: "API aufrufen",
      about: "Sendet das Access-Token an die geschützte API dieses Servers.",
      done: ["Die API hat geantwortet", "Das Access-Token ist gültig und hat die API in seiner Audience."],
      refused: ["Die API hat das Access-Token abgelehnt", "Der Header www-authenticate sagt, warum."],
    },
    replay_code: {
      button: "Code wiederholen",
      about: "Sendet denselben Code noch einmal. Ein Code gilt nur einmal.",
      done: [
        "Der Code galt zweimal",
        "Ein richtiger Server lehnt einen benutzten Code ab. Dieser Server ist wahrscheinlich mit Absicht falsch: siehe sein Fehlverhalten.",
      ],
      refused: [
        "Der Code galt nicht zweimal",
        "Eine zweite Verwendung bedeutet, dass der Code kopiert oder doppelt gesendet wurde. Der Server weiß nicht, welche Anfrage echt ist. Darum lehnt er den Code ab und beendet die Tokens der ersten Verwendung.",
      ],
    },
    tamper_verifier: {
      button: "Verifier verfälschen",
      about: "Sendet den Code mit einem Verifier, dessen letztes Zeichen geändert ist.",
      done: [
        "Ein falscher Verifier wurde angenommen",
        "Ein richtiger Server lehnt einen Verifier ab, dessen Hash nicht die Code-Challenge ist. Dieser Server ist wahrscheinlich mit Absicht falsch: siehe sein Fehlverhalten.",
      ],
      refused: [
        "Der falsche Verifier wurde abgelehnt",
        "Der SHA-256-Hash des Verifiers muss die code_challenge der Autorisierungsanfrage sein. Wer nur den Code gestohlen hat, kennt den Verifier nicht. Ein falscher Verifier beweist nichts, darum bleiben die Tokens eines schon benutzten Codes gültig.",
      ],
    },
    reuse_refresh_token: {
      button: "Altes Refresh-Token verwenden",
      about: "Sendet das Refresh-Token, das die letzte Erneuerung ersetzt hat.",
      done: [
        "Das alte Refresh-Token galt noch einmal",
        "Der Server erlaubt das für kurze Zeit nach einer Erneuerung (refreshGrace) und antwortet mit demselben neuen Refresh-Token. Danach, oder ohne diese Frist, ist die Antwort falsch.",
      ],
      refused: [
        "Das alte Refresh-Token wurde abgelehnt",
        "Jede Erneuerung ersetzt das Refresh-Token. Kommt ein altes wieder, hat jemand eine Kopie. Der Server weiß nicht, wer der Dieb ist. Darum beendet er alle Tokens des Ablaufs.",
      ],
    },
  },
  obstacles: {
    assertion_client:
      "Dieser Client unterschreibt mit einem eigenen Schlüssel, den dieser Server nicht hat. Der Client muss die Anfrage selbst senden. Der Befehl unten zeigt sie.",
    bound_to_key:
      "Die Tokens dieses Clients sind an einen Schlüssel gebunden (DPoP). Nur der Client kann den Beweis unterschreiben, darum muss er die Anfrage selbst senden. Der Befehl unten zeigt sie ohne den Beweis.",
    code_expired: "Der Code ist abgelaufen. Starten Sie eine neue Autorisierung.",
    code_used: "Der Code wurde benutzt. Er gilt nur einmal.",
    no_access_token: "Es gibt kein Access-Token.",
    no_api: "Dieser Server hat keine eigene API. Die Option --resource /resource fügt eine hinzu.",
    no_old_refresh_token: "Noch wurde kein Refresh-Token ersetzt. Erneuern Sie zuerst die Tokens.",
    no_openid: "Dem Access-Token fehlt der Scope openid.",
    no_refresh_token:
      "Der Client hat kein Refresh-Token bekommen. Seine grant_types müssen refresh_token enthalten.",
    no_verifier: "Die Autorisierungsanfrage hatte keine code_challenge, darum gibt es keinen Verifier.",
    not_for_api: "Das Access-Token ist für eine andere Audience.",
    not_for_userinfo: "Das Access-Token ist für eine API, und dieser Server steht nicht in seiner Audience.",
    not_offered: "Dieser Server hat diesen Endpunkt nicht.",
    not_redeemed: "Der Code wurde noch nicht eingetauscht.",
    public_client: "Ein Public Client darf nicht nach Tokens fragen, weil er sich nicht ausweisen kann.",
    too_many_steps: "Für weitere Schritte ist kein Platz. Starten Sie eine neue Autorisierung.",
  },
  states: {
    works: "gilt",
    early: "gilt noch nicht",
    expired: "ist abgelaufen",
    expired_by_test: "von einem Test beendet",
    replaced: "durch ein neueres ersetzt",
    revoked: "widerrufen",
    grant_revoked: "mit seinem Ablauf beendet",
    client_gone: "sein Client ist weg",
    person_gone: "seine Person ist weg",
    person_disabled: "seine Person ist gesperrt",
    password_changed: "beendet, weil das Passwort geändert wurde",
    scope_removed: "sein Scope ist weg",
    signed_out: "mit der Anmeldung beendet",
    not_known: "nicht erkannt",
  },
  checks: {
    signature: "Ein Schlüssel des JWKS hat diese kid und bestätigt die Signatur.",
    alg: "Der Algorithmus ist der, den der Client erwartet.",
    typ: "Der Typ sagt, dass dies ein Access-Token ist. So geht ein ID-Token nicht als eines durch.",
    iss: "Der Issuer ist der Server, den der Client gefragt hat.",
    aud: "Das Token ist für diese Audience bestimmt.",
    azp: "Das Token wurde für diesen Client ausgestellt.",
    exp: "Das Token war nicht abgelaufen, als es kam.",
    iat: "Das Token wurde in diesem Augenblick ausgestellt.",
    nonce: "Das ID-Token gehört zu dieser Autorisierungsanfrage.",
    at_hash: "Das ID-Token gehört zu diesem Access-Token: Es nennt dessen halben Hash.",
    sub: "Die Person ist dieselbe wie vor der Erneuerung.",
    client_id: "Das Token wurde für diesen Client ausgestellt.",
    scope: "Das Token erlaubt nicht mehr, als die Person genehmigt hat.",
  },
  claims: (name) =>
    germanExplanations.claims.get(name) ?? germanExplanations.jwtHeader.get(name) ??
      "Eine Angabe, die dieser Server hinzufügt.",
  title: "Autorisierung, Schritt für Schritt",
  exchangeLead:
    "Dieser Ablauf begann auf diesem Server, darum kann der Server die Token-Anfrage für Sie senden.",
  foreignLead:
    "Dieser Ablauf begann in einer anderen Anwendung. Geben Sie an, was nur die Anwendung weiß, dann sendet dieser Server ihre Token-Anfrage.",
  verifier: "PKCE-Code-Verifier",
  verifierNote: "43 bis 128 Zeichen. Die Anwendung hat ihn vor der Autorisierungsanfrage erzeugt.",
  clientId: "Client-ID",
  secret: "Client-Secret",
  secretNote: "Das Secret geht nur in diese Anfrage. Es wird nicht gespeichert, und keine Seite zeigt es.",
  secretPerhaps: "Nur, wenn der Client eines hat.",
  byHand: "Von Hand: Schritte, Befehle und Hinweise",
  seeSteps: "Die Schritte mit diesem Code ansehen",
  client: "Client",
  person: "Person",
  scope: "Scope",
  responseIssuer: "Issuer der Antwort (iss)",
  issuerMatches: "Das ist der Issuer dieses Servers (RFC 9207).",
  refusedOtherwise: [
    "Der Server hat die Anfrage abgelehnt",
    "Er hat sie aus einem anderen Grund abgelehnt als dem, den diese Schaltfläche zeigt. Der Fehler sagt, welchem.",
  ],
  soFar: "Bisherige Schritte",
  request: "Anfrage",
  response: "Antwort",
  copyRequest: ": Anfrage",
  otherHeaders: "Weitere Header",
  copyResponse: ": Antwort",
  rule: "Die Regel",
  ended: "Was der Schritt beendet hat",
  endedNothing: "Nichts. Alle Tokens, die vorher galten, gelten weiter.",
  endedTokens: "Diese Tokens galten vor dem Schritt und gelten jetzt nicht mehr:",
  proof: (count) =>
    count === 1
      ? "Der Server wurde gefragt, ob das Token noch gilt"
      : "Der Server wurde gefragt, ob die Tokens noch gelten",
  proofRequests: "Diese Anfragen und ihre Antworten",
  keys: "Die Schlüssel, die die Signaturen prüfen (JWKS)",
  tokens: "Alle Tokens",
  tokensNote: "Was jedes Token jetzt wert ist.",
  tokenOf: (kind, step) => `${kinds[kind]} aus Schritt ${step}`,
  decoded: (kind) => `${kinds[kind]}, dekodiert`,
  opaque: {
    access_token:
      "Das Access-Token ist undurchsichtig: Nur dieser Server weiß, was es bedeutet. Eine API fragt per Introspection.",
    refresh_token: "Das Refresh-Token ist undurchsichtig: Nur dieser Server kann es lesen.",
    id_token: "Das ID-Token ist kein JWT. Ein Client muss es ablehnen.",
  },
  checked: (passed, failed) => {
    const count = (checks: number) => checks === 1 ? "1 Prüfung" : `${checks} Prüfungen`;
    return failed === 0
      ? `${count(passed)} bestanden`
      : `${count(failed)} nicht bestanden, ${count(passed)} bestanden`;
  },
  results: { passed: "Bestanden", failed: "Nicht bestanden", absent: "Nichts zu prüfen" },
  expected: "erwartet",
  claimsHeading: "Header und Angaben, erklärt",
  next: "Wie es weitergeht",
  use: "Die Tokens verwenden",
  rules: "Zusehen, wie die Regeln greifen",
  apiAudience: (audience, api) => ["Es ist für ", audience, ", und die API ist ", api, "."],
  apiStart: "Einen Ablauf für die API starten",
  tryAgain: "Den Tausch mit anderen Werten versuchen",
};
