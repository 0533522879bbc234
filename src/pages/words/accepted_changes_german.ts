/** In German, the one change with which the server would have accepted a refused request, by the reason of the refusal. */

export const germanAcceptedChanges: ReadonlyMap<string, string> = new Map([
  // Every request
  [
    "host_unknown",
    "Senden Sie die Anfrage an den Host des Issuers, oder starten Sie den Server mit diesem Host als --issuer.",
  ],
  [
    "path_unknown",
    "Nehmen Sie die Adresse des Endpunkts aus dem Discovery-Dokument, statt sie von Hand zu bauen.",
  ],
  ["method_not_allowed", "Verwenden Sie eine Methode, die die Antwort im Header Allow nennt."],
  [
    "url_too_long",
    "Verkürzen Sie die Adresse: Senden Sie die Parameter in einem POST oder in einer vorab gesendeten Anfrage.",
  ],
  [
    "not_a_form",
    "Senden Sie die Parameter als Formular, mit Content-Type: application/x-www-form-urlencoded.",
  ],
  [
    "malformed_encoding",
    "Kodieren Sie jeden Wert als UTF-8 in Prozent-Schreibweise, zum Beispiel mit URLSearchParams.",
  ],
  ["missing_parameter", "Fügen Sie den fehlenden Parameter mit einem Wert hinzu."],
  ["repeated_parameter", "Senden Sie den Parameter ein Mal."],
  ["too_many_parameters", "Senden Sie höchstens 100 Parameter."],
  ["body_too_large", "Senden Sie einen Body von höchstens 64 KB."],
  ["body_not_utf8", "Kodieren Sie den Body als UTF-8."],
  ["body_encoded", "Senden Sie den Body ohne Content-Encoding."],
  ["body_interrupted", "Senden Sie den ganzen Body, bevor die Verbindung schließt."],
  ["server_closed", "Starten Sie den Server wieder, oder senden Sie die Anfrage, bevor der Server endet."],
  ["store_unavailable", "Senden Sie dieselbe Anfrage in ein paar Sekunden noch einmal."],
  [
    "store_unreadable",
    "Machen Sie die Datenbank für den Server erreichbar, und senden Sie die Anfrage noch einmal.",
  ],
  [
    "store_too_slow",
    "Finden Sie heraus, warum die Datenbank langsam ist, oder senden Sie die Anfrage in ein paar Sekunden noch einmal.",
  ],
  [
    "unexpected_error",
    "Die Anfrage kann richtig sein: Suchen Sie die Ursache in der Ausgabe des Servers oder in dem Hook, der den Fehler ausgelöst hat.",
  ],
  [
    "failed_by_test",
    "Senden Sie dieselbe Anfrage noch einmal, wenn der Test sie nicht mehr scheitern lässt.",
  ],

  // Who the client is
  [
    "client_unknown",
    "Verwenden Sie eine client_id, die der Server kennt, oder fügen Sie diesen Client der Konfiguration hinzu.",
  ],
  [
    "client_id_missing",
    "Fügen Sie die client_id hinzu, oder weisen Sie den Client im Header Authorization aus.",
  ],
  ["client_id_differs", "Nennen Sie überall in der Anfrage denselben Client."],
  [
    "client_id_is_url",
    "Schalten Sie Client-Dokumente ein, oder verwenden Sie eine client_id, die keine URL ist.",
  ],
  [
    "client_not_proven",
    "Lassen Sie diesen Client zuerst einen Code mit seinem Secret eintauschen, oder konfigurieren Sie ihn.",
  ],
  [
    "client_keys_unavailable",
    "Veröffentlichen Sie die öffentlichen Schlüssel des Clients als JWK Set unter seiner jwks_uri.",
  ],
  ["secret_missing", "Weisen Sie den Client mit dem Verfahren aus, für das er registriert ist."],
  [
    "secret_wrong",
    "Senden Sie das Secret, das für diesen Client konfiguriert ist, oder konfigurieren Sie das Secret, das der Client sendet. Ein Code aus dieser Anfrage bleibt gültig, bis er abläuft.",
  ],
  [
    "secret_expired",
    "Lassen Sie den Client sich noch einmal registrieren, und senden Sie sein neues Secret.",
  ],
  [
    "secret_not_encoded",
    "Kodieren Sie client_id und Secret als Formularwerte, bevor sie verbunden und in Base64 kodiert werden.",
  ],
  [
    "method_not_registered",
    "Weisen Sie den Client mit dem Verfahren aus, für das er registriert ist, oder registrieren Sie das andere Verfahren.",
  ],
  [
    "public_client_sent_secret",
    "Senden Sie kein Secret, oder konfigurieren Sie den Client mit einem client_secret.",
  ],
  [
    "two_auth_methods",
    "Weisen Sie den Client nur auf eine Art aus: im Header Authorization oder im Formular.",
  ],
  ["authorization_header_unreadable", "Senden Sie Authorization: Basic mit base64(client_id:client_secret)."],
  [
    "basic_malformed",
    "Senden Sie nach Basic base64(client_id:client_secret), beide Teile als Formularwerte kodiert.",
  ],
  ["auth_method_refused", "Weisen Sie den Client mit einem Verfahren aus, das im Discovery-Dokument steht."],
  [
    "first_method_needs_key",
    "Weisen Sie den Client mit einem Secret oder ohne Zugangsdaten aus, oder konfigurieren Sie ihn mit seinen Schlüsseln.",
  ],
  [
    "first_use_full",
    "Konfigurieren Sie diesen Client, oder starten Sie den Server neu, wenn sein Speicher im Arbeitsspeicher liegt.",
  ],
  [
    "first_use_taken",
    "Verwenden Sie die Redirect-URI, mit der dieser Client zuerst erlaubt wurde, oder konfigurieren Sie den Client.",
  ],
  [
    "demo_credentials_from_foreign_origin",
    "Konfigurieren Sie für die Seite einen eigenen Client mit ihrer Redirect-URI.",
  ],
  [
    "sector_unverified",
    "Führen Sie alle Redirect-URIs des Clients in dem JSON-Array unter seiner sector_identifier_uri auf.",
  ],
  [
    "redirect_uri_unfit",
    "Entfernen Sie aus der Redirect-URI das Fragment und die Parameter, die die Antwort hinzufügt.",
  ],
  [
    "public_client_for_itself",
    "Geben Sie dem Client ein Secret oder einen Schlüssel, weil sich der Client für client_credentials ausweisen muss.",
  ],
  [
    "openid_for_itself",
    "Lassen Sie openid und offline_access aus dem Scope weg, oder lassen Sie eine Person sich anmelden.",
  ],
  ["scope_of_nobody", "Verlangen Sie einen anderen Scope als openid und offline_access."],
  [
    "assertion_algorithm",
    "Signieren Sie die client_assertion mit dem registrierten token_endpoint_auth_signing_alg.",
  ],
  ["assertion_audience", "Setzen Sie aud der client_assertion auf den Issuer."],
  [
    "assertion_expired",
    "Erzeugen Sie für jede Anfrage eine neue client_assertion, und vergleichen Sie die Uhren von Client und Server.",
  ],
  [
    "assertion_for_authorization",
    "Signieren Sie eine eigene client_assertion, ohne die Parameter der Autorisierungsanfrage.",
  ],
  ["assertion_issuer", "Setzen Sie iss der client_assertion auf die client_id."],
  ["assertion_subject", "Setzen Sie sub der client_assertion auf die client_id."],
  ["assertion_replayed", "Erzeugen Sie für jede Anfrage eine neue client_assertion mit einem neuen jti."],
  [
    "assertion_signature",
    "Signieren Sie mit einem privaten Schlüssel, dessen öffentliche Hälfte für den Client registriert ist.",
  ],
  ["assertion_too_long", "Setzen Sie exp auf höchstens eine Stunde ab jetzt."],
  [
    "assertion_type_foreign",
    "Setzen Sie typ des Headers auf client-authentication+jwt, oder lassen Sie typ weg.",
  ],
  [
    "assertion_type_unsupported",
    "Setzen Sie client_assertion_type auf urn:ietf:params:oauth:client-assertion-type:jwt-bearer.",
  ],
  [
    "assertion_unsupported",
    "Weisen Sie den Client mit einem Verfahren aus, das im Discovery-Dokument steht.",
  ],
  ["assertion_without_jti", "Fügen Sie der client_assertion ein jti hinzu, mit einem jedes Mal neuen Wert."],

  // DPoP proofs
  [
    "bound_key_differs",
    "Signieren Sie den Beweis mit dem Schlüssel, den die Anfrage nennt, oder nennen Sie den Schlüssel, der signiert.",
  ],
  [
    "dpop_access_token",
    "Setzen Sie ath auf den SHA-256-Hash (base64url) des Access-Tokens, das die Anfrage sendet.",
  ],
  ["dpop_algorithm", "Signieren Sie den Beweis mit einem Algorithmus aus dpop_signing_alg_values_supported."],
  ["dpop_header_repeated", "Senden Sie einen einzigen Header DPoP."],
  ["dpop_id", "Fügen Sie dem Beweis ein jti hinzu, mit einem jedes Mal neuen Wert."],
  [
    "dpop_jkt_malformed",
    "Setzen Sie dpop_jkt auf den SHA-256-Thumbprint des Schlüssels (RFC 7638). Er hat 43 Zeichen.",
  ],
  ["dpop_key", "Schreiben Sie den öffentlichen Schlüssel ohne private Teile in den Wert jwk des Headers."],
  ["dpop_malformed", "Senden Sie ein einziges signiertes JWT im Header DPoP."],
  ["dpop_method", "Setzen Sie htm auf die Methode dieser Anfrage."],
  ["dpop_url", "Setzen Sie htu auf die Adresse dieser Anfrage, ohne Query und Fragment."],
  [
    "dpop_nonce_missing",
    "Wiederholen Sie die Anfrage mit einem Beweis, der die Nonce aus dem Header DPoP-Nonce dieser Antwort enthält.",
  ],
  [
    "dpop_nonce_wrong",
    "Wiederholen Sie die Anfrage mit einem Beweis, der die Nonce aus dem Header DPoP-Nonce dieser Antwort enthält.",
  ],
  [
    "dpop_replayed",
    "Erzeugen Sie für jede Anfrage einen neuen Beweis mit einem neuen jti, auch für eine wiederholte Anfrage.",
  ],
  [
    "dpop_signature",
    "Signieren Sie den Beweis mit der privaten Hälfte des Schlüssels, der in seinem jwk steht.",
  ],
  ["dpop_time", "Setzen Sie iat auf die jetzige Zeit, und vergleichen Sie die Uhren von Client und Server."],
  ["dpop_type", "Setzen Sie typ im Header des Beweises auf dpop+jwt."],
  ["too_many_dpop_proofs", "Senden Sie weniger Anfragen auf einmal, und wiederholen Sie diese später."],
  [
    "several_proofs",
    "Beweisen Sie einen einzigen Schlüssel: mit dem Header DPoP oder mit dem TLS-Zertifikat.",
  ],
  [
    "proof_missing",
    "Fügen Sie der Anfrage einen DPoP-Beweis hinzu, weil dieser Client nur gebundene Tokens bekommen darf.",
  ],
  [
    "key_unproven",
    "Fügen Sie einen DPoP-Beweis mit dem Schlüssel der Autorisierungsanfrage oder der ersten Token-Anfrage hinzu.",
  ],
  [
    "key_differs",
    "Signieren Sie den Beweis mit dem Schlüssel, an den der Code oder das Refresh-Token gebunden ist.",
  ],

  // Registration
  ["initial_access_token_missing", "Senden Sie ein Initial Access Token als Authorization: Bearer."],
  ["initial_access_token_wrong", "Senden Sie eines der registration.initialAccessTokens."],
  [
    "registration_from_foreign_origin",
    "Registrieren Sie aus einem Programm, oder senden Sie ein Initial Access Token.",
  ],
  ["registration_not_json", "Senden Sie die Metadaten als JSON, mit Content-Type: application/json."],
  ["registration_not_object", "Senden Sie ein JSON-Objekt mit den Metadaten des Clients."],
  [
    "registration_token_missing",
    "Senden Sie das registration_access_token dieses Clients als Authorization: Bearer.",
  ],
  [
    "registration_token_wrong",
    "Senden Sie das registration_access_token der letzten Antwort, weil jede Änderung es ersetzt.",
  ],
  ["registration_ended", "Registrieren Sie den Client noch einmal."],
  [
    "registrations_full",
    "Löschen Sie Registrierungen, die nicht mehr gebraucht werden, oder senden Sie ein Initial Access Token.",
  ],
  [
    "approved_registrations_full",
    "Löschen Sie Registrierungen, die nicht mehr gebraucht werden, oder registrieren Sie mit einem Initial Access Token.",
  ],
  ["scope_trimmed", "Registrieren Sie den Scope mit einzelnen Leerzeichen zwischen seinen Namen."],
  ["metadata_invalid", "Ändern Sie die genannte Angabe der Metadaten auf den erwarteten Wert."],
  [
    "metadata_needs_initial_access_token",
    "Registrieren Sie nur authorization_code und refresh_token, oder senden Sie ein Initial Access Token.",
  ],
  ["redirect_uri_invalid", "Bringen Sie die Redirect-URI in die erwartete Form."],
  [
    "redirect_uri_needs_initial_access_token",
    "Registrieren Sie eine http-Adresse auf Loopback oder ein privates Schema, oder senden Sie ein Initial Access Token.",
  ],
  [
    "software_statement_audience",
    "Verwenden Sie ein Statement, dessen aud dieser Issuer ist oder das kein aud hat.",
  ],
  ["software_statement_expired", "Holen Sie ein neues Software Statement, und vergleichen Sie die Uhren."],
  [
    "software_statement_issuer_unknown",
    "Fügen Sie den Issuer des Statements zu registration.softwareStatements hinzu.",
  ],
  ["software_statement_malformed", "Senden Sie das Software Statement als signiertes JWT."],
  [
    "software_statement_signature",
    "Signieren Sie das Statement mit einem der Schlüssel, die für seinen Issuer konfiguriert sind.",
  ],

  // Client documents
  ["client_document_invalid", "Korrigieren Sie das Dokument unter der client_id, wie die Ablehnung es sagt."],
  [
    "client_document_limit",
    "Warten Sie so lange, wie Retry-After sagt, und senden Sie die Anfrage noch einmal.",
  ],
  [
    "client_document_unavailable",
    "Liefern Sie das Dokument unter der client_id als JSON aus, mit Status 200 und ohne Weiterleitung.",
  ],
  ["client_document_url", "Verwenden Sie eine https-URL mit einem Pfad als client_id."],
  [
    "client_documents_full",
    "Warten Sie, bis Codes und Tokens anderer Clients abgelaufen sind, oder starten Sie den Server neu.",
  ],
  [
    "client_document_without_name",
    "Fügen Sie dem Dokument client_name hinzu, damit Personen den Namen des Clients sehen.",
  ],

  // Authorization requests
  [
    "challenge_missing",
    "Erzeugen Sie für jede Anmeldung einen zufälligen code_verifier. Senden Sie code_challenge=BASE64URL(SHA256(code_verifier)) und code_challenge_method=S256 in der Autorisierungsanfrage und den code_verifier in der Token-Anfrage.",
  ],
  [
    "challenge_and_nonce_missing",
    "Senden Sie eine zufällige nonce in der Autorisierungsanfrage und vergleichen Sie sie mit der nonce des ID-Tokens. PKCE ist der stärkere Weg: Erzeugen Sie für jede Anmeldung einen zufälligen code_verifier, senden Sie code_challenge=BASE64URL(SHA256(code_verifier)) und code_challenge_method=S256 in der Autorisierungsanfrage und den code_verifier in der Token-Anfrage.",
  ],
  [
    "challenge_malformed",
    "Senden Sie BASE64URL(SHA256(code_verifier)) ohne Auffüllzeichen als code_challenge. Sie hat 43 Zeichen.",
  ],
  ["challenge_method_missing", "Fügen Sie code_challenge_method=S256 hinzu."],
  [
    "challenge_method_unsupported",
    "Verwenden Sie code_challenge_method=S256, und bilden Sie den Hash des Verifiers.",
  ],
  ["challenge_method_alone", "Fügen Sie die code_challenge hinzu, oder entfernen Sie code_challenge_method."],
  [
    "redirect_uri_unregistered",
    "Senden Sie eine registrierte redirect_uri, Zeichen für Zeichen gleich, oder fügen Sie diese den redirect_uris des Clients hinzu.",
  ],
  ["redirect_uri_none_registered", "Fügen Sie der Konfiguration dieses Clients redirect_uris hinzu."],
  ["redirect_uri_missing", "Fügen Sie die redirect_uri der Autorisierungsanfrage hinzu."],
  [
    "redirect_uri_required_by_openid",
    "Fügen Sie die redirect_uri hinzu, weil eine Anfrage mit dem Scope openid sie haben muss.",
  ],
  ["response_type_missing", "Fügen Sie response_type=code hinzu."],
  ["response_type_unsupported", "Verwenden Sie response_type=code."],
  [
    "response_mode_unsupported",
    "Verwenden Sie einen response_mode, der im Discovery-Dokument steht, oder lassen Sie ihn weg.",
  ],
  [
    "client_lacks_code_flow",
    "Fügen Sie der Konfiguration des Clients den Response-Typ hinzu, oder verwenden Sie einen anderen Client.",
  ],
  ["parameter_unsupported", "Lassen Sie den Parameter weg, weil das Discovery-Dokument ihn nicht ankündigt."],
  [
    "request_source_required",
    "Senden Sie die Anfrage vorab, oder signieren Sie sie, weil der Client nur dafür registriert ist.",
  ],
  ["request_too_long", "Verkürzen Sie die Anfrage, zum Beispiel ihren state."],
  ["two_request_sources", "Senden Sie entweder request oder request_uri."],
  ["two_subjects", "Nennen Sie eine einzige Person: in id_token_hint und in claims dieselbe."],
  ["query_beside_form", "Senden Sie alle Parameter im Formular, oder verwenden Sie GET mit einer Query."],
  ["parameters_beside_request", "Verschieben Sie alle anderen Parameter in das Request-Objekt."],
  [
    "parameters_ignored",
    "Schreiben Sie die Parameter in das Request-Objekt, weil der Server keine anderen liest.",
  ],
  ["reference_pushed", "Senden Sie die Parameter selbst vorab, ohne request_uri."],
  [
    "too_many_pushed_requests",
    "Warten Sie so lange, wie die Ablehnung sagt, oder weisen Sie den Client aus.",
  ],
  [
    "pushed_requests_full",
    "Warten Sie so lange, wie die Ablehnung sagt, oder nehmen Sie einen konfigurierten Client mit Secret oder Schlüssel.",
  ],
  [
    "pushed_request_unknown",
    "Senden Sie die Anfrage noch einmal vorab, und verwenden Sie die request_uri der neuen Antwort.",
  ],
  [
    "pushed_request_expired",
    "Öffnen Sie die Autorisierungs-URL bald nach dem Vorabsenden: Senden Sie noch einmal vorab, und verwenden Sie die neue request_uri.",
  ],
  ["pushed_request_used", "Senden Sie für jede Autorisierung eine neue Anfrage vorab."],
  ["request_object_algorithm", "Signieren Sie mit dem registrierten request_object_signing_alg."],
  ["request_object_audience", "Setzen Sie aud des Request-Objekts auf den Issuer."],
  ["request_object_encrypted", "Senden Sie ein signiertes Request-Objekt, das nicht verschlüsselt ist."],
  [
    "request_object_expired",
    "Erzeugen Sie das Request-Objekt direkt vor der Anfrage, und vergleichen Sie die Uhren.",
  ],
  ["request_object_issuer", "Setzen Sie iss des Request-Objekts auf die client_id."],
  ["request_object_nested", "Lassen Sie request und request_uri im Request-Objekt weg."],
  ["request_object_not_jwt", "Senden Sie ein signiertes JWT als Request-Objekt."],
  [
    "request_object_signature",
    "Signieren Sie mit einem privaten Schlüssel, dessen öffentliche Hälfte für den Client registriert ist.",
  ],
  ["request_object_subject", "Lassen Sie sub im Request-Objekt weg."],
  ["request_object_too_long", "Setzen Sie exp auf höchstens eine Stunde ab jetzt."],
  [
    "request_object_type",
    "Setzen Sie typ des Request-Objekts auf oauth-authz-req+jwt, oder lassen Sie typ weg.",
  ],
  ["request_object_unsigned", "Signieren Sie das Request-Objekt, weil alg none nicht angenommen wird."],
  ["scope_malformed", "Trennen Sie die Namen des Scopes durch einzelne Leerzeichen."],
  [
    "scope_unknown",
    "Verlangen Sie Scopes, die der Server hat, oder fügen Sie diesen zu seinen Scopes hinzu.",
  ],
  [
    "scope_not_for_client",
    "Verlangen Sie nur Scopes dieses Clients, oder fügen Sie den Scope seiner Konfiguration hinzu.",
  ],
  [
    "scope_not_granted",
    "Verlangen Sie einen Teil des genehmigten Scopes, oder lassen Sie die Person dem größeren Scope in einer neuen Anmeldung zustimmen.",
  ],
  ["resource_malformed", "Senden Sie eine absolute URI ohne Fragment als resource."],
  [
    "resource_unknown",
    "Verlangen Sie eine resource, die der Server hat, oder fügen Sie diese zu seinen Resources hinzu.",
  ],
  [
    "resource_not_granted",
    "Verlangen Sie eine resource der Autorisierungsanfrage, oder nennen Sie diese auch dort.",
  ],
  [
    "acr_unmet",
    "Verlangen Sie einen acr-Wert, den der Server unterstützt, oder verlangen Sie ihn freiwillig.",
  ],
  ["claims_malformed", "Senden Sie ein JSON-Objekt als claims, in Prozent-Schreibweise kodiert."],
  ["claims_about_two", "Verlangen Sie einen einzigen Wert für sub."],
  ["max_age_malformed", "Senden Sie max_age als ganze Zahl von Sekunden."],
  ["prompt_none_with_others", "Senden Sie prompt=none allein."],
  ["prompt_unsupported", "Verwenden Sie none, login, consent oder select_account als prompt."],
  [
    "hint_not_ours",
    "Senden Sie als id_token_hint ein ID-Token, das dieser Server ausgestellt hat, oder lassen Sie ihn weg.",
  ],
  ["login_hint_unknown", "Senden Sie den Benutzernamen oder die E-Mail-Adresse einer Person als login_hint."],
  ["no_person_to_sign_in", "Nennen Sie eine Person, die der Server kennt, oder lassen Sie den Hinweis weg."],
  [
    "another_person_signed_in",
    "Melden Sie sich als die Person an, die die Anfrage nennt, oder lassen Sie den Hinweis weg.",
  ],
  ["would_have_to_ask", "Senden Sie die Anfrage ohne prompt=none, damit der Server die Person fragen darf."],
  [
    "cross_site_request",
    "Öffnen Sie die Autorisierungs-URL im Fenster des Browsers, durch einen Link oder eine Weiterleitung vom selben Hostnamen.",
  ],
  [
    "client_cannot_start",
    "Verwenden Sie einen Client mit redirect_uris, der authorization_code benutzen darf, oder beginnen Sie die Anmeldung in der Anwendung.",
  ],
  ["start_too_long", "Kürzen Sie den Link: Lassen Sie Parameter weg, oder kürzen Sie ihre Werte."],
  ["form_from_another_site", "Senden Sie das Formular von der Seite dieses Servers."],
  ["form_not_ours", "Erlauben Sie Cookies, und beginnen Sie die Anmeldung im selben Browser noch einmal."],
  ["form_too_old", "Beginnen Sie die Anmeldung noch einmal, und antworten Sie innerhalb einer Stunde."],
  ["walk_field_too_long", "Geben Sie Verifier, Client-ID und Secret mit jeweils höchstens 2.000 Zeichen an."],
  [
    "walk_form_not_ours",
    "Erlauben Sie Cookies, und drücken Sie die Schaltfläche auf der Seite, die der Server diesem Browser gezeigt hat.",
  ],
  [
    "walk_form_too_old",
    "Starten Sie eine neue Autorisierung, und drücken Sie die Schaltfläche innerhalb einer Stunde.",
  ],
  ["walk_gone", "Starten Sie eine neue Autorisierung: Der Server kennt diesen Code nicht mehr."],
  [
    "walk_not_found",
    "Öffnen Sie die Seite innerhalb einer Stunde in dem Browser, der den Schritt gemacht hat.",
  ],
  ["walk_step_impossible", "Drücken Sie eine Schaltfläche, die die Seite jetzt anbietet."],
  ["walk_step_unknown", "Drücken Sie eine Schaltfläche der Seite. Sie nennt den Schritt."],
  ["already_approved", "Beginnen Sie eine neue Anmeldung: Eine Anfrage wird ein Mal beantwortet."],
  ["already_denied", "Beginnen Sie eine neue Anmeldung: Eine Anfrage wird ein Mal beantwortet."],

  // Signing in and consent
  [
    "user_denied",
    "Stimmen Sie zu: Die Person hat „Ablehnen“ gedrückt, und der Client muss mit access_denied umgehen können.",
  ],
  ["decision_missing", "Senden Sie decision=approve oder decision=deny mit dem Formular."],
  [
    "no_scope_granted",
    "Senden Sie scope mit mindestens einem Scope der Seite, oder senden Sie decision=deny.",
  ],
  ["scope_not_requested", "Senden Sie nur Scopes, die die Seite angeboten hat."],
  ["password_needed", "Geben Sie das Passwort dieser Person ein."],
  [
    "password_not_set",
    "Melden Sie sich mit einem Klick an, oder konfigurieren Sie ein Passwort für diese Person.",
  ],
  ["wrong_password", "Geben Sie das Passwort ein, das für diese Person konfiguriert ist."],
  ["person_disabled", "Melden Sie sich als andere Person an, oder entsperren Sie diese."],
  [
    "unknown_person",
    "Melden Sie sich als konfigurierte Person an, oder fügen Sie diese zu den Personen hinzu.",
  ],
  ["too_many_at_once", "Versuchen Sie es in ein paar Sekunden noch einmal."],
  [
    "too_many_attempts",
    "Warten Sie einige Sekunden ohne Versuch, und geben Sie dann das richtige Passwort ein.",
  ],
  [
    "too_many_from_one_address",
    "Warten Sie einige Sekunden ohne Versuch, und geben Sie dann das richtige Passwort ein.",
  ],
  [
    "too_many_failures",
    "Warten Sie so lange, wie die Ablehnung sagt, und senden Sie dann die richtigen Zugangsdaten.",
  ],

  // Token requests
  [
    "verifier_wrong",
    "Senden Sie den code_verifier der Autorisierungsanfrage, die zu diesem Code geführt hat. Wenn Anmeldungen in mehreren Tabs laufen, behalten Sie für jeden state einen eigenen Verifier.",
  ],
  ["verifier_missing", "Fügen Sie den code_verifier der Autorisierungsanfrage hinzu."],
  ["verifier_malformed", "Verwenden Sie 43 bis 128 Zeichen aus A-Z a-z 0-9 - . _ ~ als code_verifier."],
  [
    "verifier_without_challenge",
    "Lassen Sie code_verifier weg, oder senden Sie in der Autorisierungsanfrage eine code_challenge.",
  ],
  ["challenge_lost", "Senden Sie in der Autorisierungsanfrage eine code_challenge."],
  [
    "code_replayed",
    "Senden Sie jeden Code ein Mal und beginnen Sie eine neue Anmeldung. Finden Sie heraus, warum der Client ihn zweimal einlöst, zum Beispiel durch einen Effekt, der zweimal läuft, oder durch Neuladen der Callback-Seite.",
  ],
  ["code_revoked", "Beginnen Sie eine neue Anmeldung: Eine frühere Anfrage hat diesen Code beendet."],
  [
    "code_grant_ended",
    "Beginnen Sie eine neue Anmeldung: Die Person, der Client oder die Freigabe dieses Codes hat sich geändert.",
  ],
  [
    "code_expired",
    "Lösen Sie den Code direkt nach der Weiterleitung ein, innerhalb seiner Lebensdauer.",
  ],
  [
    "code_unknown",
    "Senden Sie den Code so, wie er in der Weiterleitung kam, an den Server, der ihn ausgestellt hat. Mit einem Speicher im Arbeitsspeicher vergisst ein Neustart alle Codes.",
  ],
  [
    "code_of_another_client",
    "Lösen Sie den Code als der Client ein, der die Autorisierungsanfrage gestellt hat.",
  ],
  [
    "redirect_uri_differs",
    "Senden Sie dieselbe redirect_uri wie in der Autorisierungsanfrage, Zeichen für Zeichen.",
  ],
  ["grant_type_unsupported", "Verwenden Sie einen grant_type, der im Discovery-Dokument steht."],
  [
    "grant_type_not_for_client",
    "Fügen Sie den Grant-Typ zu den grant_types dieses Clients hinzu, oder verwenden Sie einen anderen Client.",
  ],
  ["grant_contended", "Senden Sie dieselbe Anfrage noch einmal, und senden Sie weniger davon gleichzeitig."],
  [
    "refresh_reused",
    "Verwenden Sie das Refresh-Token der letzten Antwort, und lassen Sie nur eine Anfrage zur gleichen Zeit erneuern. Die Person muss sich jetzt neu anmelden.",
  ],
  [
    "refresh_unknown",
    "Senden Sie das Refresh-Token so, wie es ausgestellt wurde, an den Server, der es ausgestellt hat. Mit einem Speicher im Arbeitsspeicher vergisst ein Neustart alle Refresh-Tokens.",
  ],
  ["refresh_of_another_client", "Erneuern Sie als der Client, der das Refresh-Token bekommen hat."],
  ["refresh_expired", "Erneuern Sie öfter als lifetimes.refreshIdle, oder beginnen Sie eine neue Anmeldung."],
  ["refresh_revoked", "Beginnen Sie eine neue Anmeldung: Eine frühere Anfrage hat diese Freigabe beendet."],
  [
    "refresh_grant_ended",
    "Beginnen Sie eine neue Anmeldung: Die Person, den Client oder die Sitzung dieser Freigabe gibt es nicht mehr.",
  ],

  // Access tokens
  ["token_missing", "Senden Sie das Access-Token als Authorization: Bearer."],
  [
    "token_malformed",
    "Senden Sie nach dem Schema ein einziges Access-Token, ohne Anführungszeichen oder Zeilenumbrüche.",
  ],
  ["token_twice", "Senden Sie das Access-Token ein Mal, nur im Header Authorization."],
  ["token_unknown", "Senden Sie ein Access-Token, das dieser Server ausgestellt hat und das noch gilt."],
  ["token_unreadable", "Senden Sie das access_token einer Token-Antwort, kein ID-Token und keinen Code."],
  [
    "token_expired",
    "Erneuern Sie, bevor das Access-Token abläuft.",
  ],
  [
    "token_not_yet_valid",
    "Vergleichen Sie die Uhren von Server und API, oder warten Sie, bis das Token gilt.",
  ],
  ["token_ended", "Holen Sie ein neues Token: Eine frühere Anfrage hat dieses beendet."],
  [
    "token_for_another_audience",
    "Senden Sie den Parameter resource mit der Adresse dieser API in der Autorisierungsanfrage und in der Token-Anfrage, oder lassen Sie die API die empfangene Audience annehmen.",
  ],
  ["token_lacks_scope", "Verlangen Sie den fehlenden Scope in der Autorisierungsanfrage."],
  ["token_without_person", "Verwenden Sie ein Access-Token einer Anmeldung, keines von client_credentials."],
  ["token_of_another_type", "Senden Sie das Access-Token, nicht das ID-Token."],
  [
    "token_of_unknown_key",
    "Senden Sie ein Token, das ein veröffentlichter Schlüssel signiert hat, oder lassen Sie die API das JWKS neu laden.",
  ],
  [
    "token_not_bound",
    "Holen Sie ein Token mit einem DPoP-Beweis, damit es an den Schlüssel des Clients gebunden ist.",
  ],
  [
    "token_binding_unknown",
    "Binden Sie das Token mit DPoP an einen Schlüssel. Das kann dieser Server prüfen.",
  ],
  ["token_key_differs", "Signieren Sie den Beweis mit dem Schlüssel, an den das Access-Token gebunden ist."],
  ["token_key_unproven", "Senden Sie zusammen mit dem Access-Token einen DPoP-Beweis."],
  ["token_scheme_differs", "Senden Sie das Access-Token mit dem Schema seines token_type."],
  ["issuer_differs", "Senden Sie ein Token des Issuers, dem die API vertraut."],
  [
    "server_not_trusted",
    "Senden Sie ein Token eines Autorisierungsservers, den die API in ihren Metadaten nennt.",
  ],
  ["signature_wrong", "Senden Sie das Token unverändert, weil seine Signatur nicht mehr passt."],
  ["claims_missing", "Senden Sie ein Access-Token mit allen Claims von RFC 9068."],
  ["acr_too_weak", "Beginnen Sie eine Anmeldung, deren acr_values der erwartete acr sind."],
  ["authentication_too_old", "Beginnen Sie eine Anmeldung mit max_age, damit sich die Person neu anmeldet."],
  ["refused_by_rule", "Ändern Sie die Regel der API im Test: Sie lehnt jedes Token ab."],

  // Introspection, revocation, sign-out
  ["introspects_unnamed", "Weisen Sie den Client aus, der die Introspection macht."],
  [
    "public_client_introspects",
    "Machen Sie die Introspection als Client mit einem Secret oder einem Schlüssel.",
  ],
  ["token_of_another_client", "Widerrufen Sie das Token als der Client, für den es ausgestellt wurde."],
  ["hint_of_another_client", "Senden Sie ein ID-Token des Clients, den client_id nennt."],
  [
    "post_logout_uri_unregistered",
    "Registrieren Sie diese Adresse in post_logout_redirect_uris des Clients.",
  ],
  ["post_logout_uri_without_client", "Fügen Sie der Anfrage id_token_hint oder client_id hinzu."],
  [
    "sign_out_form_not_ours",
    "Erlauben Sie Cookies, und öffnen Sie die Abmeldung im selben Browser noch einmal.",
  ],

  // Advice: the server has answered these requests
  [
    "basic_not_encoded",
    "Kodieren Sie client_id und Secret als Formularwerte, bevor sie verbunden und in Base64 kodiert werden.",
  ],
  ["inactive_claims", "Fragen Sie nach einem Access-Token, das alle Claims von RFC 9068 hat."],
  ["inactive_early", "Warten Sie auf nbf des Tokens, oder vergleichen Sie die Uhren."],
  ["inactive_expired", "Erneuern Sie, bevor das Token abläuft."],
  [
    "inactive_for_client",
    "Fragen Sie als der Client, der das Token bekommen hat, oder fügen Sie die API zu introspects dieses Clients hinzu.",
  ],
  ["inactive_grant", "Beginnen Sie eine neue Anmeldung: Die Freigabe dieses Tokens ist beendet."],
  ["inactive_other_issuer", "Senden Sie das Token an den Issuer, der es ausgestellt hat."],
  ["inactive_replaced", "Fragen Sie nach dem Refresh-Token der letzten Antwort."],
  ["inactive_revoked", "Beginnen Sie eine neue Anmeldung: Das Token wurde widerrufen."],
  ["inactive_signature", "Senden Sie das Token unverändert, weil seine Signatur nicht passt."],
  [
    "inactive_token_type",
    "Fragen Sie nach dem Access-Token oder dem Refresh-Token, nicht nach dem ID-Token.",
  ],
  ["inactive_unknown", "Senden Sie ein Token, das dieser Server ausgestellt und nicht vergessen hat."],

  // The error came from a hook or a misbehaviour
  [
    "answer_changed",
    "Entfernen Sie den Hook oder das Fehlverhalten: Ohne sie hätte der Server anders geantwortet.",
  ],
  ["unexplained", "Der Server hat für diesen Fehler keinen Grund aufgezeichnet."],
]);
