// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#createCertificate}. */
public final class CreateCertificateOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private CreateCertificateOptions() {}

  /** The subject as text (RFC 4514): CN=app,O=Example. Default: CN= and the name. */
  public CreateCertificateOptions subject(String subject) {
    return put("subject", subject);
  }

  /** Host names for the certificate. */
  public CreateCertificateOptions dns(String... dns) {
    return put("dns", dns.length == 1 ? dns[0] : List.of(dns));
  }

  /** URIs for the certificate. */
  public CreateCertificateOptions uri(String... uri) {
    return put("uri", uri.length == 1 ? uri[0] : List.of(uri));
  }

  /** IP addresses for the certificate. */
  public CreateCertificateOptions ip(String... ip) {
    return put("ip", ip.length == 1 ? ip[0] : List.of(ip));
  }

  /** Email addresses for the certificate. */
  public CreateCertificateOptions email(String... email) {
    return put("email", email.length == 1 ? email[0] : List.of(email));
  }

  /**
   * true: the client signs its certificate itself, for self_signed_tls_client_auth. Default: an
   * authority of the test signs it, which the server trusts.
   */
  public CreateCertificateOptions selfSigned(boolean selfSigned) {
    return put("selfSigned", selfSigned);
  }

  static Map<String, Object> of(Consumer<CreateCertificateOptions> options) {
    CreateCertificateOptions chosen = new CreateCertificateOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private CreateCertificateOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
