/** The German words for the error codes of OAuth and OpenID Connect. */

import type { ErrorsWords, ErrorWords } from "./errors_english.ts";

const codes: ReadonlyMap<string, ErrorWords> = new Map([
  ["invalid_request", {
    meaning: "Der Anfrage fehlt ein Parameter, sie hat einen doppelt oder einen mit falschem Wert.",
    cause:
      "Meist fehlt response_type, code_challenge oder code_challenge_method oder ist falsch geschrieben.",
    change: "Korrigieren Sie den Parameter, den die Beschreibung nennt.",
  }],
  ["unauthorized_client", {
    meaning: "Der Client darf diese Anfrage nicht stellen.",
    cause: "In der Registrierung des Clients fehlt der Grant-Typ oder der Response-Typ der Anfrage.",
    change:
      "Ergänzen Sie authorization_code in den grant_types des Clients und code in seinen response_types.",
  }],
  ["access_denied", {
    meaning: "Die Person oder der Server hat die Anfrage abgelehnt.",
    cause: "Die Person hat abgelehnt. Das ist ein normales Ende einer Anmeldung.",
    change:
      "Die Anwendung sollte einen neuen Versuch anbieten. Hier geht es weiter, wenn Sie eine neue Autorisierung starten und ihr zustimmen.",
  }],
  ["unsupported_response_type", {
    meaning: "Der Server unterstützt diesen response_type nicht.",
    cause:
      "Die Anfrage verlangt ein Token in der Antwort. OAuth 2.1 hat die impliziten und hybriden Abläufe abgeschafft.",
    change: "Senden Sie response_type=code.",
  }],
  ["invalid_scope", {
    meaning: "Ein verlangter Scope ist unbekannt, fehlerhaft oder für diesen Client nicht erlaubt.",
    cause: "Ein Scope ist falsch geschrieben, oder Kommas statt Leerzeichen trennen die Scopes.",
    change: "Verlangen Sie nur Scopes, die der Server kennt und die der Client registriert hat.",
  }],
  ["server_error", {
    meaning: "Der Server ist bei der Antwort gescheitert.",
    cause: "Der Server hat einen Fehler, oder ein Test lässt ihn absichtlich scheitern.",
    change: "Die Ursache steht im Protokoll des Servers. Die Anfrage selbst kann richtig sein.",
  }],
  ["temporarily_unavailable", {
    meaning: "Der Server kann gerade nicht antworten.",
    cause: "Der Server ist überlastet, sein Speicher antwortet nicht, oder ein Test hält ihn auf.",
    change: "Senden Sie dieselbe Anfrage nach ein paar Sekunden noch einmal.",
  }],
  ["interaction_required", {
    meaning: "Der Server muss die Person etwas fragen, aber die Anfrage verbietet jede Seite.",
    cause: "Die Anfrage hat prompt=none. Das ist für Prüfungen ohne Seite gedacht.",
    change: "Senden Sie die Anfrage ohne prompt=none.",
  }],
  ["login_required", {
    meaning: "Die Person muss sich anmelden, aber die Anfrage verbietet jede Seite.",
    cause:
      "Die Anfrage hat prompt=none, und in diesem Browser ist niemand angemeldet. Aus einem Iframe einer fremden Website sendet der Browser dem Server auch keine Cookies.",
    change: "Senden Sie die Anfrage ohne prompt=none, damit sich die Person anmelden kann.",
  }],
  ["account_selection_required", {
    meaning: "Die Person muss ein Konto wählen, aber die Anfrage verbietet jede Seite.",
    cause: "Die Anfrage hat prompt=none, und in diesem Browser sind mehrere Personen angemeldet.",
    change:
      "Senden Sie die Anfrage ohne prompt=none, oder nennen Sie die Person mit login_hint oder id_token_hint.",
  }],
  ["consent_required", {
    meaning: "Die Person muss zustimmen, aber die Anfrage verbietet jede Seite.",
    cause:
      "Die Anfrage hat prompt=none, und die Person hat diesem Scope für diesen Client noch nie zugestimmt.",
    change: "Senden Sie die Anfrage einmal ohne prompt=none. Nach der Zustimmung klappt prompt=none.",
  }],
  ["invalid_request_uri", {
    meaning: "Die request_uri ist falsch, abgelaufen oder schon benutzt.",
    cause: "Eine vorab gesendete Anfrage lebt ein bis zwei Minuten und gilt für eine Anmeldung.",
    change:
      "Senden Sie die Anfrage erneut vorab, und benutzen Sie die neue request_uri sofort (RFC 9126 §2.2).",
  }],
  ["invalid_request_object", {
    meaning: "Die unterschriebene Anfrage ist ungültig.",
    cause: "Signatur, Audience oder Lebensdauer ist falsch, oder sie nennt einen anderen Client.",
    change:
      "Unterschreiben Sie mit einem registrierten Schlüssel des Clients. Setzen Sie aud auf den Issuer und exp auf bald.",
  }],
  ["request_not_supported", {
    meaning: "Der Server unterstützt den Parameter request nicht.",
    cause: "Der Client unterschreibt seine Anfragen, und der Server liest sie nicht.",
    change: "Senden Sie die Parameter ohne Request-Objekt.",
  }],
  ["request_uri_not_supported", {
    meaning: "Der Server unterstützt diese request_uri nicht.",
    cause:
      "Die request_uri ist eine Adresse des Clients. Viele Server nehmen nur Adressen vorab gesendeter Anfragen an.",
    change: "Senden Sie die Anfrage vorab (RFC 9126), oder senden Sie ihre Parameter.",
  }],
  ["registration_not_supported", {
    meaning: "Der Server unterstützt den Parameter registration nicht.",
    cause: "Der Client beschreibt sich in der Autorisierungsanfrage selbst.",
    change: "Registrieren Sie den Client vor der Anfrage.",
  }],
  ["invalid_target", {
    meaning: "Die resource der Anfrage ist unbekannt, fehlerhaft oder nicht erlaubt.",
    cause:
      "Der Parameter resource ist keine absolute URI, hat ein Fragment oder nennt eine API, die der Server nicht kennt.",
    change: "Senden Sie die genaue URI der API, oder lassen Sie resource weg.",
  }],
  ["unmet_authentication_requirements", {
    meaning: "Der Server kann die Person nicht so authentifizieren, wie die Anfrage es verlangt.",
    cause: "Die Anfrage verlangt einen acr, den der Server nicht bietet.",
    change:
      "Verlangen Sie einen der acr_values_supported der Metadaten, oder verlangen Sie ihn ohne essential.",
  }],
  ["invalid_authorization_details", {
    meaning: "Die authorization_details der Anfrage sind fehlerhaft oder nicht erlaubt.",
    cause: "Der Typ ist unbekannt, oder eine Angabe fehlt.",
    change: "Senden Sie nur Typen aus authorization_details_types_supported, mit allen Angaben.",
  }],
  ["invalid_client", {
    meaning: "Der Server kennt den Client nicht, oder dessen Zugangsdaten sind falsch.",
    cause:
      "Die client_id oder das Secret ist falsch geschrieben, oder der Client weist sich anders aus als registriert.",
    change: "Vergleichen Sie client_id, Secret und token_endpoint_auth_method mit der Registrierung.",
  }],
  ["invalid_grant", {
    meaning: "Der Code oder das Refresh-Token gilt nicht für diese Anfrage.",
    cause:
      "Er ist abgelaufen, wurde schon benutzt oder gehört einem anderen Client, oder redirect_uri oder code_verifier ist ein anderer als vorher.",
    change:
      "Starten Sie eine neue Autorisierung, und tauschen Sie ihren Code einmal ein, mit derselben redirect_uri und ihrem Verifier.",
  }],
  ["unsupported_grant_type", {
    meaning: "Der Server unterstützt diesen grant_type nicht.",
    cause: "Der grant_type ist falsch geschrieben, oder er ist password, den OAuth 2.1 abgeschafft hat.",
    change: "Verwenden Sie einen der grant_types_supported der Metadaten.",
  }],
  ["invalid_token", {
    meaning: "Das Access-Token gilt nicht.",
    cause: "Es ist abgelaufen, wurde widerrufen oder ist für eine andere Audience.",
    change: "Erneuern Sie es, oder starten Sie eine neue Autorisierung.",
  }],
  ["insufficient_scope", {
    meaning: "Dem Access-Token fehlt ein Scope, den die Anfrage braucht.",
    cause: "Die Autorisierungsanfrage hat diesen Scope nicht verlangt.",
    change: "Starten Sie eine neue Autorisierung mit dem Scope, den die Antwort nennt.",
  }],
  ["invalid_dpop_proof", {
    meaning: "Der DPoP-Beweis der Anfrage fehlt oder ist falsch.",
    cause: "Er ist für eine andere URL, Methode oder ein anderes Token, ist zu alt oder wurde schon benutzt.",
    change: "Unterschreiben Sie für jede Anfrage einen neuen Beweis (RFC 9449 §4.2).",
  }],
  ["use_dpop_nonce", {
    meaning: "Der DPoP-Beweis braucht die Nonce des Servers.",
    cause: "Das ist die erste Anfrage, oder die Nonce ist abgelaufen.",
    change: "Senden Sie die Anfrage noch einmal mit der Nonce aus dem Header DPoP-Nonce.",
  }],
]);

export const germanErrorsWords: ErrorsWords = {
  heading: "Was dieser Fehler bedeutet",
  meaning: "Bedeutung",
  cause: "Übliche Ursache",
  change: "Was zu ändern ist",
  accepted: "Was der Server annimmt",
  explain: (code) => codes.get(code),
  noResponseHeading: "Was das bedeutet",
  noResponse: {
    meaning: "Die Adresse ist keine Autorisierungsantwort.",
    cause:
      "Die Seite wurde von Hand geöffnet, oder die Antwort steht hinter dem # der Adresse (response_mode=fragment), das Browser nicht an Server senden.",
    change: "Starten Sie eine neue Autorisierung.",
  },
  unknown:
    "Keine Spezifikation, die dieser Server kennt, hat diesen Fehlercode. Fragen Sie den Betreiber des Servers, der ihn gesendet hat.",
};
